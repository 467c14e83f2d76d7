"""Whatever goes wrong: the window ends whole, or open with the reason; never with a hole, and no item comes twice."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.edges.github import listing
from bot.edges.readings import ADOPTED
from bot.errors import InputError, LimitedError
from bot.model import ReadingState, Window
from tests.double import World, changes, faults, landing
from tests.double.asking import needs_schema
from tests.double.exchange import Answer, Exchange, as_json
from tests.double.faults import Rule
from tests.github.windowed import (
    DAY,
    MORNING,
    SETTLED,
    START,
    UPSTREAM,
    day_world,
    empty_world,
    keys,
    larger_than,
    quiet_requests,
    truth,
    upstream,
    windowed,
)

pytestmark = needs_schema
END = DAY.end
When = Callable[..., Rule]

PLACES: list[dict[str, Any]] = [
    *({"operation": name} for name in ("Heads", "Window", "Commits", "Numbers", "Fates")),
    {"path": "/issues/"},
]
"""The kinds of request that reading a day takes, in their order."""

BOTH: dict[str, When] = {
    "500": faults.server_error,
    "502": faults.bad_gateway,
    "503": faults.unavailable,
    "503, come again": lambda **when: faults.unavailable(7, **when),
    "a page of HTML": faults.html,
    "a page of HTML as 500": lambda **when: faults.html(500, **when),
    "half a JSON": faults.cut_json,
    "half a body": faults.cut,
    "nothing": faults.empty,
    "reset before": faults.reset_before,
    "reset after": faults.reset_after,
    "403 secondary": faults.secondary_limit,
    "403 secondary, come again": lambda **when: faults.secondary_limit(9, **when),
    "429 secondary": lambda **when: faults.secondary_limit(9, code=429, **when),
    "429": faults.too_many,
    "429, come again": lambda **when: faults.too_many(9, **when),
    "403 primary": lambda **when: faults.primary_limit(60, **when),
    "429 primary": lambda **when: faults.primary_limit(60, code=429, **when),
}
DIRECT = "Bump the nightly version"
"""A commit of every seeded day; where the history leaves it out, it is asked for."""
GRAPHQL: dict[str, When] = {
    "200 RATE_LIMITED": lambda **when: faults.graphql_limit(60, **when),
}


@pytest.mark.parametrize("name", [*BOTH, *GRAPHQL])
def test_a_fault_that_passes(tmp_path: Path, name: str) -> None:
    """Each kind of request fails once: the window is closed at once, and nothing was asked again but what failed."""
    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        here.double.add(left_out(DIRECT))
        only_graphql = name in GRAPHQL or name == "half a JSON"  # half of a 404 leaves its number open
        places = [place for place in PLACES if "operation" in place or not only_graphql]
        rules = [(BOTH | GRAPHQL)[name](**place) for place in places]
        here.double.add(*rules)
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)
        assert [rule.applied for rule in rules] == [1] * len(places)
        assert here.double.requests == quiet_requests() + 1 + len(places)  # the commit that is left out
        assert here.slept


LASTING: dict[str, When] = {
    **{name: BOTH[name] for name in ("500", "502", "half a JSON", "nothing")},
    "reset": faults.reset_before,
    "403 secondary for an hour": lambda **when: faults.secondary_limit(3_600, **when),
    "429 again and again": faults.too_many,
    "403 primary for an hour": lambda **when: faults.primary_limit(3_600, **when),
    "302 to a place where one signs in": lambda **when: faults.status(302, headers={"Location": "/login"}, **when),
}


@pytest.mark.parametrize("name", LASTING)
def test_a_fault_that_lasts(tmp_path: Path, name: str) -> None:
    """Nothing is opened before the heads are known; then it is open, and why is the error. Afterwards it is closed."""
    world, _ = day_world(now=MORNING)
    with windowed(world, tmp_path) as here:
        here.double.add(LASTING[name](times=None, **PLACES[0]))
        reading, error = here.attempt()
        assert (reading, bool(error)) == (None, True)
        for place in PLACES[1:]:
            here.double.rules.clear()
            world.clock.advance(7_200)
            here.double.add(left_out(DIRECT), LASTING[name](times=None, **place))
            reading, error = here.attempt()
            assert reading is not None
            assert reading.state is ReadingState.OPEN
            if name in ("half a JSON", "302 to a place where one signs in") and "path" in place:
                assert re.match(r"\d of its numbers can't be accounted for: GitHub denies #", reading.why)
            else:
                assert reading.why == error != ""
        here.closes_truly()


@pytest.mark.parametrize("slow", [faults.delay(30, times=None), faults.drip(0.05, times=None)], ids=["delay", "drip"])
def test_slow_pages(tmp_path: Path, slow: Rule) -> None:
    """An answer that doesn't come, or comes byte by byte, is not waited for: the window stays open with that reason."""
    world, _ = day_world(12)
    slow.operation = "Window"
    with windowed(world, tmp_path, timeout_s=0.2) as here:
        here.double.add(slow)
        reading, _ = here.attempt()
        assert reading is not None
        assert re.search(r"did not answer .* in time|took longer than", reading.why)
    with windowed(world, tmp_path) as here:
        here.closes_truly()


