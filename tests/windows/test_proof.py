"""The count by numbers finds whatever a listing misses, asks little, and is never whole by mistake."""

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import Fate, FateKind, Item, Proof
from bot.windows.proof import adopted, listing, prove, questions
from bot.windows.sequence import BEYOND, GUARD, RUN, STRIDE
from tests.windows.world import BUSY, DAY, ITEMS, Count, World, at, issue, listings, pull, span, worlds

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=100)
ANY = worlds() | worlds("iiidxhtT") | worlds("idT") | worlds("ip")


@LAW
@given(st.data())
def test_nothing_is_missed(data: st.DataObject) -> None:
    """Whatever the listing misses or has too much, the questions end, all items are there, and the proof is whole."""
    world = data.draw(ANY)
    count = Count(world, data.draw(listings(world)), world.newest).run()
    assert count.complete
    assert count.proof().whole


@LAW
@given(st.data())
def test_never_whole_too_early(data: st.DataObject) -> None:
    """At no moment of the count, with no newest number or silent lookups, is a proof whole while an item is missing."""
    world = data.draw(ANY)
    silent = data.draw(st.frozensets(st.integers(1, world.newest + 3), max_size=3))
    newest = data.draw(st.sampled_from((None, world.newest)))
    near = data.draw(st.none() | st.integers(1, world.newest + 3))
    count = Count(world, data.draw(listings(world)), newest, near, silent)
    assert count.complete or not count.proof().whole
    for _ in count.rounds():
        assert count.complete or not count.proof().whole


@LAW
@given(st.data())
def test_whole_unless_unknown(data: st.DataObject) -> None:
    """A proof is whole if every question was answered, and is not if one within the window's own span was not."""
    world = data.draw(ANY)
    listed = data.draw(listings(world))
    silent = data.draw(st.frozensets(st.integers(1, world.newest + 1), max_size=3))
    count = Count(world, listed, world.newest, silent=silent).run()
    proof = count.proof()
    own = sorted(world.items(native=True))
    if not silent & count.fates.keys():
        assert proof.whole
    elif own and (silent - listed.keys()) & set(range(own[0], own[-1] + 1)):
        assert not proof.whole
        assert proof.accounted["open"] >= len(proof.unaccounted) > 0


@LAW
@given(st.data())
def test_questions_are_few(data: st.DataObject) -> None:
    """Beyond its own span a window costs a few questions, and those about numbers that say nothing of the time."""
    world = data.draw(ANY)
    count = Count(world, data.draw(listings(world)), world.newest).run()
    own = world.items(native=True)
    inside = range(min(own, default=0), max(own, default=-1) + 1)
    mute = [n for n, fate in world.numbers.items() if fate.kind not in ITEMS or n in world.came]
    run = 0 if any(fate.kind is FateKind.PULL for fate in world.numbers.values()) else RUN
    few = 3 * STRIDE + 2 * GUARD + log2(world.newest + 1) + run
    assert len(count.fates.keys() - set(inside)) <= len(mute) + few


@LAW
@given(st.data())
def test_every_number_counts_once(data: st.DataObject) -> None:
    """The counts of a whole proof add up to the numbers between its brackets, and its items to those of the window."""
    world = data.draw(ANY)
    count = Count(world, data.draw(listings(world)), world.newest).run()
    proof = count.proof()
    known = {**count.fates, **count.listed}
    highest = max([world.newest, *(n for n, fate in known.items() if fate.kind in ITEMS)])
    assert proof.before is not None
    size = (highest + 1 if proof.after is None else proof.after) - proof.before - 1
    assert sum(proof.accounted.values()) - proof.accounted.get("arrived", 0) == size
    items = sum(proof.accounted.get(word, 0) for word in ("issue", "pull", "arrived"))
    assert items == len(world.items(native=False).keys() & known.keys())
    if proof.first is not None and proof.last is not None:
        assert proof.before < proof.first <= proof.last < (proof.after or highest + 1)


