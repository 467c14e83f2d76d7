"""What changes after a window was read is seen once, by this sweep or the next, and has its scans done again."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.edges.changes import renew, unfinished
from bot.errors import InputError, StoreError
from bot.model import Item, ReadingState, Window
from tests.double import Repository, World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.github.windowed import (
    DAY,
    MORNING,
    SETTLED,
    START,
    UPSTREAM,
    Dying,
    Killed,
    Windowed,
    day_world,
    empty_world,
    keys,
    larger_than,
    truth,
    upstream,
    windowed,
)

pytestmark = needs_schema
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
DEVICE = "cpu"


def scanned(here: Windowed, window: Window = DAY) -> None:
    """Read a window, and say that its scan is done."""
    reading = here.read(window)
    here.store.begin_scan(window, DEVICE, reading.heads)
    here.store.finish_scan(window, DEVICE, "done")
    assert unfinished(here.store.engine, DEVICE, SETTLED) == []


def swept(here: Windowed, since: datetime = START) -> int:
    """Sweep from a moment on: how many changes mattered."""
    return renew(here.store.engine, here.sweep(since).items())


def small(*, cursors: str = "position", issues: int = 6) -> World:
    """A day with a few issues, and one pull request as the last."""
    world = empty_world()
    world.cursors = cursors
    for place in range(issues):
        changes.create_issue(upstream(world), f"Issue {place}", at=START + place * MINUTE)
    changes.create_pull(upstream(world), "A change", at=START + HOUR)
    return world


def _body(repository: Repository) -> None:
    changes.edit(repository, 7, body="New")


def _labels(repository: Repository) -> None:
    changes.edit(repository, 7, labels=["module: cuda"])


def _closed(repository: Repository) -> None:
    changes.close(repository, 7)


def _landed(repository: Repository) -> None:
    landing.land(repository, 7)


def _reverted(repository: Repository) -> None:
    landing.land(repository, 7)
    landing.revert(repository, 7)


def _pushed(repository: Repository) -> None:
    repository.threads[7].head_oid = "f" * 40
    repository.threads[7].updated_at = repository.world.clock.now()
    repository.touched()


@pytest.mark.parametrize("change", [_body, _labels, _closed, _landed, _reverted, _pushed])
def test_what_matters(tmp_path: Path, change: Callable[[Repository], None]) -> None:
    """The item is as it is now, its details are asked for anew, the window's scan is due; again nothing matters."""
    world = small()
    with windowed(world, tmp_path) as here:
        scanned(here)
        here.store.save_details(DAY, [f"{UPSTREAM}#7"], iter([here.item(7)]))
        change(upstream(world))
        thread = upstream(world).threads[7]
        assert swept(here) == 1
        item = here.item(7)
        told = (item.body, list(item.labels), item.state.value.upper(), item.closed_at, item.head_sha, item.updated_at)
        now = (thread.body, thread.labels, thread.state, thread.closed_at, thread.head_oid, thread.updated_at)
        assert told == now
        assert here.store.undetailed(DAY, [item.key]) == [item.key]
        assert unfinished(here.store.engine, DEVICE, SETTLED) == [DAY]
        assert swept(here) == 0
        assert here.landings().keys() == truth(world).keys()


def test_a_comment_matters_where_details_were_read(tmp_path: Path) -> None:
    """Nobody reads the comments of an item that nobody keeps."""
    world = small()
    with windowed(world, tmp_path) as here:
        scanned(here)
        here.store.save_details(DAY, [f"{UPSTREAM}#7"], iter([here.item(7)]))
        for number in (6, 7):
            changes.comment(upstream(world), number, "Me too")
        assert swept(here) == 1
        assert here.store.undetailed(DAY, [f"{UPSTREAM}#7"]) == [f"{UPSTREAM}#7"]
        assert unfinished(here.store.engine, DEVICE, SETTLED) == [DAY]


def test_nothing_changed(tmp_path: Path) -> None:
    """However often it is swept from the beginning, nothing is due, and it costs one request."""
    world = small()
    with windowed(world, tmp_path) as here:
        scanned(here)
        asked = here.double.requests
        assert [swept(here), swept(here)] == [0, 0]
        assert here.double.requests - asked == 2
        assert unfinished(here.store.engine, DEVICE, SETTLED) == []


def test_two_changes_in_one_second(tmp_path: Path) -> None:
    """A change in the very second of the last one is a change."""
    world = small()
    with windowed(world, tmp_path) as here:
        scanned(here)
        changes.edit(upstream(world), 7, body="First")
        assert swept(here) == 1
        changes.edit(upstream(world), 7, body="Second")
        assert swept(here) == 1
        assert here.item(7).body == "Second"


