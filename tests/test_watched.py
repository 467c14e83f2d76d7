"""Watched cases: run again, or given a new day with a reason; none is forgotten."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.edges.changes import due, unfinished
from bot.edges.store import SqlStore
from bot.model import (
    Build,
    Case,
    Item,
    ItemClass,
    ItemKind,
    ItemState,
    Job,
    Outcome,
    OutcomeKind,
    Owned,
    Ownership,
    RunEvidence,
)
from bot.pipeline import look_again, scan
from bot.seams import EdgeError, Executor
from bot.stages.begin import begin
from bot.stages.resume import resume
from tests.fakes import EVIDENCE, Failing, FixedClock, RecordedExecutor, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

SEED = "pytorch/pytorch#204496"
LANDED = datetime(2026, 11, 12, 9, tzinfo=UTC)
NOW = datetime(2026, 12, 20, 6, tzinfo=UTC)
NEWER, OLDER = Build(version="2.16", day=date(2026, 12, 19)), Build(version="2.15", day=date(2026, 11, 12))


class Quiet(RecordedExecutor):
    """Its runs show nothing."""

    def run(self, job: Job) -> RunEvidence:
        """The recorded evidence without what diverged."""
        ran = RunEvidence.model_validate_json(EVIDENCE.read_bytes())
        runs = tuple(one.model_copy(update={"divergences": ()}) for one in ran.runs)
        digest = job.script_sha256
        return ran.model_copy(update={"divergences": (), "runs": runs, "smallest": (), "script_sha256": digest})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """A database in which the sample was scanned."""
    with closing(open_store(tmp_path)) as opened:
        scan(sample(), WINDOW, recorded_line(opened, tmp_path), Silent())
        yield opened


def shared(store: SqlStore, *, landed: bool = True, stage: str = "own", day: datetime | None = NOW) -> Case:
    """The seed's case as one that upstream mends for all devices; its change has landed or not."""
    case = next(one for one in store.cases(WINDOW, "cpu") if one.leader.key == SEED)
    closed = {"state": ItemState.CLOSED, "closed_at": LANDED, "landed_sha": "bbbb2205"} if landed else {}
    items = tuple(
        one.model_copy(update=closed if one.kind is ItemKind.PULL or one.key == SEED else {}) for one in case.items
    )
    store.forget_items(WINDOW, [one.key for one in items])
    fields = dict.fromkeys(("reproducer", "port", "evidence", "source", "judgement", "finding", "draft"))
    waits = Outcome(kind=OutcomeKind.WATCHED, stage=stage, reason="shared-upstream: code above", look_again_at=day)
    ruling = case.ruling.model_copy(update={"item_class": ItemClass.SHARED_UPSTREAM} if stage == "classify" else {})
    owned = Owned(ownership=Ownership.SHARED_UPSTREAM, why="code above all devices")
    waiting = case.model_copy(update={**fields, "items": items, "ownership": owned, "outcome": waits, "ruling": ruling})
    store.save_case(waiting, NOW)
    return waiting


def asked(store: SqlStore, folder: Path, case: Case, build: Build | None, executor: Executor | None = None) -> Case:
    """After a look; what is stored is what was answered."""
    line = recorded_line(store, folder, executor, FixedClock(NOW))
    ended = look_again(case, line, build, Silent())
    assert store.load_case(case.key) == ended
    return ended


@pytest.mark.parametrize("stage", ["own", "classify"])
def test_the_shared_fix_is_enough(stage: str, store: SqlStore, tmp_path: Path) -> None:
    """On a build that has it nothing is shown: the case ends, with the build, and stays upstream's."""
    ended = asked(store, tmp_path, shared(store, stage=stage), NEWER, Quiet(tmp_path / "jobs.txt"))
    assert ended.outcome is not None
    assert ended.outcome.kind is OutcomeKind.DROPPED
    assert ended.outcome.reason.startswith("fixed by upstream's change in build 2.16 2026-12-19: ")
    assert ended.ownership is not None
    assert ended.ownership.ownership is Ownership.SHARED_UPSTREAM


