"""One contract for every Store: the database, and the fake that the dashboard's tests use."""

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config as AlembicConfig
from alembic.migration import MigrationContext
from sqlalchemy import Engine, event
from sqlmodel import SQLModel, create_engine

from bot.edges.store import SqlStore
from bot.model import Case, Finding, FrozenHeads, Item, ItemClass, ItemKind, Link, Outcome, OutcomeKind, Ruling, Window
from bot.pipeline import scan
from bot.resources import resource
from bot.seams import EdgeError, Store, StoreError
from bot.stages.report import report_facts
from tests.dashboard.fake_store import FakeStore
from tests.dashboard.sample import DAY_BEFORE, found_case
from tests.fakes import Failing, Listed, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)


@pytest.fixture(params=["database", "fake"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Each implementation in turn."""
    if request.param == "fake":
        yield FakeStore()
        return
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def a_case(number: int, outcome: Outcome | None = None) -> Case:
    """A case of one item."""
    ruling = Ruling(
        number=number, kind=ItemKind.ISSUE, candidate=False, item_class=ItemClass.OTHER, defect_kind="none", score=0
    )
    item = Item(repo="pytorch/pytorch", number=number, kind=ItemKind.ISSUE, title=f"item {number}")
    return Case(window=WINDOW, heads=FrozenHeads(), device="cpu", items=(item,), ruling=ruling, outcome=outcome)


def test_a_case_comes_back_as_it_was_saved(store: Store) -> None:
    """What is loaded equals what was saved, and saving again replaces it."""
    case = a_case(7)
    assert store.load_case(case.key) is None
    store.save_items(WINDOW, case.items)
    store.save_case(case, NOW)
    assert store.load_case(case.key) == case
    ended = case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="no kernel")})
    store.save_case(ended, NOW)
    assert store.load_case(case.key) == ended
    assert store.cases(WINDOW, "cpu") == [ended]


def test_cases_are_apart_by_window_and_device(store: Store) -> None:
    """A window's cases for one device are not those of another window or device; they come ordered by number."""
    store.save_items(WINDOW, ())
    for number in (10, 9, 100):
        store.save_case(a_case(number), NOW)
    assert [case.leader.number for case in store.cases(WINDOW, "cpu")] == [9, 10, 100]
    assert store.cases(WINDOW, "xpu") == []
    assert store.cases(Window.parse("2026-11-10"), "cpu") == []


def test_a_window_is_counted(store: Store) -> None:
    """A scan's summary counts items and outcomes, and says whether it is over."""
    cases = [a_case(1, Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="no kernel")), a_case(2)]
    heads = FrozenHeads(upstream="1" * 40)
    store.save_items(WINDOW, [case.leader for case in cases])
    store.save_items(WINDOW, [case.leader for case in cases])
    store.begin_scan(WINDOW, "cpu", heads)
    for case in cases:
        store.save_case(case, NOW)
    (summary,) = store.windows()
    assert (summary.items, summary.cases, summary.outcomes) == (2, 2, {OutcomeKind.DROPPED: 1})
    assert summary.heads == heads
    running = summary.state
    store.finish_scan(WINDOW, "cpu", "done")
    assert (running, store.windows()[0].state) == ("running", "done")


def found(case: Case) -> str:
    """The fingerprint of a case's finding."""
    assert isinstance(case.finding, Finding)
    return case.finding.fingerprint


def test_findings_are_once_for_ever(store: Store) -> None:
    """The same finding of another window adds no second one: the first case keeps it, whichever window is newer."""
    first, later = found_case(), found_case(window=DAY_BEFORE)
    for case in (first, later):
        store.save_case(case, NOW)
    assert [case for _, _, case in store.findings()] == [first]
    assert store.owner_of(found(first)) == first.key
    assert store.owner_of("0" * 16) is None
    assert store.load_case(later.key) == later


def test_a_finding_outlives_its_case(store: Store) -> None:
    """Begun anew, ended otherwise or retired: the finding stays as it was; only then another case may hold it."""
    case, other = found_case(), found_case(window=DAY_BEFORE)
    store.save_case(case, NOW)
    store.start_case(case.model_copy(update={"finding": None, "draft": None, "outcome": None}), NOW)
    assert [one for _, _, one in store.findings()] == [case]
    assert store.owner_of(found(case)) == case.key
    store.retire(case.window, case.device, [], NOW)
    assert store.load_case(case.key) is None
    assert [one for _, _, one in store.findings()] == [case]
    assert store.owner_of(found(case)) is None
    store.save_case(other, NOW)
    assert [one for _, _, one in store.findings()] == [other]
    assert store.owner_of(found(case)) == other.key


def test_retired_cases_are_not_counted(store: Store) -> None:
    """Of a window and device only the cases that are present stay; other windows and devices keep theirs."""
    cases = [a_case(number) for number in (1, 2, 3)]
    elsewhere = [cases[1].model_copy(update=change) for change in ({"device": "xpu"}, {"window": DAY_BEFORE})]
    store.save_items(WINDOW, [case.leader for case in cases])
    store.save_items(WINDOW, [cases[0].leader])
    store.begin_scan(WINDOW, "cpu", FrozenHeads())
    for case in (*cases, *elsewhere):
        store.start_case(case, NOW)
    store.retire(WINDOW, "cpu", {cases[0].leader.key}, NOW)
    assert store.cases(WINDOW, "cpu") == [cases[0]]
    assert [store.load_case(case.key) for case in elsewhere] == elsewhere
    (summary,) = store.windows()
    assert (summary.items, summary.cases) == (1, 1)


def test_attempts_are_kept(tmp_path: Path) -> None:
    """Every case that is replaced or retired is kept whole, in order; saving a case's progress keeps nothing."""
    store, case = open_store(tmp_path), a_case(1)
    ended = case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="no kernel")})
    store.start_case(case, NOW)
    store.save_case(ended, NOW)
    assert store.attempts(case.key) == []
    store.start_case(case, NOW)
    store.retire(WINDOW, "cpu", (), NOW)
    store.start_case(ended, NOW)
    assert store.attempts(case.key) == [ended, case]
    store.close()