@pytest.mark.parametrize(("limit", "code"), [(50, 502), (20, 200), (5, 502)])
def test_heavy_pages_shrink(tmp_path: Path, limit: int, code: int) -> None:
    """Pages that GitHub can't answer are made smaller until it can, and stay so: the window is closed."""
    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        heavy = faults.bad_gateway if code == 502 else faults.timed_out
        here.double.add(heavy(where=larger_than(limit), times=None))
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)
        sizes = [each.variables["first"] for each in here.double.asked(operation="Window")]
        assert sizes == sorted(sizes, reverse=True)
        assert limit // 2 <= sizes[-1] <= limit


@pytest.mark.parametrize("heavy", [faults.heavy_pages, faults.partial], ids=["heavy", "partial"])
def test_pages_that_are_always_too_heavy(tmp_path: Path, heavy: When) -> None:
    """Even the smallest page fails: open with that reason, and no null is taken for nothing."""
    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        here.double.add(heavy(1, operation="Window", times=None))
        reading, _ = here.attempt()
        assert reading is not None
        assert reading.why.startswith("GitHub can't answer Window even for 5 items")
        here.closes_truly()


def test_partial_answers_of_large_pages(tmp_path: Path) -> None:
    """Resource limits that leave nulls count as too heavy: the page is asked anew, smaller."""
    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        rule = faults.partial(3, operation="Window", where=larger_than(25), times=None)
        here.double.add(rule)
        assert here.read().state is ReadingState.CLOSED
        assert rule.applied == 2
        assert here.landings() == truth(world)


@pytest.mark.parametrize("most", [3, 0])
def test_heavy_batches_are_halved(tmp_path: Path, most: int) -> None:
    """So are questions for many numbers at once; if even one is too much the window stays open."""

    def heavy(exchange: Exchange) -> bool:
        return str((exchange.graphql or {}).get("query")).count("issueOrPullRequest(") > most

    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.bad_gateway(where=heavy, times=None))
        reading, _ = here.attempt()
        assert reading is not None
        assert reading.state is (ReadingState.CLOSED if most else ReadingState.OPEN)
        assert bool(re.match(r"GitHub can't answer about \d+ alone", reading.why)) == (most == 0)
        here.closes_truly()


# the world moves


def _deleted(world: World) -> None:
    for number in _visible(world)[-4:-1]:
        changes.delete(upstream(world), number)


def _hidden(world: World) -> None:
    for number in _visible(world)[-4:-1]:
        changes.hide(upstream(world), number)


def _moved(world: World) -> None:
    elsewhere = world.repository("pytorch/vision") or world.add_repository("pytorch/vision", next_number=1)
    for number in _visible(world)[-4:-1]:
        landing.transfer(upstream(world), number, elsewhere)


def _created(world: World) -> None:
    for _ in range(3):
        changes.create_issue(upstream(world), "Later")
        changes.create_pull(upstream(world), "Later")


