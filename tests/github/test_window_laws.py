"""What holds for every window: it goes on where it was killed, cuts cover all and once, and storms leave no hole."""

import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.edges.github import listing
from bot.model import Item, ReadingState, Window
from tests.double import Repository, World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.double.faults import Rule
from tests.github.test_window_faults import MOVES
from tests.github.windowed import (
    DAY,
    START,
    TARGET,
    UPSTREAM,
    Dying,
    Killed,
    day_world,
    empty_world,
    larger_than,
    quiet_requests,
    truth,
    upstream,
    windowed,
)

pytestmark = needs_schema


def few(examples: int) -> settings:
    """So many examples, however slow: each is read over HTTP."""
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("before", [False, True], ids=["kept", "lost"])
def test_a_kill_at_any_page(tmp_path: Path, before: bool) -> None:
    """A new process asks for one page again at most, at the frozen heads, though both branches moved meanwhile.

    Beside pages it looks up again what was being looked up, and a number that is hidden: that may change any time.
    """
    for pages in range(1 + before, 30, 1 + before):
        world, _ = day_world()
        expected = truth(world)
        (folder := tmp_path / str(pages)).mkdir()
        with windowed(world, folder) as here:
            dying = Dying(here.store, pages, before=before)
            try:
                here.read(source=here.source(readings=dying))
            except Killed:
                pass
            else:
                assert pages > 7
                return
            frozen = here.readings.load(DAY)
            landing.commit(upstream(world), "Pushed meanwhile")
            landing.commit(world.repositories[TARGET], "Pushed meanwhile")
            reading = here.read()
            assert reading.state is ReadingState.CLOSED
            assert frozen is None or reading.heads == frozen.heads
            assert here.landings() == expected
            pages_asked = [each for each in here.asked() if not each.startswith("/")]
            assert len(pages_asked) <= quiet_requests() - 4 + 1
            assert here.double.requests - len(pages_asked) <= 4 + 1 + before
    pytest.fail("it keeps more pages than there are")


def test_a_kill_while_items_are_saved(tmp_path: Path) -> None:
    """Nothing of them is stored, the window is open, and nothing is asked again."""
    world, _ = day_world()

    def torn(items: Iterator[Item]) -> Iterator[Item]:
        yield from islice(items, 9)
        raise Killed

    with windowed(world, tmp_path) as here:
        with pytest.raises(Killed):
            here.store.save_items(DAY, torn(here.source().items()))
        assert here.landings() == {}
        reading = here.readings.load(DAY)
        assert reading is not None
        assert reading.state is ReadingState.OPEN
        asked = here.double.requests
        assert here.read().state is ReadingState.CLOSED
        # only what GitHub hides is asked again: two answers are never kept
        assert here.asked(since=asked)[:1] == ["Fates"]
        assert here.double.requests - asked <= 2