def test_documents_are_whole(tmp_path: Path) -> None:
    """A stored case says every field, so that a later default can't change what it meant."""
    open_store(tmp_path).close()
    store, case = open_store(tmp_path), a_case(1)
    store.save_items(WINDOW, case.items)
    store.save_case(case, NOW)
    store.close()
    with sqlite3.connect(tmp_path / "alignbot.db") as database:
        (document,) = database.execute('SELECT document FROM "case"').fetchone()
        (item,) = database.execute("SELECT document FROM item").fetchone()
    database.close()
    assert json.loads(document).keys() == Case.model_fields.keys()
    assert json.loads(item).keys() == Item.model_fields.keys()


@pytest.mark.parametrize("document", ["{", "{}", '{"window": 1}'])
def test_a_document_that_cannot_be_read(document: str, tmp_path: Path) -> None:
    """A damaged row is a StoreError of one line that names its key."""
    store, case = open_store(tmp_path), found_case()
    store.save_case(case, NOW)
    with sqlite3.connect(tmp_path / "alignbot.db") as database:
        for name in ('"case"', "finding"):
            database.execute(f"UPDATE {name} SET document = ?", (document,))  # noqa: S608
    database.close()
    reads: list[tuple[str, Callable[[], object]]] = [
        (case.key, lambda: store.load_case(case.key)),
        (case.key, lambda: store.cases(case.window, case.device)),
        (found(case), store.findings),
    ]
    for key, read in reads:
        with pytest.raises(StoreError) as caught:
            read()
        assert key in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
    store.close()


def test_migrations_make_the_tables_that_the_code_has(tmp_path: Path) -> None:
    """After all migrations Alembic finds nothing to change."""
    open_store(tmp_path).close()
    engine = create_engine(f"sqlite:///{tmp_path / 'alignbot.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


class Fatal:
    """Kills its process at the Nth statement or commit of any engine: before it, or after it."""

    def __init__(self, fatal: int) -> None:
        self._fatal, self.passed = fatal, 0
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, name, self._step)

    def _step(self, *_: object) -> None:
        self.passed += 1
        if self.passed == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)