def _arrived(world: World) -> None:
    elsewhere = world.repository("pytorch/vision") or world.add_repository("pytorch/vision", next_number=1)
    old = changes.create_issue(elsewhere, "From elsewhere", at=START + timedelta(hours=7))
    landing.transfer(elsewhere, old.number, upstream(world))


def _edited(world: World) -> None:
    for number in _visible(world)[::7]:
        changes.edit(upstream(world), number, title="Edited", labels=["edited"])


def _pushed(world: World) -> None:
    landing.commit(upstream(world), "Pushed later")


def _visible(world: World) -> list[int]:
    return [number for number, each in upstream(world).threads.items() if each.here and each.kind != "Discussion"]


MOVES: list[Callable[[World], None]] = [_deleted, _hidden, _moved, _created, _arrived, _edited, _pushed]


@pytest.mark.parametrize(
    ("move", "cursors"), [*((move, "position") for move in MOVES), (_deleted, "keyset"), (_created, "keyset")]
)
def test_the_world_moves_between_pages(tmp_path: Path, move: Callable[[World], None], cursors: str) -> None:
    """What is there all the time is listed once; what came or went meanwhile is listed once or not at all."""
    world, _ = day_world()
    world.cursors = cursors
    before = truth(world)
    with windowed(world, tmp_path) as here:
        small = faults.timed_out(where=larger_than(6), times=None)
        here.double.add(small, faults.mutate(move, operation="Window", nth=6, times=3))
        reading, error = here.attempt()
        assert (error, reading and reading.state) == ("", ReadingState.CLOSED)
        stored, after = here.landings(), truth(world)
        assert before.keys() & after.keys() <= stored.keys() <= before.keys() | after.keys()
        assert all(stored[key] == before[key] for key in stored.keys() & before.keys())
        assert len(here.double.asked(operation="Window")) > 6


def test_items_that_go_from_the_front_of_position_pages(tmp_path: Path) -> None:
    """Deleting on the first page pulls an item past the second: its number tells, and it is fetched."""
    world = empty_world()
    for minute in range(40):
        changes.create_issue(upstream(world), f"Issue {minute}", at=START + timedelta(minutes=minute))
    with windowed(world, tmp_path) as here:
        small = faults.timed_out(where=larger_than(12), times=None)
        here.double.add(small, faults.mutate(_deleted, operation="Window", nth=5))
        assert here.read().state is ReadingState.CLOSED
        assert here.landings().keys() == keys([*range(1, 41)])
        assert here.asked()[-2:] == ["Fates", "Numbers"]


def test_what_went_between_two_answers(tmp_path: Path) -> None:
    """An item that its number showed, and that is gone when it is fetched, leaves the window open, not closed."""
    world = empty_world()
    for minute in range(20):
        changes.create_issue(upstream(world), f"Issue {minute}", at=START + timedelta(minutes=minute))
    with windowed(world, tmp_path) as here:
        here.double.add(without(7, 8), faults.mutate(lambda _: changes.delete(upstream(world), 7), operation="Numbers"))
        reading = here.read()
        assert (reading.state, reading.proof and reading.proof.unaccounted) == (ReadingState.OPEN, (7,))
        assert here.landings().keys() == keys([n for n in range(1, 21) if n != 7])
        here.closes_truly()


# what GitHub leaves out


def without(*numbers: int) -> Rule:
    """The listing has null in place of these, and says that they are forbidden."""

    def after(_: Exchange, answer: Answer) -> Answer:
        content = answer.content
        for kind in ("issues", "pulls"):
            nodes = content["data"]["repository"].get(kind, {}).get("nodes", [])
            for place, node in enumerate(nodes):
                if node["number"] in numbers:
                    nodes[place] = None
                    error = {"type": "FORBIDDEN", "path": ["repository", kind, "nodes", place], "message": "no"}
                    content.setdefault("errors", []).append(error)
        return as_json(answer.status, content, answer.headers)

    return Rule("without", after=after, operation="Window", times=None)


@pytest.mark.parametrize("alike", [False, True])
def test_nulls_in_a_listing(tmp_path: Path, alike: bool) -> None:
    """An item that the listing does not show is found by its number; all of them, where it shows none."""
    world, day = day_world()
    with windowed(world, tmp_path) as here:
        here.double.add(without(*(day.items if alike else day.items[3:9])))
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)


