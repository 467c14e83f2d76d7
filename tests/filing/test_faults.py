"""A kill or a fault at each boundary of filing: one issue for each finding, none lost, never more than the caps.

This is a part of what `tests/benchmarks/filing_faults.py` injects, which goes on with random ones past 500.
"""

from collections.abc import Iterator

import pytest

from tests.double import changes
from tests.filing import campaign
from tests.filing.campaign import AFTER_COMMIT, HELD, WHILE_LOOKING, Told, a_round, two_filers
from tests.filing.filer import POINTS, Filer


@pytest.fixture(scope="module")
def filers() -> Iterator[tuple[Filer, Filer]]:
    with two_filers() as running:
        yield running


def test_killed_at_every_point(filers: tuple[Filer, Filer]) -> None:
    """Around each thing that the filer does to its outbox or asks of the tracker, and while the tracker has it."""
    told = Told()
    for point in POINTS:
        campaign.killed(told, filers[0], point)
    for committed in (False, True):
        campaign.killed_by_the_request(told, filers[0], committed=committed)
    assert told.broken == []
    assert told.injected >= len(POINTS) + 2
    assert set(told.states) == {"done", "unknown"}


def test_failed_by_the_tracker(filers: tuple[Filer, Filer]) -> None:
    """The slower faults of the wire, and looks that fail or come too early; the others are in `test_tracker`."""
    told = Told()
    for name in ("RST", "truncated 201", "307", "slow drip", *WHILE_LOOKING):
        assert name in {**AFTER_COMMIT, **WHILE_LOOKING}
        campaign.failed(told, filers[0], name)
    assert told.broken == []
    assert set(told.states) == {"done"}, "what was carried out is found in the end"


@pytest.mark.parametrize("point", HELD)
def test_two_writers(point: str, filers: tuple[Filer, Filer]) -> None:
    """One stands still at a point until its lease has ended and another has gone on in its place; then it goes on."""
    told = Told()
    campaign.rivals(told, *filers, point, late=True)
    assert told.broken == []


def test_any_after_any(filers: tuple[Filer, Filer]) -> None:
    """Several faults in one world."""
    told = Told()
    campaign.at_random(told, filers[0], seed=1)
    assert told.broken == []
    assert told.injected >= 3


def test_the_laws_can_be_broken(filers: tuple[Filer, Filer]) -> None:
    """Issues that the filer did not make are told as twice, above the cap and another than its own."""
    told = Told()
    with a_round(told, filers[0], 1) as one:
        one.turn()
        body = next(iter(one.repository.threads.values())).body
        for _ in range(3):
            changes.create_issue(one.repository, "copy", body, author="alignbot")
        one.settle(1)
    assert any("has 4 issues" in each for each in told.broken)
    assert any("4 issues in a hour" in each for each in told.broken)
    assert any("is done as" in each for each in told.broken)
