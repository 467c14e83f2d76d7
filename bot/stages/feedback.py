"""feedback: a maintainer's word on a finding is a labelled item, from which the classifier learns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.model import Case, Decision, DecisionKind, DefectKind, Item, ItemClass


def labelled(cases: Iterable[Case], history: Mapping[str, Sequence[Decision]]) -> list[dict[str, Any]]:
    """One line an item: the item with `expected_class`, `defect_kind`, `ops` and `why`, ordered by item.

    The last word on a finding counts. A duplicate is a fault that was told already, an approved one is to be told:
    their items were rightly candidates, whatever other findings of those items were rejected.
    What was rejected should not have been one; of what class it is, the maintainer said or nobody did.
    """
    words = [
        (said[-1], case, judged_item(case))
        for case in cases
        if (said := history.get(getattr(case.finding, "fingerprint", "")))
    ]
    words.sort(key=lambda one: (one[0].kind is not DecisionKind.REJECT, one[0].decided_at, one[0].fingerprint))
    last = {item.key: (item, {**item.as_json(), **_label(case, word)}) for word, case, item in words}
    return [line for _, line in sorted(last.values(), key=lambda one: one[0].order)]


def judged_item(case: Case) -> Item:
    """The item whose ruling sent the case to the device; not always its leader."""
    return next((item for item in case.items if item.number == case.ruling.number), case.leader)


def _label(case: Case, last: Decision) -> dict[str, Any]:
    rightly = last.kind is not DecisionKind.REJECT
    return {
        "expected_class": (ItemClass.CANDIDATE if rightly else last.item_class or ItemClass.OTHER).value,
        "defect_kind": (case.ruling.defect_kind if rightly else DefectKind.NONE).value,
        "ops": list(case.ruling.ops),
        "why": f"{last.kind.value}: {last.reason}",
        "fingerprint": last.fingerprint,
    }