def opened_in_child(folder: Path, fatal: int) -> int:
    """Open a database in a fork that dies at one point: the signal, or minus the number of points that there are."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        fuse = Fatal(fatal)
        open_store(folder).close()
        os.write(writer, str(fuse.passed).encode())
        os._exit(0)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader) as passed:
        return os.WTERMSIG(status) if os.WIFSIGNALED(status) else -int(passed.read())


def test_a_kill_during_the_upgrade_does_no_harm(tmp_path: Path) -> None:
    """Killed before or after any statement of the first upgrade, the next opening finds or makes the whole schema."""
    (tmp_path / "whole").mkdir()
    points = -opened_in_child(tmp_path / "whole", 0)
    assert points > 20
    for fatal in range(1, points + 1):
        folder = tmp_path / str(fatal)
        folder.mkdir()
        assert opened_in_child(folder, fatal) == signal.SIGKILL
        store = open_store(folder)
        store.save_case(found_case(), NOW)
        assert len(store.findings()) == 1
        store.close()


def first_revision(folder: Path, document: str) -> None:
    """A database as the first alignbot left it, with an item."""
    folder.mkdir()
    engine = create_engine(f"sqlite:///{folder / 'alignbot.db'}")
    config = AlembicConfig()
    config.set_main_option("script_location", str(resource("migrations")))
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.commit()
    engine.dispose()
    with sqlite3.connect(folder / "alignbot.db") as database:
        row = (str(WINDOW), seed().key, "issue", document)
        database.execute("INSERT INTO item (window, key, kind, document) VALUES (?, ?, ?, ?)", row)
    database.close()


def test_a_database_of_the_first_revision(tmp_path: Path) -> None:
    """Killed at any point or not, its upgrade keeps its items; told again, they have no details and stay."""
    first_revision(tmp_path / "whole", seed().model_dump_json())
    points = -opened_in_child(tmp_path / "whole", 0)
    assert points > 15
    for fatal in range(points + 1):
        folder = tmp_path / str(fatal)
        first_revision(folder, seed().model_dump_json())
        opened_in_child(folder, fatal)
        store = open_store(folder)
        assert list(store.items(WINDOW)) == [seed()]
        store.save_items(WINDOW, [seed()])
        assert store.undetailed(WINDOW, [seed().key]) == [seed().key]
        store.close()


def test_processes_that_open_a_fresh_database_at_once(tmp_path: Path) -> None:
    """Of four processes one makes the schema, and all can work."""
    for turn in range(5):
        folder = tmp_path / str(turn)
        folder.mkdir()
        go, start = os.pipe()
        children = []
        for _ in range(4):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    os.close(start)
                    os.read(go, 1)
                    store = open_store(folder)
                    store.save_case(a_case(1), NOW)
                    store.close()
                    code = 0
                finally:
                    os._exit(code)
            children.append(child)
        os.close(start)
        os.close(go)
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4


def test_reading_needs_no_write_lock(tmp_path: Path) -> None:
    """A current database is opened and read while another process writes to it."""
    open_store(tmp_path).close()
    writer = sqlite3.connect(tmp_path / "alignbot.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    store = open_store(tmp_path)
    assert store.findings() == []
    assert time.monotonic() - began < 10
    store.close()
    writer.close()


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    """A database of a later alignbot is refused in one line and not changed."""
    open_store(tmp_path).close()
    path = tmp_path / "alignbot.db"
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"^the database is of another alignbot"):
        SqlStore(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_no_database_at_all(tmp_path: Path) -> None:
    """A file that is no database is a StoreError of one line."""
    (tmp_path / "alignbot.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path)
    assert len(str(caught.value).splitlines()) == 1


def seed(number: int = 204496) -> Item:
    """The sample's fault, under a number of its own."""
    item = next(item for item in sample().items() if item.number == 204496)
    return item.model_copy(update={"number": number, "links": ()})


def test_changed_items_start_their_case_anew(tmp_path: Path) -> None:
    """When upstream edits an item, its case is followed again, the old one is kept, and the others rest."""
    store, told = open_store(tmp_path), Silent()
    line = recorded_line(store, tmp_path)
    scan(sample(), WINDOW, line, Silent())
    before = {case.leader.number: case for case in store.cases(WINDOW, "cpu")}[204467]
    edited = [
        item.model_copy(update={"body": item.body + "\nMore."}) if item.number == 204467 else item
        for item in sample().items()
    ]
    scan(Listed(edited), WINDOW, line, told)
    assert {key for key, _ in told.stages} == {"pytorch/pytorch#204467"}
    assert store.attempts(before.key) == [before]
    store.close()


def test_a_finding_stays_listed_while_its_case_is_held(tmp_path: Path) -> None:
    """An edited item is followed anew; while the device is away, its finding stays listed as it was."""
    store = open_store(tmp_path)
    line = recorded_line(store, tmp_path)
    scan(Listed([seed()]), WINDOW, line, Silent())
    listed = store.findings()
    edited = seed().model_copy(update={"body": seed().body + "\nMore."})
    away = replace(line, executor=Failing(tmp_path / "jobs.txt", EdgeError("the device is away")))
    assert scan(Listed([edited]), WINDOW, away, Silent()).held
    assert store.findings() == listed
    assert [case.outcome for case in store.attempts(listed[0][2].key)] == [listed[0][2].outcome]
    store.close()