def test_a_replica_that_is_behind(tmp_path: Path) -> None:
    """What is older than what is known changes nothing."""
    world = small()
    with windowed(world, tmp_path) as here:
        scanned(here)
        old = here.item(7)
        changes.edit(upstream(world), 7, body="New")
        assert swept(here) == 1
        assert renew(here.store.engine, iter([old])) == 0
        assert here.item(7).body == "New"


def test_an_item_of_many_windows(tmp_path: Path) -> None:
    """It is renewed in each, and each is due; windows that do not hold it are left alone."""
    world = small()
    halves = [Window(start=START, end=START + 12 * HOUR), Window(start=START + 12 * HOUR, end=DAY.end)]
    with windowed(world, tmp_path) as here:
        for window in (DAY, *halves):
            scanned(here, window)
        changes.edit(upstream(world), 7, body="New")
        assert swept(here) == 1
        assert set(unfinished(here.store.engine, DEVICE, SETTLED)) == {DAY, halves[0]}
        assert [here.item(7, window).body for window in (DAY, halves[0])] == ["New", "New"]


def _transferred(repository: Repository) -> int:
    elsewhere = repository.world.repository("pytorch/vision") or repository.world.add_repository("pytorch/vision")
    old = changes.create_issue(elsewhere, "From elsewhere", at=START + 2 * HOUR)
    return landing.transfer(elsewhere, old.number, repository).number


def _shown(repository: Repository) -> int:
    changes.hide(repository, 3, hidden=False)
    changes.comment(repository, 3, "Here again")
    return 3


@pytest.mark.parametrize("arrive", [_transferred, _shown])
def test_an_item_that_comes_late_gets_its_place(tmp_path: Path, arrive: Callable[[Repository], int]) -> None:
    """In every closed window of its date, once, also where a window holds it already as something from outside."""
    world = small()
    changes.hide(upstream(world), 3)
    half, later = Window(start=START, end=START + 12 * HOUR), Window(start=DAY.end, end=DAY.end + HOUR)
    with windowed(world, tmp_path) as here:
        for window in (DAY, half, later):
            scanned(here, window)
        number = arrive(upstream(world))
        (node,) = here.source(later)._listing(here.read(later)).numbered([number])
        outside = Item(repo=UPSTREAM, number=number, kind="issue", title=node["title"], updated_at=node["updatedAt"])
        for window in (later, half):
            here.store.save_details(window, [], iter([outside]))
        assert swept(here) == 1
        for window in (DAY, half):
            assert here.landings(window) == truth(world, window)
        assert here.landings(later) == {}
        assert set(unfinished(here.store.engine, DEVICE, SETTLED)) >= {DAY, half}
        assert swept(here) == 0


@pytest.mark.parametrize("saved", [False, True], ids=["killed", "open"])
def test_a_change_while_a_window_is_open(tmp_path: Path, saved: bool) -> None:
    """Its pages are older than what a sweep saw: the window is closed with what the sweep knows, and what it brought.

    That holds for what was created in it, what landed in it, and what was transferred in meanwhile.
    """
    world, day = day_world(now=MORNING)
    repository = upstream(world)
    own, earlier = day.issues[3], next(number for number in day.landed.values() if number not in day.pulls)
    with windowed(world, tmp_path) as here:
        if saved:
            assert here.read().state is ReadingState.OPEN
        else:
            with pytest.raises(Killed):
                here.read(source=here.source(readings=Dying(here.store, 4)))
        opened = [one.opened_at for one in here.readings.all()]
        for round_ in ("once", "twice"):
            world.clock.advance(60)
            changes.edit(repository, own, title=f"Changed {round_}")
            changes.edit(repository, earlier, title=f"Changed {round_}")
            if round_ == "twice":
                _transferred(repository)
            swept(here, min(opened))
        world.clock.advance(86_400)
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)
        assert [here.item(number).title for number in (own, earlier)] == ["Changed twice"] * 2


def test_the_watermark(tmp_path: Path) -> None:
    """A sweep ends at the newest change that its first answer showed, not before its last item was given."""
    world = small()
    with windowed(world, tmp_path) as here:
        changes.edit(upstream(world), 5, body="New", at=SETTLED - HOUR)
        sweep = here.sweep(START)
        items = sweep.items()
        next(items)
        assert sweep.through == START
        list(items)
        assert sweep.through == SETTLED - HOUR
        quiet = here.sweep(SETTLED - MINUTE)
        assert list(quiet.items()) == []
        assert quiet.through == SETTLED - MINUTE


