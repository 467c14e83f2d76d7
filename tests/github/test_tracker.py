"""The target's tracker in memory: whole once, then what changed; a reading that was cut short goes on."""

from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot import wire
from bot.edges.github.pages import Pages
from bot.edges.github.tracked import TrackerReading
from bot.edges.trackers import SqlTrackers
from bot.errors import ForgeError, InputError
from bot.model import Absent, Finding, Matches, TrackedItem, TrackerState
from bot.settings import Settings
from tests.dashboard.sample import found_case
from tests.double import Repository, World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.github.windowed import SETTLED, START, TARGET, Killed, Windowed, empty_world, larger_than, windowed

pytestmark = needs_schema
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


class Mortal(SqlTrackers):
    """A memory of a process that is killed at its n-th page: right after it was kept, or right before."""

    def __init__(self, inner: Windowed, pages: int, *, before: bool) -> None:
        super().__init__(inner.store.engine)
        self._left, self._before = pages, before

    def keep(self, repo: str, items: Iterable[TrackedItem], state: TrackerState) -> None:
        """Keep it, and die if it is the last one."""
        self._left -= 1
        if self._left == 0 and self._before:
            raise Killed
        super().keep(repo, items, state)
        if self._left == 0:
            raise Killed


def target(world: World) -> Repository:
    """The repository whose tracker it is."""
    found = world.repository(TARGET)
    assert found is not None
    return found


def tracked_world(issues: int = 40, cursors: str = "position") -> World:
    """A target with issues and a third as many pull requests, each of which closes an issue."""
    world = empty_world()
    world.cursors = cursors
    repository = target(world)
    for place in range(issues):
        at = START - timedelta(days=90) + place * HOUR
        made = changes.create_issue(repository, f"Issue {place}", at=at)
        if place % 3 == 0:
            changes.create_pull(repository, f"Change {place}", f"Fixes #{made.number}", at=at)
    return world


def reading(here: Windowed, memory: SqlTrackers | None = None) -> TrackerReading:
    """A reading as a new process has it."""
    pages = Pages(here.forge.graphql, here.readings, None, here.clock)
    return TrackerReading(pages, memory or SqlTrackers(here.store.engine), TARGET, here.forge.limiter)


def held(here: Windowed) -> dict[int, TrackedItem]:
    """What the memory has."""
    return {item.number: item for item in SqlTrackers(here.store.engine).items(TARGET)}


def told(here: Windowed) -> dict[int, tuple[str, str, tuple[int, ...]]]:
    """The same, as far as it is compared with the world."""
    return {number: (item.title, item.state.value.upper(), item.closes) for number, item in held(here).items()}


def truth(world: World) -> dict[int, tuple[str, str, tuple[int, ...]]]:
    """What the world has."""
    return {
        each.number: (each.title, each.state, tuple(sorted(each.closes)))
        for each in target(world).threads.values()
        if each.here
    }


@pytest.mark.parametrize("cursors", ["position", "keyset"])
@pytest.mark.parametrize("size", [100, 12, 5])
def test_the_first_reading_is_whole(tmp_path: Path, cursors: str, size: int) -> None:
    """Every issue and pull request, open or closed, is in memory, whatever the size of a page."""
    world = tracked_world(cursors=cursors)
    changes.close(target(world), 3)
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(size), times=None))
        state = reading(here).refresh()
        assert told(here) == truth(world)
        assert (state.as_of, state.cursors) == (SETTLED, {})


def test_what_changed_is_read_alone(tmp_path: Path) -> None:
    """A further refreshing sees what is new, what was closed and edited, for two requests at most."""
    world = tracked_world()
    with windowed(world, tmp_path) as here:
        reading(here).refresh()
        world.clock.advance(3_600)
        changes.edit(target(world), 5, title="Another name")
        changes.close(target(world), 7)
        changes.create_issue(target(world), "New")
        asked = here.double.requests
        state = reading(here).refresh()
        assert here.double.requests - asked <= 2
        assert told(here) == truth(world)
        assert state.as_of == SETTLED + HOUR
        asked = here.double.requests
        world.clock.advance(3_600)
        assert reading(here).refresh().as_of == SETTLED + 2 * HOUR
        assert here.double.requests - asked == 1


@pytest.mark.parametrize("before", [False, True], ids=["after", "before"])
@pytest.mark.parametrize("page", [1, 2, 4, 8])
def test_a_kill_at_any_page(tmp_path: Path, page: int, before: bool) -> None:
    """The next process goes on where it was, and knows all in the end, also what changed meanwhile."""
    world = tracked_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(6), times=None))
        with pytest.raises(Killed):
            reading(here, Mortal(here, page, before=before)).refresh()
        had = len(held(here))
        asked = len(here.double.asked(operation="Tracker"))
        world.clock.advance(600)
        changes.edit(target(world), 2, title="Edited meanwhile")
        changes.create_issue(target(world), "Opened meanwhile")
        state = reading(here).refresh()
        assert told(here) == truth(world)
        assert state.as_of == SETTLED + 10 * MINUTE
        if page == 8:
            assert had > 0
            assert len(here.double.asked(operation="Tracker")) - asked < asked


