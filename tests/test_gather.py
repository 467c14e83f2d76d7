"""Gathering: details are asked for where they matter, once, and an archive of what was gathered replays exactly."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.edges.archive import Archive, write_archive
from bot.edges.store import SqlStore
from bot.model import ChangedFile, Comment, FrozenHeads, Item, ItemKind, Link, Reading, ReadingState
from bot.pipeline import Line, gather, scan
from bot.seams import EdgeError, InputError
from bot.stages.report import files_of, report_facts
from tests.fakes import Listed, OnDemand, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

SEED, FIX = "pytorch/pytorch#204496", "pytorch/pytorch#204495"
OPENED = datetime(2026, 11, 12, 6, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty database."""
    opened = open_store(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def line(store: SqlStore, tmp_path: Path) -> Line:
    """The line over it."""
    return recorded_line(store, tmp_path)


def whole() -> dict[str, Item]:
    """The sample's items by key."""
    return {item.key: item for item in sample().items()}


def on_demand(**more: object) -> OnDemand:
    """The sample as GitHub would tell it: the seed's fix was opened before the window."""
    return OnDemand(whole().values(), sample().heads(), outside={FIX}, **more)


def test_only_what_matters_is_asked_for(store: SqlStore, line: Line) -> None:
    """Details are those of chains that hold a candidate; the others stay as they were listed."""
    source = on_demand()
    gathered = gather(source, WINDOW, line, Silent())
    asked = {key for batch in source.asked for key in batch}
    candidates = {key for key, ruling in gathered.rulings.items() if ruling.candidate}
    assert candidates <= asked < whole().keys()
    for item in store.items(WINDOW):
        known = whole()[item.key]
        assert item == (known if item.key in asked else OnDemand._bare(known))


def test_what_belongs_to_a_candidate_is_brought_in(store: SqlStore, line: Line) -> None:
    """The fix lies outside the window: the seed's links bring it, and in a second round its own details."""
    source = on_demand()
    gathered = gather(source, WINDOW, line, Silent())
    assert [batch for batch in source.asked if FIX in batch] == [(FIX,)]
    assert (SEED, FIX) in [tuple(one.key for one in group) for group in gathered.groups]
    assert dict(zip(gathered.keys, store.items(WINDOW, gathered.keys), strict=True))[FIX] == whole()[FIX]
    assert gathered.heads == sample().heads()


def test_nothing_is_asked_twice(line: Line) -> None:
    """A second gathering asks for no details, and knows the same; also what lies outside stays."""
    first = gather(on_demand(), WINDOW, line, Silent())
    source = on_demand()
    assert gather(source, WINDOW, line, Silent()) == first
    assert source.asked == []


class Remembering(OnDemand):
    """A Source whose window is closed: what it lists is what the store holds by now."""

    def __init__(self, store: SqlStore) -> None:
        super().__init__(())
        self._store = store

    def items(self) -> Iterator[Item]:
        """All of it, with details, and what came from outside."""
        return self._store.items(WINDOW)


def test_a_closed_window_is_taken_from_the_store(store: SqlStore, line: Line) -> None:
    """A listing that comes from the store itself changes nothing there, and no details are asked for."""
    first = gather(on_demand(), WINDOW, line, Silent())
    before, source = list(store.items(WINDOW)), Remembering(store)
    again = gather(source, WINDOW, line, Silent())
    assert (again.groups, again.rulings, source.asked) == (first.groups, first.rulings, [])
    assert list(store.items(WINDOW)) == before


def test_what_has_changed_is_asked_again(store: SqlStore, line: Line) -> None:
    """An item that its listing tells otherwise has its details read anew, it alone."""
    gather(on_demand(), WINDOW, line, Silent())
    seed = whole()[SEED].model_copy(update={"title": whole()[SEED].title + "!", "comments": (Comment(body="new"),)})
    source = OnDemand({**whole(), SEED: seed}.values(), outside={FIX})
    gather(source, WINDOW, line, Silent())
    assert source.asked == [(SEED,)]
    assert list(store.items(WINDOW, [SEED])) == [seed]


def test_an_archive_of_it_replays_exactly(store: SqlStore, line: Line, tmp_path: Path) -> None:
    """A scan of what was gathered and written out gives the very files of the scan that gathered it."""
    reading = Reading(window=WINDOW, heads=sample().heads(), opened_at=OPENED, why="not proven")
    first = scan(on_demand(counted=reading), WINDOW, line, Silent())
    path = tmp_path / "collected.jsonl.zst"
    write_archive(path, store.items(WINDOW), reading, WINDOW, sample().heads())
    (tmp_path / "other").mkdir()
    other = open_store(tmp_path / "other")
    again = scan(Archive(path), WINDOW, replace(line, store=other), Silent())
    other.close()
    texts = [files_of(report_facts(done), done.cases, line.templates) for done in (first, again)]
    assert texts[0] == texts[1]
    assert report_facts(again)["counts"]["outcomes"] == {"dropped": 12, "finding": 1, "merged": 1, "watched": 4}
    assert report_facts(again)["reading"] == {"state": "open", "why": "not proven", "counts": {}, "proof": None}


def test_an_open_window_is_held(store: SqlStore, line: Line) -> None:
    """A window that isn't whole makes its scan held, whatever its cases are; one that is closed doesn't."""
    opened = Reading(window=WINDOW, heads=FrozenHeads(), opened_at=OPENED, why="3 numbers are missing")
    closed = Reading.model_validate(
        {**opened.model_dump(), "state": ReadingState.CLOSED, "why": "", "closed_at": OPENED}
    )
    assert scan(OnDemand([], counted=opened), WINDOW, line, Silent()).held
    assert store.windows()[0].state == "running", "whoever writes the files says when it is finished"
    assert not scan(OnDemand([], counted=closed), WINDOW, line, Silent()).held


class Breaking(OnDemand):
    """A Source that fails in the middle of what it says."""

    def items(self) -> Iterator[Item]:
        """Two items, then an error."""
        yield from list(super().items())[:2]
        raise EdgeError("the line is dead")


def test_a_listing_that_breaks_changes_nothing(store: SqlStore, line: Line) -> None:
    """An error in the middle of a listing leaves the items that the window had, and no scan that runs."""
    gather(on_demand(), WINDOW, line, Silent())
    before = list(store.items(WINDOW))
    with pytest.raises(EdgeError, match="the line is dead"):
        scan(Breaking([whole()[FIX], whole()[SEED]]), WINDOW, line, Silent())
    assert list(store.items(WINDOW)) == before
    assert store.windows() == []


class Refusing(OnDemand):
    """A Source that gives details once and then no more."""

    def details(self, kept: list[Item]) -> Iterator[Item]:
        """Of one batch."""
        if self.asked:
            raise EdgeError("not now")
        return super().details(kept)


def test_what_was_read_in_detail_stays_read(line: Line) -> None:
    """When details fail half way, the next gathering asks only for the rest."""
    every = {f"pytorch/pytorch#{number}": seed(number) for number in range(1, 71)}
    refusing = Refusing(every.values())
    with pytest.raises(EdgeError, match="not now"):
        gather(refusing, WINDOW, line, Silent())
    source = OnDemand(every.values())
    gather(source, WINDOW, line, Silent())
    assert [len(batch) for batch in (*refusing.asked, *source.asked)] == [50, 20]
    assert len({key for batch in (*refusing.asked, *source.asked) for key in batch}) == 70


def seed(number: int, **changes: object) -> Item:
    """The sample's fault under another number, in a thread of its own."""
    return whole()[SEED].model_copy(update={"number": number, "links": (), **changes})


def test_details_that_speak_against_a_candidate(line: Line) -> None:
    """Rulings are those of the whole items: a candidate that turns out to change only documentation is none."""
    files = (ChangedFile(path="docs/source/notes/numerical_accuracy.rst"),)
    pull = seed(7, kind=ItemKind.PULL, files=files)
    gathered = gather(OnDemand([pull]), WINDOW, line, Silent())
    assert not gathered.rulings[pull.key].candidate
    assert gather(Listed([pull]), WINDOW, line, Silent()) == gathered


def test_strays_are_forgotten(store: SqlStore, line: Line) -> None:
    """What came from outside and belongs to no chain of the window isn't kept, and later isn't asked for."""
    link = Link(kind="series", repo="pytorch/pytorch", number=8)
    source = OnDemand([seed(7, links=(link,)), seed(8)], outside={"pytorch/pytorch#8"})
    gathered = gather(source, WINDOW, line, Silent())
    assert gathered.keys == ["pytorch/pytorch#7"] == [item.key for item in store.items(WINDOW)]
    assert source.asked == [("pytorch/pytorch#7",)]


def test_nothing_runs_and_no_case_begins_without_an_executor(store: SqlStore, line: Line, tmp_path: Path) -> None:
    """Where no job could be run, the items that were read stay, and no case is begun or retired."""

    class Unready:
        def ready(self) -> None:
            raise InputError("no sandbox")

    kept = scan(Listed([whole()["pytorch/pytorch#204412"]]), WINDOW, line, Silent())
    with pytest.raises(InputError, match="no sandbox"):
        scan(on_demand(), WINDOW, replace(line, executor=Unready()), Silent())
    assert len(list(store.items(WINDOW))) == len(whole())
    assert [case.leader.number for case in store.cases(WINDOW, "cpu")] == [204412]
    assert kept.counts["cases"] == 1