def test_a_change_that_github_shows_late(tmp_path: Path) -> None:
    """One that is dated a little before the last sweep's end is seen by the next one."""
    world = small()
    with windowed(world, tmp_path) as here:
        changes.edit(upstream(world), 5, body="New", at=SETTLED - HOUR)
        first = here.sweep(START)
        list(first.items())
        changes.edit(upstream(world), 4, body="New", at=SETTLED - HOUR - MINUTE)
        assert [item.number for item in here.sweep(first.through).items()] == [5, 4]


@pytest.mark.parametrize("size", [100, 12, 5])
@pytest.mark.parametrize("cursors", ["position", "keyset"])
def test_a_sweep_of_many_pages(tmp_path: Path, cursors: str, size: int) -> None:
    """It sees all, moves the watermark to the newest change, and reads little twice."""
    world = small(cursors=cursors, issues=60)
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(size), times=None))
        sweep = here.sweep(START - HOUR)
        seen = [item.key for item in sweep.items()]
        assert set(seen) == keys(range(1, 62))
        assert len(seen) <= 61 * 5 / 4
        assert sweep.through == START + HOUR


def changed(items: list[Item]) -> set[str]:
    """The keys of what a sweep saw as edited."""
    return {item.key for item in items if item.title == "Edited"}


@pytest.mark.parametrize("cursors", ["position", "keyset"])
@pytest.mark.parametrize("what", ["edited", "deleted", "both"])
def test_items_that_change_while_pages_are_read(tmp_path: Path, cursors: str, what: str) -> None:
    """What changed before or while it is swept is seen by this sweep or by the next one from where it ended."""
    world = small(cursors=cursors, issues=60)
    repository = upstream(world)
    for number in range(1, 50):
        changes.edit(repository, number, title="Edited", at=SETTLED - HOUR + number * MINUTE)
    steps = iter(range(1, 50))

    def move(_: World) -> None:
        world.clock.advance(200)
        number = next(steps)
        if what != "deleted":
            changes.edit(repository, number, title="Edited", labels=[str(number)])
        if what != "edited":
            for gone in range(49 - 4 * number, 52 - 4 * number):
                changes.delete(repository, gone)

    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(12), times=None))
        here.double.add(faults.mutate(move, where=lambda one: not larger_than(12)(one), nth=2, times=3))
        first = here.sweep(SETTLED - 2 * HOUR)
        seen = list(first.items())
        second = here.sweep(first.through)
        seen += list(second.items())
        assert second.through >= first.through
    labelled = {f"{UPSTREAM}#{each.number}" for each in repository.threads.values() if each.here and each.labels}
    still = {number for number, each in repository.threads.items() if each.here and each.title == "Edited"}
    assert keys(sorted(still)) <= changed(seen)
    assert labelled <= {item.key for item in seen if item.labels}


def test_a_sweep_that_fails(tmp_path: Path) -> None:
    """It moves nothing: the next one begins where this one did. That a repository was renamed a person has to see."""
    world = small(issues=30)
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(6), times=None))
        here.double.add(faults.server_error(where=lambda one: not larger_than(6)(one), nth=3, times=None))
        sweep = here.sweep(START)
        with pytest.raises(Exception, match="GitHub answered 500 to Updated"):
            list(sweep.items())
        assert sweep.through == START
        here.double.rules.clear()
        landing.rename_repository(upstream(world), "pytorch/torch")
        with pytest.raises(InputError, match="GitHub shows no repository pytorch/pytorch"):
            list(here.sweep(START).items())


def test_a_database_that_fails(tmp_path: Path) -> None:
    """Its errors are ours, so that whoever sweeps can go on."""
    world = small()
    with windowed(world, tmp_path) as here:
        scanned(here)
        with here.store.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE item")
        with pytest.raises(StoreError, match="the database failed: no such table: item"):
            swept(here)


def test_windows_that_are_not_at_their_end(tmp_path: Path) -> None:
    """Read and not scanned, scanned and held, or with nothing read of it: only what a reading or a scan knows."""
    world = small()
    with windowed(world, tmp_path) as here:
        assert unfinished(here.store.engine, DEVICE, SETTLED) == []
        here.read()
        assert unfinished(here.store.engine, DEVICE, SETTLED) == [DAY]
        here.store.begin_scan(DAY, DEVICE, here.read().heads)
        here.store.finish_scan(DAY, DEVICE, "held")
        assert unfinished(here.store.engine, DEVICE, datetime(2026, 12, 1, tzinfo=UTC)) == [DAY]
        here.store.finish_scan(DAY, DEVICE, "done")
        assert unfinished(here.store.engine, DEVICE, SETTLED) == []
        assert unfinished(here.store.engine, "xpu", SETTLED) == [DAY]