def test_a_chain_that_forms_anew_leaves_no_ghost(tmp_path: Path) -> None:
    """An issue that takes a pull request's chain over: one case, one finding, counts that agree with the ledger."""
    store = open_store(tmp_path)
    line = recorded_line(store, tmp_path)
    pull = seed(204500).model_copy(update={"kind": ItemKind.PULL})
    scan(Listed([pull]), WINDOW, line, Silent())
    (old,) = store.cases(WINDOW, "cpu")
    link = Link(kind="fixes", repo="pytorch/pytorch", number=204496)
    joined = [seed(), pull.model_copy(update={"links": (link,)})]
    done = scan(Listed(joined), WINDOW, line, Silent())
    facts = report_facts(done)
    assert [case.leader.number for case in store.cases(WINDOW, "cpu")] == [204496]
    assert (len(facts["findings"]), facts["counts"]["outcomes"]) == (1, {"finding": 1, "merged": 1})
    assert [case.leader.number for _, _, case in store.findings()] == [204496]
    (summary,) = store.windows()
    assert (summary.items, summary.cases, summary.outcomes) == (2, 1, {OutcomeKind.FINDING: 1})
    assert store.attempts(old.key) == [old]
    store.close()


def test_one_defect_gets_one_draft(tmp_path: Path) -> None:
    """A second case with the same fingerprint, in this window or a later one, is merged into the first by name."""
    store = open_store(tmp_path)
    line = recorded_line(store, tmp_path)
    done = scan(Listed([seed(), seed(204600)]), WINDOW, line, Silent())
    later = scan(Listed([seed(204700)]), Window.parse("2026-11-12"), line, Silent())
    facts = report_facts(done)
    assert len(facts["findings"]) == len(store.findings()) == 1
    for case in (done.cases[1], later.cases[0]):
        assert case.outcome is not None
        assert (case.outcome.kind, case.draft) == (OutcomeKind.MERGED, None)
        assert "the same defect as pytorch/pytorch#204496 of window 2026-11-11" in case.outcome.reason
    told = Silent()
    again = scan(Listed([seed(), seed(204600)]), WINDOW, line, told)
    assert (again.cases, told.stages) == (done.cases, [])
    scan(Listed([seed(204600)]), WINDOW, line, told)
    assert [case.leader.number for _, _, case in store.findings()] == [204600]
    assert [stage for _, stage in told.stages] == ["dedupe", "render"]
    store.close()


def test_repositories_are_kept_apart(tmp_path: Path) -> None:
    """Items of two repositories with the same number, in chains across them, have rulings and cases of their own."""
    store = open_store(tmp_path)
    other = Item(repo="pytorch/vision", number=204496, kind=ItemKind.ISSUE, title="[docs] a typo")
    pull = Item(repo="pytorch/pytorch", number=7, kind=ItemKind.PULL, title="x", body="Fixes pytorch/vision#204496")
    done = scan(Listed([seed(), other, pull]), WINDOW, recorded_line(store, tmp_path), Silent())
    facts = report_facts(done)
    assert [[item.key for item in case.items] for case in store.cases(WINDOW, "cpu")] == [
        ["pytorch/pytorch#204496"],
        ["pytorch/vision#204496", "pytorch/pytorch#7"],
    ]
    told = {(entry["repo"], entry["number"]): entry for entry in facts["items"]}
    assert told["pytorch/pytorch", 204496]["candidate"]
    assert not told["pytorch/vision", 204496]["candidate"]
    assert "with pytorch/vision#204496" in told["pytorch/pytorch", 7]["reason"]
    store.close()


def test_the_ledger_says_what_the_store_kept(tmp_path: Path) -> None:
    """Rules that have changed since don't speak of a kept case: its class and operators are those of its outcome."""
    store = open_store(tmp_path)
    line = recorded_line(store, tmp_path)
    first = scan(Listed([seed()]), WINDOW, line, Silent())
    second = scan(Listed([seed()]), WINDOW, replace(line, classify_rules=()), Silent())
    entries = [report_facts(done)["items"] for done in (first, second)]
    assert entries[0] == entries[1]
    assert entries[0][0]["candidate"]
    store.close()