def _denied(name: str) -> Rule:
    """An alias is null and said not to be there."""

    def after(_: Exchange, answer: Answer) -> Answer:
        content = answer.content
        if name in content["data"]["repository"]:
            content["data"]["repository"][name] = None
            error = {"type": "NOT_FOUND", "path": ["repository", name], "message": "Could not resolve."}
            content.setdefault("errors", []).append(error)
        return as_json(answer.status, content, answer.headers)

    return Rule("denied", after=after, times=None)


def test_a_pull_request_that_is_denied_for_a_while(tmp_path: Path) -> None:
    """Its commit stands for it, and the null is not remembered: the next reading of the window has it again."""
    world, day = day_world(now=MORNING)
    pull = next(number for number in day.landed.values() if number not in day.pulls)
    oid = next(oid for oid, number in day.landed.items() if number == pull)
    with windowed(world, tmp_path) as here:
        rule = _denied(f"n{pull}")
        rule.operation = "Numbers"
        here.double.add(rule)
        assert here.read().state is ReadingState.OPEN  # a hidden number
        assert here.landings().get(f"{UPSTREAM}@{oid}") == oid
        assert f"{UPSTREAM}#{pull}" not in here.landings()
        here.closes_truly()


def test_a_number_that_is_denied_for_a_while(tmp_path: Path) -> None:
    """An item that neither listing nor lookup shows leaves the window open; it is there once GitHub shows it."""
    world, day = day_world(now=MORNING)
    lost = day.items[5]
    with windowed(world, tmp_path) as here:
        here.double.add(without(lost), _denied(f"n{lost}"), faults.status(404, path=f"/issues/{lost}$", times=None))
        here.double.rules._rules[1].where = lambda exchange: exchange.operation in ("Numbers", "Fates")
        reading = here.read()
        assert reading.proof is not None
        assert (reading.state, reading.proof.unaccounted) == (ReadingState.OPEN, tuple(sorted([lost, *day.hidden])))
        assert reading.why.startswith("2 of its numbers can't be accounted for: GitHub denies #")
        here.closes_truly()


@pytest.mark.parametrize(("status", "closes"), [(404, True), (410, True), (451, True), (200, False), (418, False)])
def test_what_rest_says_of_a_number(tmp_path: Path, status: int, closes: bool) -> None:
    """Only GitHub's own words account for a number that GraphQL does not show."""
    world, _ = day_world(12)
    with windowed(world, tmp_path) as here:
        here.double.add(faults.status(status, path="/issues/", times=None))
        reading, _ = here.attempt()
        assert reading is not None
        assert (reading.state is ReadingState.CLOSED) == closes
        here.closes_truly()


def test_a_page_of_somebody_else_says_nothing_of_a_number(tmp_path: Path) -> None:
    """A 404 that a proxy made up hides nothing for good."""
    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.html(404, path="/issues/", times=None))
        assert here.read().state is ReadingState.OPEN
        here.closes_truly()


def left_out(*messages: str, null: bool = False) -> Rule:
    """The history lacks the commits of these messages."""

    def after(_: Exchange, answer: Answer) -> Answer:
        if answer.status != 200 or b'"history"' not in answer.body:
            return answer
        content = answer.content
        history = content["data"]["repository"]["object"]["history"]
        kept = [None if null and node["message"] in messages else node for node in history["nodes"]]
        history["nodes"] = [node for node in kept if node is None or node["message"] not in messages]
        return as_json(answer.status, content, answer.headers)

    return Rule("left out", after=after, operation="Window", times=None)


@pytest.mark.parametrize("missing", [(5,), (3, 4, 5), (1,), (2, 4, 6), (1, 2, 3, 4, 5, 6, 7)])
def test_commits_that_the_history_leaves_out(tmp_path: Path, missing: tuple[int, ...]) -> None:
    """A commit between two others is found as a parent, however many lie between; none comes twice."""
    world = empty_world()
    for hour in range(9):
        landing.commit(upstream(world), f"Commit {hour}", at=START + timedelta(hours=hour))
    with windowed(world, tmp_path) as here:
        here.double.add(left_out(*(f"Commit {hour}" for hour in missing)))
        reading = here.read()
        assert (reading.state, reading.counts) == (ReadingState.CLOSED, {"commit": 9, "landed": 0})
        assert here.landings() == truth(world)


