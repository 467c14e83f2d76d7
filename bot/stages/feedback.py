"""feedback: a maintainer's word on a finding is a labelled item, from which the classifier learns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.model import Case, Decision, DecisionKind, DefectKind, Item, ItemClass

LABELS = (DecisionKind.APPROVE, DecisionKind.REJECT, DecisionKind.DUPLICATE)
"""Words that say what the item is."""
SILENT = (DecisionKind.SNOOZE, DecisionKind.RETEST)
"""Words that leave an earlier one standing."""


def labelled(cases: Iterable[Case], history: Mapping[str, Sequence[Decision]]) -> list[dict[str, Any]]:
    """One line an item: the item with `expected_class`, `defect_kind`, `ops` and `why`, ordered by item.

    The last word on a finding counts; one that only takes a merge back says nothing of its item. A duplicate is a
    fault that was told already, an approved one is to be told: their items were rightly candidates, whatever other
    findings of those items were rejected.
    What was rejected should not have been one; of what class it is, the maintainer said or nobody did.
    """
    words = [
        (said, case, judged_item(case))
        for case in cases
        if (said := _last(history.get(getattr(case.finding, "fingerprint", ""), ()))) and said.kind in LABELS
    ]
    words.sort(key=lambda one: (one[0].kind is not DecisionKind.REJECT, one[0].decided_at, one[0].fingerprint))
    last = {item.key: (item, {**item.as_json(), **_label(case, word)}) for word, case, item in words}
    return [line for _, line in sorted(last.values(), key=lambda one: one[0].order)]


def _last(said: Sequence[Decision]) -> Decision | None:
    """The last word that says something of the finding itself."""
    return next((one for one in reversed(said) if one.kind not in SILENT), None)


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