@LAW
@given(st.data())
def test_hidden_counts_once_settled(data: st.DataObject) -> None:
    """As long as a window isn't settled, a number that GitHub hides between the brackets keeps it open."""
    world = data.draw(worlds("ipphhx"))
    count = Count(world, data.draw(listings(world)), world.newest).run()
    settled, fresh = count.proof(), count.proof(settled=False)
    assert settled.whole
    assert fresh.whole or fresh.accounted["open"] >= settled.accounted.get("hidden", 0)
    assert not (fresh.whole and settled.accounted.get("hidden"))


TODAY = BUSY.items(native=True)


def test_a_perfect_listing_costs_a_guard() -> None:
    """Where nothing is missing, three numbers on each side are asked, in one round."""
    count = Count(BUSY, TODAY, BUSY.newest)
    assert list(count.rounds()) == [1]
    assert len(TODAY) == 200
    assert len(count.fates) == 2 * GUARD
    assert count.proof() == Proof(
        first=10_000, last=10_199, accounted={"issue": 100, "pull": 100}, before=9_999, after=10_200
    )


@pytest.mark.parametrize("kept", [range(10_000, 10_100), range(10_100, 10_200), range(10_050, 10_150), range(0)])
def test_a_lost_page_comes_back(kept: range) -> None:
    """A listing that lost its beginning, its end or all of it is completed in a few rounds, at a few numbers more."""
    count = Count(BUSY, {n: fate for n, fate in TODAY.items() if n in kept}, BUSY.newest)
    rounds = list(count.rounds())
    assert count.complete
    assert count.proof().whole
    assert len(count.fates) <= 200 - len(kept) + 2 * STRIDE + 2 * GUARD + log2(BUSY.newest)
    assert len(rounds) <= 20


def test_late_arrivals_do_not_stretch_the_window() -> None:
    """Issues of the day that were transferred in months later are items of it, and cost no walk to where they stand."""
    late = {n: issue(50 * DAY + n) for n in (12_000, 17_000, 19_999)}
    world = World({**BUSY.numbers, **late}, frozenset(late), BUSY.window)
    count = Count(world, {**TODAY, **late}, world.newest).run()
    proof = count.proof()
    assert proof.whole
    assert (proof.first, proof.last, proof.accounted["arrived"]) == (10_000, 10_199, 3)
    assert len(count.fates) <= STRIDE + 4 * GUARD + 2 * log2(world.newest)


def test_a_batch_of_old_issues_is_no_bracket() -> None:
    """Twenty issues transferred in just before a missed item of the morning do not end the walk above it."""
    batch = {n: issue(n) for n in range(10_001, 10_021)}
    world = World({**BUSY.numbers, **batch}, frozenset(batch), BUSY.window)
    listed = {n: fate for n, fate in TODAY.items() if n > 10_020}
    count = Count(world, listed, world.newest).run()
    assert count.found == (10_000,)
    assert count.proof().accounted["elsewhere"] == 20
    assert count.proof().first == 10_000


def test_a_burst_is_no_bracket() -> None:
    """Five numbers within the second beside the window do not end the walk above or below one given out of order."""
    early = {n: pull(50 * DAY - 1) for n in range(9_995, 10_000)} | {9_994: issue(50 * DAY + 1)}
    late = {n: pull(51 * DAY + 1) for n in range(10_200, 10_205)} | {10_205: issue(51 * DAY - 1)}
    world = World({**BUSY.numbers, **early, **late}, frozenset(), BUSY.window)
    count = Count(world, TODAY, world.newest).run()
    assert count.found == (9_994, 10_205)
    assert count.proof().whole


def test_a_discussion_is_no_bracket() -> None:
    """A discussion that carries the date of its conversion does not end the walk below a missed item."""
    world = World(
        {**BUSY.numbers, 10_198: Fate(kind=FateKind.DISCUSSION, created_at=at(90 * DAY))}, frozenset(), BUSY.window
    )
    count = Count(world, {n: fate for n, fate in TODAY.items() if n < 10_198}, world.newest).run()
    assert count.found == (10_199,)


