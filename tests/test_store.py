"""One contract for every Store: the database, and the fake that the dashboard's tests use."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel, create_engine

from bot.edges.store import SqlStore
from bot.model import Case, FrozenHeads, Item, ItemClass, ItemKind, Outcome, OutcomeKind, Ruling, Window
from bot.pipeline import scan
from bot.seams import Store, StoreError
from tests.dashboard.fake_store import FakeStore
from tests.fakes import Silent
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
    store.save_items(WINDOW, "cpu", FrozenHeads(), case.items)
    store.save_case(case, NOW)
    assert store.load_case(case.key) == case
    ended = case.model_copy(update={"outcome": Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="no kernel")})
    store.save_case(ended, NOW)
    assert store.load_case(case.key) == ended
    assert store.cases(WINDOW, "cpu") == [ended]


def test_cases_are_apart_by_window_and_device(store: Store) -> None:
    """A window's cases for one device are not those of another window or device; they come ordered by number."""
    store.save_items(WINDOW, "cpu", FrozenHeads(), ())
    for number in (10, 9, 100):
        store.save_case(a_case(number), NOW)
    assert [case.leader.number for case in store.cases(WINDOW, "cpu")] == [9, 10, 100]
    assert store.cases(WINDOW, "xpu") == []
    assert store.cases(Window.parse("2026-11-10"), "cpu") == []


def test_a_window_is_counted(store: Store) -> None:
    """A scan's summary counts items and outcomes, and says whether it is over."""
    cases = [a_case(1, Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="no kernel")), a_case(2)]
    heads = FrozenHeads(upstream="1" * 40)
    store.save_items(WINDOW, "cpu", heads, [case.leader for case in cases])
    store.save_items(WINDOW, "cpu", heads, [case.leader for case in cases])
    for case in cases:
        store.save_case(case, NOW)
    (summary,) = store.windows()
    assert (summary.items, summary.cases, summary.outcomes) == (2, 2, {OutcomeKind.DROPPED: 1})
    assert summary.heads == heads
    running = summary.state
    store.finish_scan(WINDOW, "cpu", "done")
    assert (running, store.windows()[0].state) == ("running", "done")


def test_findings_are_once_for_ever(tmp_path: Path) -> None:
    """The same finding of a later window adds no second one; the first case keeps it."""
    store = open_store(tmp_path)
    line = recorded_line(store, tmp_path)
    scan(sample(), WINDOW, line, Silent())
    (first,) = store.findings()
    later = first[2].model_copy(update={"window": Window.parse("2026-11-12")})
    store.save_case(later, NOW)
    assert [case.window for _, _, case in store.findings()] == [WINDOW]
    assert store.load_case(later.key) == later
    store.close()


def test_migrations_make_the_tables_that_the_code_has(tmp_path: Path) -> None:
    """After all migrations Alembic finds nothing to change."""
    open_store(tmp_path).close()
    engine = create_engine(f"sqlite:///{tmp_path / 'alignbot.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


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


def test_changed_items_start_their_case_anew(tmp_path: Path) -> None:
    """When upstream edits an item, its case is followed again; the others rest."""
    store, told = open_store(tmp_path), Silent()
    line = recorded_line(store, tmp_path)
    scan(sample(), WINDOW, line, Silent())

    class Edited:
        """The sample with one body changed."""

        def heads(self) -> FrozenHeads:
            """The sample's."""
            return sample().heads()

        def items(self) -> Iterator[Item]:
            """All items, #204467 with a longer body."""
            for item in sample().items():
                yield item.model_copy(update={"body": item.body + "\nMore."}) if item.number == 204467 else item

    scan(Edited(), WINDOW, replace(line), told)
    assert {key for key, _ in told.stages} == {"pytorch/pytorch#204467"}
    assert json.loads(store.cases(WINDOW, "cpu")[0].model_dump_json())["window"]["start"] == "2026-11-11T00:00:00Z"
    store.close()