def test_the_shared_fix_is_not_enough(store: SqlStore, tmp_path: Path) -> None:
    """On a build that has it the fault is still there: it is a finding, and no longer upstream's."""
    ended = asked(store, tmp_path, shared(store), NEWER)
    assert ended.outcome is not None
    assert ended.outcome.kind is OutcomeKind.FINDING
    assert ended.ownership is not None
    assert (ended.ownership.ownership, "2026-12-19" in ended.ownership.why) == (Ownership.UNKNOWN, True)
    assert len(store.attempts(ended.key)) >= 1


@pytest.mark.parametrize(
    ("build", "landed", "why", "days"),
    [
        (OLDER, True, "landed on 2026-11-12, and build 2.15 2026-11-12 may lack it", 1),
        (Build(), True, "may lack it", 1),
        (None, True, "which build this is is not known", 1),
        (NEWER, False, "upstream has landed no change yet", 14),
    ],
)
def test_too_early(build: Build | None, landed: bool, why: str, days: int, store: SqlStore, tmp_path: Path) -> None:
    """Nothing runs; there is a new day and the reason, and it waits for a build as before."""
    ended = asked(store, tmp_path, shared(store, landed=landed), build, Failing(tmp_path / "j", EdgeError("no")))
    assert ended.outcome is not None
    assert (ended.outcome.kind, why in ended.outcome.reason) == (OutcomeKind.WATCHED, True)
    assert ended.outcome.look_again_at == (NOW + timedelta(days=days)).replace(hour=0)
    assert ended.waits_for_build


def test_what_cannot_be_run_stays(store: SqlStore, tmp_path: Path) -> None:
    """A sandbox that fails: it is looked at again the next day, for the same."""
    ended = asked(store, tmp_path, shared(store), NEWER, Failing(tmp_path / "j", EdgeError("the device is away")))
    assert ended.outcome is not None
    assert (ended.outcome.kind, ended.outcome.reason) == (OutcomeKind.WATCHED, "the device is away")
    assert ended.waits_for_build
    assert due(store.engine, "cpu", NOW + timedelta(days=1)) != []


def test_nothing_watched_is_forgotten(store: SqlStore, tmp_path: Path) -> None:
    """Each watched case of the store, with a day or without, is at its end or has a day to come and a reason."""
    shared(store, day=None)
    far = NOW + timedelta(days=366)
    before = [one for one in store.cases(WINDOW, "cpu") if one.outcome and one.outcome.kind is OutcomeKind.WATCHED]
    found = due(store.engine, "cpu", far)
    assert {one.key for one in found} == {one.key for one in before}
    assert len(found) > 2
    line = recorded_line(store, tmp_path, None, FixedClock(far))
    for case in found:
        ended = look_again(case, line, OLDER, Silent())
        assert ended.outcome is not None
        assert ended.outcome.reason
        again = ended.outcome.look_again_at
        assert (again is not None and again > far) == (ended.outcome.kind is OutcomeKind.WATCHED)
    assert due(store.engine, "cpu", far) == []


def test_a_scan_leaves_it_to_watch(store: SqlStore) -> None:
    """What waits for a build is kept when its day has come, and its window is not read again for it."""
    case = shared(store)
    fresh = begin(case.window, case.heads, case.device, case.items, case.ruling, (), NOW)
    assert resume(fresh, case, NOW, unsandboxed=True) == case
    other = case.model_copy(update={"outcome": case.outcome.model_copy(update={"stage": "judge"})})  # type: ignore[union-attr]
    assert resume(fresh, other, NOW, unsandboxed=True) == fresh
    assert unfinished(store.engine, "cpu", NOW) == []


def test_what_the_store_knows_by_now_counts(store: SqlStore, tmp_path: Path) -> None:
    """Upstream's change landed since the case was saved: the item as it is now says so."""
    case = shared(store, landed=False)
    landed = shared(store)
    newer: list[Item] = list(landed.items)
    store.save_items(WINDOW, newer)
    ended = asked(store, tmp_path, case, OLDER)
    assert ended.outcome is not None
    assert "landed on 2026-11-12" in ended.outcome.reason