def test_an_empty_window_is_proven() -> None:
    """That nothing was created is shown by two neighbours, found by halving, or at once from a number nearby."""
    world = World(BUSY.numbers, frozenset(), span(50 * DAY + 1, 50 * DAY + 400))
    alone, helped = Count(world, {}, world.newest).run(), Count(world, {}, world.newest, near=9_990).run()
    for count in (alone, helped):
        assert count.proof() == Proof(before=10_000, after=10_001)
        assert count.proof().whole
        assert len(count.fates) <= STRIDE + 2 * GUARD + log2(world.newest) + 1
    for near in (9_990, 10_015):
        assert (
            len(list(Count(world, {}, world.newest, near).rounds()))
            <= 4
            < len(list(Count(world, {}, world.newest).rounds()))
        )
    told = {n: BUSY.numbers[n] for n in range(9_990, 10_010)}
    assert questions(world.window, {}, told, world.newest) == ()


def test_without_the_newest_number() -> None:
    """Without the newest number a window in the middle is proven, at the end it is not, and neither asks for ever."""
    assert Count(BUSY, TODAY, None).run().proof().whole
    last = World(BUSY.numbers, frozenset(), span(99 * DAY, 101 * DAY))
    count = Count(last, last.items(native=True), None).run()
    assert len(count.fates) <= BEYOND + GUARD
    assert (count.proof().after, count.proof().at_newest, count.proof().whole) == (None, False, False)
    edge = World(BUSY.numbers, frozenset(), span(99 * DAY, 100 * DAY))
    assert edge.numbers[edge.newest].created_at == edge.window.end
    assert not Count(edge, edge.items(native=True), None).run().proof().whole
    assert questions(BUSY.window, {}, {}, None) == ()
    assert questions(BUSY.window, {}, {}, None, near=10_300) == (10_300,)
    assert not prove(BUSY.window, {}, {}, None, settled=True).whole


def test_the_ends_of_the_sequence() -> None:
    """The first number is bracketed by 0, the newest by itself, and a repository without any number is whole."""
    everything = World(BUSY.numbers, frozenset(), span(0, 101 * DAY))
    proof = Count(everything, everything.items(native=True), everything.newest).run().proof()
    assert (proof.before, proof.first, proof.last, proof.after) == (0, 1, 20_000, None)
    assert proof.at_newest
    assert proof.whole
    assert prove(BUSY.window, {}, {}, 0, settled=True).whole


def test_dates_that_contradict_prove_nothing() -> None:
    """A pull request from before the window above one from after it can't be, and leaves the window unproven."""
    wrong = World({**BUSY.numbers, 10_300: pull(10)}, frozenset(), BUSY.window)
    count = Count(wrong, {**TODAY, 10_300: pull(10)}, wrong.newest).run()
    assert not count.proof().whole


def test_what_was_listed_is_an_item() -> None:
    """An issue that was listed and deleted before it was looked up is an item of the window."""
    gone = {10_100: Fate(kind=FateKind.DELETED)}
    assert prove(BUSY.window, TODAY, gone, BUSY.newest, settled=True).accounted["issue"] == 100


def test_an_item_without_a_date_stays_open() -> None:
    """An issue whose date nobody gives may belong to the window: its number stays open."""
    world = World({**BUSY.numbers, 10_100: Fate(kind=FateKind.ISSUE)}, frozenset(), BUSY.window)
    count = Count(world, {n: fate for n, fate in TODAY.items() if n != 10_100}, world.newest).run()
    assert count.proof().unaccounted == (10_100,)
    assert adopted(world.window, count.listed, count.fates) == ()


def test_a_long_way_to_go_names_twenty() -> None:
    """A proof asked for at the start counts all numbers that are open, and names the first 20."""
    proof = prove(BUSY.window, {10_000: TODAY[10_000], 10_199: TODAY[10_199]}, {}, BUSY.newest, settled=True)
    assert proof.accounted == {"issue": 1, "pull": 1, "open": 198 + 2 * STRIDE}
    assert len(proof.unaccounted) == 20
    assert list(proof.unaccounted) == sorted(proof.unaccounted)


def test_a_listing_is_made_of_issues_and_pulls() -> None:
    """Commits have no number in the sequence."""
    items = [
        Item(repo="o/r", number=7, kind="issue", title="a", created_at=at(5)),
        Item(repo="o/r", number=8, kind="pull", title="b", created_at=at(6)),
        Item(repo="o/r", number="abcdef0", kind="commit", title="c", created_at=at(7)),
    ]
    assert listing(items) == {7: issue(5), 8: pull(6)}