@pytest.mark.parametrize("cursors", ["position", "keyset"])
def test_threads_that_are_deleted_while_pages_are_read(tmp_path: Path, cursors: str) -> None:
    """What is still there is in memory, though the pages behind move."""
    world = tracked_world(60, cursors)
    repository = target(world)
    gone = iter(range(1, 200))

    def move(_: World) -> None:
        for _ in range(8):
            number = next(gone)
            if repository.threads[number].kind != "PullRequest":
                changes.delete(repository, number)

    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(12), times=None))
        here.double.add(faults.mutate(move, where=lambda one: not larger_than(12)(one), nth=2, times=2))
        reading(here).refresh()
        assert truth(world).items() <= told(here).items()


def test_files_of_open_pull_requests(tmp_path: Path) -> None:
    """An open one has the paths that it changes; a closed one isn't asked for them."""
    world = tracked_world(3)
    with windowed(world, tmp_path) as here:
        pulls = [each for each in target(world).threads.values() if each.kind == "PullRequest"]
        reading(here).refresh()
        known = held(here)
        assert [known[each.number].files for each in pulls] == [tuple(one.path for one in each.files) for each in pulls]


def test_a_reading_that_fails_keeps_what_it_had(tmp_path: Path) -> None:
    """It raises; nothing is said to be whole before it is, and the next one goes on."""
    world = tracked_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(6), times=None))
        here.double.add(faults.server_error(where=lambda one: not larger_than(6)(one), nth=5, times=9))
        with pytest.raises(ForgeError):
            reading(here).refresh()
        state = SqlTrackers(here.store.engine).state(TARGET)
        assert (state.as_of, bool(state.cursors)) == (None, True)
        here.double.rules.clear()
        reading(here).refresh()
        assert told(here) == truth(world)


def test_one_that_is_larger_than_is_read_at_once(tmp_path: Path) -> None:
    """It is read on by the next refreshing, and is not said to be whole before."""
    world = tracked_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(12), times=None))
        first = reading(here)
        first.most_pages = 2
        with pytest.raises(ForgeError, match="more threads than are read at once"):
            first.refresh()
        assert SqlTrackers(here.store.engine).state(TARGET).as_of is None
        reading(here).refresh()
        assert told(here) == truth(world)


def test_a_sweep_that_is_torn(tmp_path: Path) -> None:
    """Where so much is deleted between two pages of changes that some may be missed, they are asked for again."""
    world = tracked_world(60)
    repository = target(world)
    with windowed(world, tmp_path) as here:
        reading(here).refresh()
        world.clock.advance(3_600)
        for number in range(1, 60):
            changes.edit(repository, number, title="Edited")

        def move(_: World) -> None:
            for number in range(40, 60):
                changes.delete(repository, number)

        here.double.add(faults.timed_out(where=larger_than(12), times=None))
        here.double.add(faults.mutate(move, where=lambda one: not larger_than(12)(one), nth=2, times=1))
        assert reading(here).refresh().as_of == SETTLED
        here.double.rules.clear()
        assert reading(here).refresh().as_of == SETTLED + HOUR
        assert truth(world).items() <= told(here).items()


def test_a_repository_that_is_not_there(tmp_path: Path) -> None:
    """A person has to see it: it is an InputError, and nothing is kept."""
    world = tracked_world(2)
    landing.rename_repository(target(world), "intel/elsewhere")
    with windowed(world, tmp_path) as here:
        with pytest.raises(InputError):
            reading(here).refresh()
        assert held(here) == {}


def test_a_register_brings_its_tracker_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for its first finding it reads the tracker, for a second one nothing; where GitHub refuses it says why."""
    world = tracked_world(3)
    changes.create_issue(target(world), "[XPU alignment] pytorch/pytorch #204496: Upstream OPEN", at=START)
    case = found_case()
    assert isinstance(case.finding, Finding)
    monkeypatch.setenv("ALIGNBOT_GITHUB_TOKEN", world.token)
    with windowed(world, tmp_path) as here:
        settings = Settings.model_validate({"github": {"api": here.double.url}, "state": tmp_path})
        with closing(wire.GitHub(settings)) as github:
            here.double.add(faults.server_error(times=None))
            told = wire.register(settings, here.store, github=github).search(case, case.finding)
            assert isinstance(told, Absent)
            assert "has not been read: GitHub answered 500 to Tracker" in told.absent
            here.double.rules.clear()
            register = wire.register(settings, here.store, github=github)
            found = register.search(case, case.finding)
            assert isinstance(found, Matches)
            assert (found.searched, found.exact and found.exact.title[:15]) == (5, "[XPU alignment]")
            asked = here.double.requests
            assert register.search(case, case.finding) == found
            assert here.double.requests == asked


def test_a_replica_that_is_behind(tmp_path: Path) -> None:
    """What is older than what is known changes nothing."""
    world = tracked_world(2)
    with windowed(world, tmp_path) as here:
        memory = SqlTrackers(here.store.engine)
        reading(here).refresh()
        old = held(here)[1]
        changes.edit(target(world), 1, title="Newer")
        reading(here).refresh()
        memory.keep(TARGET, [old], memory.state(TARGET))
        assert held(here)[1].title == "Newer"
