"""feedback: a maintainer's word on a finding is a labelled item, from which the classifier learns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.model import Case, Decision, DecisionKind, DefectKind, Item, ItemClass

LABELS = (DecisionKind.REJECT, DecisionKind.DUPLICATE)
"""Words that say what the item is."""


def labelled(cases: Iterable[Case], history: Mapping[str, Sequence[Decision]]) -> list[dict[str, Any]]:
    """One line an item: the item with `expected_class`, `defect_kind`, `ops` and `why`, ordered by item.

    The last word on a finding counts; one that only takes a merge back says nothing of its item. A duplicate is a
    fault that was told already: its item was rightly a candidate, whatever other findings of that item were rejected.
    What was rejected should not have been one; of what class it is, the maintainer said or nobody did.
    """
    words = [
        (said[-1], case, judged_item(case))
        for case in cases
        if (said := history.get(getattr(case.finding, "fingerprint", ""))) and said[-1].kind in LABELS
    ]
    words.sort(key=lambda one: (one[0].kind is DecisionKind.DUPLICATE, one[0].decided_at, one[0].fingerprint))
    last = {item.key: (item, {**item.as_json(), **_label(case, word)}) for word, case, item in words}
    return [line for _, line in sorted(last.values(), key=lambda one: one[0].order)]


def judged_item(case: Case) -> Item:
    """The item whose ruling sent the case to the device; not always its leader."""
    return next((item for item in case.items if item.number == case.ruling.number), case.leader)


def _label(case: Case, last: Decision) -> dict[str, Any]:
    duplicate = last.kind is DecisionKind.DUPLICATE
    return {
        "expected_class": (ItemClass.CANDIDATE if duplicate else last.item_class or ItemClass.OTHER).value,
        "defect_kind": (case.ruling.defect_kind if duplicate else DefectKind.NONE).value,
        "ops": list(case.ruling.ops),
        "why": f"{last.kind.value}: {last.reason}",
        "fingerprint": last.fingerprint,
    }