@pytest.mark.parametrize("size", [100, 6, 5])
def test_commits_with_wrong_dates(tmp_path: Path, size: int) -> None:
    """One commit that looks old does not end the history, also where it is the last of its page."""
    world = empty_world()
    for hour in range(17):
        landing.commit(upstream(world), f"Commit {hour}", at=START + timedelta(hours=hour))
    for place in (4, 11, 12):
        upstream(world).commits[place].committed_at = START - timedelta(days=9)
    with windowed(world, tmp_path) as here:
        here.double.add(faults.timed_out(where=larger_than(size), times=None))
        assert here.read().counts == {"commit": 14, "landed": 0}
        assert here.landings() == truth(world)


def test_a_null_in_the_history(tmp_path: Path) -> None:
    """Nothing else would tell of the newest commit: the window stays open."""
    world = empty_world()
    landing.commit(upstream(world), "Newest", at=START + timedelta(hours=1))
    with windowed(world, tmp_path) as here:
        here.double.add(left_out("Newest", null=True))
        reading, _ = here.attempt()
        assert reading is not None
        assert reading.why == "GitHub left a commit out of the history; it is asked again later"
        here.closes_truly()


# hidden numbers and clocks


def test_hidden_numbers(tmp_path: Path) -> None:
    """They leave the window open until a day after its end, named; shown again they are items like others."""
    world, day = day_world(now=MORNING)
    second = day.items[7]
    changes.hide(upstream(world), second)
    with windowed(world, tmp_path) as here:
        reading = here.read()
        first, last = sorted([second, *day.hidden])
        told = f"2 of its numbers can't be accounted for: GitHub denies #{first}, #{last}; they are asked again later"
        assert (reading.state, reading.why) == (ReadingState.OPEN, told)
        assert here.landings() == truth(world)
        asked = len(here.double.log)
        changes.hide(upstream(world), second, hidden=False)
        world.clock.set(END + timedelta(hours=23, minutes=59))
        assert here.read().state is ReadingState.OPEN
        assert here.asked(since=asked)[:1] == ["Fates"]  # nothing else has to be asked again
        assert here.landings() == truth(world)
        world.clock.set(END + timedelta(hours=24))
        reading = here.read()
        assert reading.state is ReadingState.CLOSED
        assert reading.proof is not None
        assert reading.proof.accounted["hidden"] == 1


@pytest.mark.parametrize(
    ("now", "ahead", "said"),
    [
        (END - timedelta(hours=1), timedelta(hours=3), "is not long enough over by GitHub's clock"),
        (END + timedelta(hours=1), timedelta(hours=-3), "is not over yet"),
        (END + timedelta(hours=6), timedelta(days=3), "can't be accounted for"),
        (END + timedelta(hours=25), timedelta(hours=-20), ""),
    ],
)
def test_clocks_that_disagree(tmp_path: Path, now: datetime, ahead: timedelta, said: str) -> None:
    """GitHub's clock says whether a window is over and whether a number is hidden for good; ours may be wrong."""
    world, _ = day_world(now=now)
    with windowed(world, tmp_path, ahead=ahead) as here:
        if "over" in said:
            with pytest.raises((LimitedError, InputError), match=said):
                here.read()
            assert here.readings.all() == []
            return
        reading = here.read()
        assert said in reading.why
        assert (reading.state is ReadingState.CLOSED) == (said == "")
        assert abs(reading.opened_at - now) < timedelta(minutes=1)
        here.closes_truly()


def test_a_clock_of_the_server_that_is_wrong(tmp_path: Path) -> None:
    """Where GitHub's own clock is a day ahead, a window that is over is read as ever."""
    world, _ = day_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.clock_ahead(86_400))
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)


# far windows, by search