LENGTH = 600
"""Seconds that the items of a made-up world are spread over: few enough for many in one."""


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Items of all kinds, landings, reverts and commits of nobody at few seconds, and a quiet time around them."""
    world = empty_world(START + timedelta(days=9))
    repository = upstream(world)
    seconds = st.integers(0, LENGTH - 1)
    for minute in range(4):
        changes.create_pull(repository, "Before", at=START - timedelta(minutes=90 - minute))
    for second in sorted(draw(st.lists(seconds, min_size=6, max_size=30))):
        open_one(repository, draw(st.sampled_from("iiipppdxh")), START + timedelta(seconds=second))
    pulls = [number for number, each in repository.threads.items() if each.kind == "PullRequest" and number > 4]
    for second in sorted(draw(st.lists(seconds, max_size=12))):
        at, pull = START + timedelta(seconds=second), draw(st.sampled_from([0, *pulls]))
        if pull == 0:
            landing.commit(repository, "Of nobody", at=at)
        else:
            (landing.land if repository.threads[pull].open else landing.revert)(repository, pull, at=at)
    for minute in range(4):
        changes.create_pull(repository, "After", at=START + timedelta(seconds=LENGTH, minutes=90 + minute))
    return world


def open_one(repository: Repository, kind: str, at: datetime) -> None:
    """Give the next number to a pull request, a discussion, an issue, or one that is deleted or hidden."""
    if kind == "p":
        changes.create_pull(repository, "A change", at=at)
    elif kind == "d":
        changes.create_discussion(repository, "A talk", at=at)
    else:
        number = changes.create_issue(repository, "A fault", at=at).number
        if kind != "i":
            (changes.delete if kind == "x" else changes.hide)(repository, number)


def cuts(world: World) -> st.SearchStrategy[list[Window]]:
    """Windows that cover the time of the items, cut anywhere, most often at the very second of an item."""
    made = [each.created_at for each in upstream(world).threads.values()]
    seconds = [int((at - START).total_seconds()) for at in made]
    inside = [second for second in seconds if 0 < second < LENGTH] or [1]
    places = st.lists(st.sampled_from(inside) | st.integers(1, LENGTH - 1), max_size=3, unique=True)
    return places.map(
        lambda found: [
            Window(start=START + timedelta(seconds=low), end=START + timedelta(seconds=high))
            for low, high in pairwise([0, *sorted(found), LENGTH])
        ]
    )


def crowd(world: World) -> None:
    """So much later that all before is searched for."""
    for minute in range(110):
        changes.create_issue(upstream(world), "Later", at=START + timedelta(days=5, minutes=minute))


@pytest.mark.parametrize("far", [False, True], ids=["near", "far"])
@few(5)
@given(data=st.data())
def test_any_cut_covers_all_and_once(far: bool, data: st.DataObject) -> None:
    """Read in any windows, near or far, each holds its own truth; together they hold each item created once."""
    world = data.draw(worlds())
    created = truth(world, Window(start=START, end=START + timedelta(seconds=LENGTH)))
    windows = data.draw(cuts(world))
    if far:
        crowd(world)
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(listing, "MOST_RESULTS", 5)
        with windowed(world, Path(folder)) as here:
            counts: dict[str, int] = {}
            for window in data.draw(st.permutations(windows)):
                assert here.read(window).state is ReadingState.CLOSED
                assert here.landings(window) == truth(world, window)
                for key, item in here.items(window).items():
                    counts[key] = counts.get(key, 0) + (item.created_at is not None and item.created_at in window)
            assert bool(here.double.asked(operation="Search")) == far
    assert counts.keys() == created.keys()
    assert set(counts.values()) <= {1}


FAULTS: list[Callable[..., Rule]] = [
    faults.server_error,
    faults.bad_gateway,
    faults.unavailable,
    faults.html,
    faults.cut_json,
    faults.cut,
    faults.empty,
    faults.reset_before,
    faults.reset_after,
    faults.secondary_limit,
    faults.too_many,
    faults.primary_limit,
    faults.timed_out,
    faults.partial,
]


@few(10)
@given(data=st.data())
def test_storms(data: st.DataObject) -> None:
    """Whatever fails and moves while it is read, again and again: closed, it holds what was there all the time."""
    world, _ = day_world(20)
    world.cursors = data.draw(st.sampled_from(["position", "keyset"]))
    always, ever = truth(world), truth(world)

    def moving(move: Callable[[World], None]) -> Callable[[World], None]:
        def moved(world: World) -> None:
            move(world)
            now = truth(world)
            for key in always.keys() - now.keys():
                del always[key]
            ever.update(now)

        return moved

    nth = st.integers(1, 25)
    rules = [faults.timed_out(operation="Window", where=larger_than(data.draw(st.sampled_from([5, 12]))), times=None)]
    for fault in data.draw(st.lists(st.sampled_from(FAULTS), max_size=4)):
        method = "POST" if fault in (faults.timed_out, faults.partial) else None
        rules.append(fault(method=method, nth=data.draw(nth), times=data.draw(st.sampled_from([1, 2, 4]))))
    moves = data.draw(st.lists(st.sampled_from(MOVES), max_size=4))
    rules += [faults.mutate(moving(move), nth=data.draw(nth)) for move in moves]
    with tempfile.TemporaryDirectory() as folder, windowed(world, Path(folder)) as here:
        here.double.add(*rules)
        for _ in range(3):
            reading, _ = here.attempt()
            if reading is not None and reading.state is ReadingState.CLOSED:
                break
            world.clock.advance(86_400)
        else:
            here.double.rules.clear()
            reading, _ = here.attempt()
        assert reading is not None
        assert (reading.state, reading.why) == (ReadingState.CLOSED, "")
        stored = here.landings()
    assert always.keys() <= stored.keys() <= ever.keys()
    assert all(stored[key] == always[key] for key in always)
    assert all(key.startswith(UPSTREAM) for key in stored)
