"""What may be called closed and whole."""

import pytest
from pydantic import ValidationError

from bot.model import FrozenHeads, Proof, Reading, ReadingState, Window

WINDOW = Window.parse("2026-11-11")
OPEN = Reading(window=WINDOW, heads=FrozenHeads(), opened_at=WINDOW.end, why="not asked yet", counts={"issue": 2})
WHOLE = Proof(first=5, last=9, accounted={"issue": 2, "pull": 3}, before=4, after=10)


@pytest.mark.parametrize(
    ("change", "whole"),
    [
        ({}, True),
        ({"before": 0}, True),
        ({"before": None}, False),
        ({"after": None}, False),
        ({"after": None, "at_newest": True}, True),
        ({"unaccounted": (7,)}, False),
        ({"accounted": {"open": 1}}, False),
        ({"first": None, "last": None, "accounted": {}}, True),
    ],
)
def test_whole(change: dict[str, object], whole: bool) -> None:
    """A proof is whole when nothing is open and both sides are bracketed or the sequence ends there."""
    assert WHOLE.model_copy(update=change).whole is whole
    assert not Proof().whole


@pytest.mark.parametrize(
    "change",
    [
        {"state": "closed"},
        {"closed_at": WINDOW.end},
        {"state": "closed", "closed_at": WINDOW.end, "why": "still open"},
        {"state": "closed", "closed_at": WINDOW.end, "proof": Proof()},
    ],
)
def test_nothing_is_closed_by_half(change: dict[str, object]) -> None:
    """A reading that is closed without a time, with a reason to be open or a proof with holes can't be made."""
    fields = OPEN.model_dump() | {"why": ""} | change
    with pytest.raises(ValidationError):
        Reading.model_validate(fields)


def test_it_reads_what_it_wrote() -> None:
    """Open and closed readings come back from JSON as they were."""
    closed = OPEN.model_copy(update={"state": ReadingState.CLOSED, "why": "", "closed_at": WINDOW.end, "proof": WHOLE})
    for reading in (OPEN, closed):
        assert Reading.model_validate_json(reading.model_dump_json()) == reading