def far_world(items: int = 40) -> World:
    """A day that lies so far back that it is searched for."""
    world, _ = day_world(items, now=SETTLED + timedelta(days=20))
    for minute in range(130):
        changes.create_issue(upstream(world), "Later", at=END + timedelta(days=15, minutes=minute))
        changes.create_pull(upstream(world), "Later", at=END + timedelta(days=15, minutes=minute))
    return world


@pytest.mark.parametrize("most", [900, 5])
def test_a_far_window_is_searched_for(tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is closed with the truth, in one piece or in many, and a second reading asks nothing."""
    monkeypatch.setattr(listing, "MOST_RESULTS", most)
    world = far_world()
    with windowed(world, tmp_path) as here:
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)
        searched = [each.variables["query"] for each in here.double.asked(operation="Search")]
        assert len(searched) == (2 if most == 900 else len(set(searched)))
        counted = len(here.double.asked(path="/search/issues"))
        assert counted == 2 if most == 900 else counted > 10
        assert here.readings.page(DAY, ADOPTED) is None  # search missed none, its last second included
        assert here.read().state is ReadingState.CLOSED


def test_a_short_list_is_not_searched(tmp_path: Path) -> None:
    """However long ago the window was: where everything since is on the first page, search could add nothing."""
    world = empty_world(SETTLED + timedelta(days=20))
    for hour in range(5):
        changes.create_pull(upstream(world), "A change", at=START + timedelta(hours=hour))
    changes.create_issue(upstream(world), "The only issue", at=SETTLED + timedelta(days=19))
    with windowed(world, tmp_path) as here:
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)
        assert here.double.asked(operation="Search") == []


def test_more_in_a_second_than_search_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second can't be cut: what search does not give of it, the numbers do."""
    monkeypatch.setattr(listing, "MOST_RESULTS", 5)
    world = far_world(12)
    for _ in range(20):
        changes.create_issue(upstream(world), "At once", at=START + timedelta(hours=3))
    upstream(world).touched()
    with windowed(world, tmp_path) as here:
        here.read()
        assert here.landings().keys() == truth(world).keys()


def test_incomplete_results(tmp_path: Path) -> None:
    """Where search did not look at everything the window stays open with that reason."""
    world = far_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.incomplete(nth=2))
        reading, error = here.attempt()
        assert reading is not None
        assert reading.why == error
        assert "incomplete_results" in error
        here.closes_truly()


@pytest.mark.parametrize("until", [START - timedelta(hours=1), START + timedelta(hours=13)])
def test_search_lags(tmp_path: Path, until: datetime) -> None:
    """What the index has not seen is found by its numbers, be it half of the day or all of it."""
    world = far_world()
    with windowed(world, tmp_path) as here:
        here.double.add(faults.search_lag(until))
        assert here.read().state is ReadingState.CLOSED
        assert here.landings() == truth(world)


def test_transferred_items_that_graphql_follows(tmp_path: Path) -> None:
    """GitHub may give what was transferred under its old number: it is not of this repository, or not that number."""
    world, day = day_world()
    world.follows_transfers = True
    elsewhere = world.repositories["pytorch/vision"]
    back = day.issues[4]
    moved = landing.transfer(upstream(world), back, elsewhere)
    landing.transfer(elsewhere, moved.number, upstream(world))
    upstream(world).threads[back].moved_to = (UPSTREAM, upstream(world).next_number - 1)
    with windowed(world, tmp_path) as here:
        reading = here.read()
        assert reading.proof is not None
        assert (reading.state, reading.proof.accounted["transferred"]) == (ReadingState.CLOSED, 2)
        assert here.landings() == truth(world)


def test_windows_of_other_lengths(tmp_path: Path) -> None:
    """An hour, a second and three days are read as a day is."""
    world, _ = day_world()
    spans = [(0, 3_600), (0, 1), (86_399, 86_400), (-86_400, 2 * 86_400), (40_000, 40_001)]
    with windowed(world, tmp_path) as here:
        for start, end in spans:
            window = Window(start=START + timedelta(seconds=start), end=START + timedelta(seconds=end))
            world.clock.set(SETTLED + timedelta(days=2))
            assert here.read(window).state is ReadingState.CLOSED
            assert here.landings(window) == truth(world, window)
