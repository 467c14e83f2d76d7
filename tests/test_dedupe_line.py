"""Looking for duplicates on the line: what merges, what is told anew, and how a person's word is kept."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import targets, wire
from bot.edges.store import SqlStore
from bot.edges.trackers import ArchivedTracker, SqlTrackers
from bot.errors import InputError
from bot.model import (
    Absent,
    Case,
    Decision,
    DecisionKind,
    Finding,
    Item,
    Matches,
    OutcomeKind,
    RunEvidence,
    Skips,
    TrackedItem,
    TrackerState,
    Verdict,
    Window,
)
from bot.pipeline import Line, scan
from bot.pipeline.merging import same_defect
from bot.pipeline.register import Register
from bot.stages.prints import known_as, superseded
from tests.dashboard.sample import DAY_BEFORE, found_case
from tests.fakes import EVIDENCE, FixedClock, Listed, RecordedExecutor, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

TARGET = "intel/torch-xpu-ops"
AS_OF = datetime(2026, 11, 12, 6, tzinfo=UTC)
LATER = Window.parse("2026-11-12")
SEED = "[XPU alignment] pytorch/pytorch #204496: Upstream OPEN"


def seed(number: int = 204496) -> Item:
    """The seed's issue, under a number."""
    found = next(item for item in sample().items() if item.number == 204496)
    return found.model_copy(update={"number": number})


class OnXpu(RecordedExecutor):
    """The recorded run as a real XPU with a build of some day would have shown it."""

    def __init__(self, log: Path, built: str | None = "2026-11-11", **device: Any) -> None:
        super().__init__(log, sandboxed=device.pop("sandboxed", True))
        told = json.loads(EVIDENCE.read_text("utf-8").replace('"device": "cpu"', '"device": "xpu"'))
        told["device"] = {"type": "xpu", "name": "Arc", **device}
        told["environment"] |= {"torch_build_date": built} if built else {}
        self._evidence = RunEvidence.model_validate({**told, "sandboxed": self._evidence.sandboxed})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty database."""
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def line_of(store: SqlStore, folder: Path, *, xpu: OnXpu | None = None, clock: FixedClock | None = None) -> Line:
    """The sample's line with a register over the store."""
    line = recorded_line(store, folder, xpu, clock)
    register = Register(TARGET, SqlTrackers(store.engine), wire.vocabulary(), wire.decisions(store), Skips())
    return replace(line, register=register, **({"target": targets.load("xpu")} if xpu else {}))


def track(store: SqlStore, *items: TrackedItem, as_of: datetime | None = AS_OF) -> None:
    """Put items into the memory of the tracker."""
    SqlTrackers(store.engine).keep(TARGET, items, TrackerState(as_of=as_of))


def issue(number: int, title: str, **fields: Any) -> TrackedItem:
    return TrackedItem(number=number, kind="issue", title=title, **fields)


def only(line: Line, *items: Item, window: Window = WINDOW) -> Case:
    """The case of a scan of these items that has a finding."""
    done = scan(Listed(items or [seed()]), window, line, Silent())
    (case,) = [case for case in done.cases if isinstance(case.finding, Finding)]
    return case


def test_an_exact_match_is_silent_and_linked(store: SqlStore, tmp_path: Path) -> None:
    """The case is merged with the tracker's address, has no draft, and keeps what was searched."""
    track(store, issue(4475, SEED), issue(4476, "Another thing"))
    case = only(line_of(store, tmp_path))
    assert case.outcome is not None
    assert (case.outcome.kind, case.outcome.stage, case.draft) == (OutcomeKind.MERGED, "dedupe", None)
    assert case.outcome.reason == f"https://github.com/{TARGET}/issues/4475: issue #4475 is open"
    assert isinstance(case.matches, Matches)
    assert (case.matches.searched, case.matches.as_of) == (2, AS_OF)
    assert store.findings() == []
    assert store.merged() == [case]


def test_what_is_near_is_told_in_the_draft(store: SqlStore, tmp_path: Path) -> None:
    """The draft says how many were searched, as of when, for what, and the nearest with score and reason."""
    track(store, issue(5508, "Kernels lack error checks (replication_pad2d, `grid_sample` ``x)"), issue(5, "Docs"))
    case = only(line_of(store, tmp_path))
    assert case.draft is not None
    assert not isinstance(case.draft, Absent)
    section = case.draft.body.partition("### Related issues searched")[2].partition("### ")[0]
    assert (
        "All 2 issues and pull requests of intel/torch-xpu-ops, open and closed, as of 2026-11-12T06:00:00Z" in section
    )
    assert "- pytorch/pytorch#204495, pytorch/pytorch#204496 in titles" in section
    assert f"- [#5508](https://github.com/{TARGET}/issues/5508) (open), " in section
    assert "score 0.12; " in section
    assert "but it speaks of a missing check, and this is lost precision." in section
    assert "#5)" not in section


def test_nothing_near(store: SqlStore, tmp_path: Path) -> None:
    """Where nothing is near, the draft says so, and still what was searched."""
    track(store, issue(5, "Docs"))
    case = only(line_of(store, tmp_path))
    assert case.outcome is not None
    assert case.outcome.kind is OutcomeKind.FINDING
    assert "Nothing there is near to it." in case.draft.body  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (TrackerState(), "that of intel/torch-xpu-ops has not been read"),
        (TrackerState(begun_at=AS_OF), "has not been read to its end yet"),
    ],
)
def test_a_tracker_that_was_not_read_whole(store: SqlStore, tmp_path: Path, state: TrackerState, says: str) -> None:
    """Half a tracker is none: nothing merges, and the draft says that none was searched and why."""
    SqlTrackers(store.engine).keep(TARGET, [issue(4475, SEED)], state)
    case = only(line_of(store, tmp_path))
    assert isinstance(case.matches, Absent)
    assert says in case.matches.absent
    assert f"Not established: {case.matches.absent}." in case.draft.body  # type: ignore[union-attr]


def test_the_world_refuses_to_refresh(store: SqlStore, tmp_path: Path) -> None:
    """A tracker that can't be brought up to date is searched as it was; of one never read the reason is told."""
    line = line_of(store, tmp_path)
    assert line.register is not None
    line.register.refresh = lambda: "GitHub is away"
    case = only(line)
    assert isinstance(case.matches, Absent)
    assert case.matches.absent.endswith("has not been read: GitHub is away")


def test_closed_as_fixed_suppresses_until_a_newer_build_shows_it(store: SqlStore, tmp_path: Path) -> None:
    """An older build merges and is asked again; a newer one tells it as a recurrence, with the old tracker's link."""
    closed = {"state": "closed", "closed_at": "2026-11-20T00:00:00Z"}
    track(store, issue(4475, SEED, **closed))
    clock = FixedClock()
    old = only(line_of(store, tmp_path, xpu=OnXpu(tmp_path / "jobs", "2026-11-11"), clock=clock))
    assert old.outcome is not None
    assert old.outcome.kind is OutcomeKind.MERGED
    assert old.outcome.look_again_at == datetime(2026, 11, 19, tzinfo=UTC)
    clock.moment += timedelta(days=10)
    new = only(line_of(store, tmp_path, xpu=OnXpu(tmp_path / "jobs", "2026-11-21"), clock=clock))
    assert new.outcome is not None
    assert new.outcome.kind is OutcomeKind.FINDING
    assert isinstance(new.matches, Matches)
    assert new.matches.suppressed is None
    assert "a build of 2026-11-21 shows the fault" in str(new.matches.recurs)
    assert "**It recurs**" in new.draft.body  # type: ignore[union-attr]


def test_a_fileable_finding_is_never_merged_into_one_that_is_not(store: SqlStore, tmp_path: Path) -> None:
    """Of one fingerprint: what a too old build showed first gives way to what a newer build shows, and not back."""
    fields = {"landed_sha": "9" * 40, "state": "closed", "merged_at": "2026-11-11T05:00:00Z"}
    landed = Item.model_validate({**seed(204600).model_dump(), **fields, "kind": "pull", "state_reason": None})
    line = line_of(store, tmp_path, xpu=OnXpu(tmp_path / "jobs", None))
    first = only(line, landed)
    assert isinstance(first.finding, Finding)
    fingerprint = first.finding.fingerprint
    assert (first.finding.fileable, first.finding.verdict) == (False, Verdict.VERIFICATION_GAP)
    second = only(line_of(store, tmp_path, xpu=OnXpu(tmp_path / "jobs", "2026-11-12")), seed(204700), window=LATER)
    assert isinstance(second.finding, Finding)
    assert (second.finding.fingerprint, second.finding.fileable) == (fingerprint, True)
    assert second.outcome is not None
    assert second.outcome.kind is OutcomeKind.FINDING
    assert [(finding.fileable, case.key) for finding, _, case in store.findings()] == [(True, second.key)]
    third = only(line, seed(204800), window=Window.parse("2026-11-13"))
    assert third.outcome is not None
    assert third.outcome.kind is OutcomeKind.MERGED


def finding(**fields: Any) -> Finding:
    told = {"target": "xpu", "op": "cumsum", "defect_kind": "precision", "symptom": "value", **fields}
    return Finding.model_validate(told)


FILEABLE = finding(verdict="needs-xpu-fix")
WEAKER = [
    finding(simulated=True),
    finding(target="cpu"),
    finding(sandboxed=False, verdict="needs-xpu-fix"),
    finding(symptom="source"),
]


@pytest.mark.parametrize("weaker", WEAKER, ids=["simulated", "cpu", "unsandboxed", "source"])
def test_superseded(weaker: Finding) -> None:
    """A finding that may not be filed is superseded by a fileable one of the same defect, in any order, and never the
    other way; one of another operator, kind or symptom isn't.
    """
    by = {weaker.fingerprint: FILEABLE.fingerprint}
    assert superseded([weaker, FILEABLE]) == superseded([FILEABLE, weaker]) == by
    for other in ({"op": "cumprod"}, {"defect_kind": "nan"}, {"sibling": "mode=1"}):
        assert superseded([weaker, finding(verdict="needs-xpu-fix", **other)]) == {}
    assert superseded([weaker]) == superseded([FILEABLE]) == {}
    assert FILEABLE.strength > weaker.strength


def test_known_as() -> None:
    """From source or by an assertion it is known under every symptom, measured only under its own and those two."""
    source, value, shape = (finding(symptom=symptom) for symptom in ("source", "value", "shape"))
    assert {value.fingerprint, shape.fingerprint} <= known_as(source)
    assert source.fingerprint in known_as(value)
    assert shape.fingerprint not in known_as(value)
    for other in ({"op": "cumprod"}, {"defect_kind": "nan"}, {"sibling": "mode=1"}, {"target": "cuda"}):
        assert known_as(value).isdisjoint(known_as(finding(**other)))


def known(store: SqlStore, **fields: Any) -> Case:
    """A finding of the day before, in the store."""
    case = found_case(window=DAY_BEFORE)
    assert isinstance(case.finding, Finding)
    case = case.model_copy(update={"finding": case.finding.model_copy(update=fields)})
    store.save_case(case, AS_OF)
    return case


def test_source_and_measurement_meet(store: SqlStore, tmp_path: Path) -> None:
    """What source showed first is not merged into by the measured one, which speaks for both; nor the other way round.

    A measured finding with another symptom stays apart from both.
    """
    line = line_of(store, tmp_path)
    suspected = known(store, symptom="source", verdict=Verdict.VERIFICATION_GAP)
    measured = found_case()
    assert isinstance(measured.finding, Finding)
    assert isinstance(suspected.finding, Finding)
    assert same_defect(measured, measured.finding, line) is None
    store.save_case(measured, AS_OF)
    later = suspected.model_copy(update={"window": LATER})
    store.retire(DAY_BEFORE, "xpu", [], AS_OF)
    assert same_defect(later, suspected.finding, line) == measured
    crash = measured.finding.model_copy(update={"symptom": "crash"})
    assert same_defect(later, crash, line) is None
    wire.decisions(store).decide(
        Decision(
            fingerprint=suspected.finding.fingerprint,
            kind=DecisionKind.UNDUPLICATE,
            reason="two kernels",
            decided_at=AS_OF,
        )
    )
    assert same_defect(later, suspected.finding, line) is None


def said(store: SqlStore, case: Case, kind: DecisionKind, of: int | None = None) -> None:
    """A person's word on a case's finding."""
    assert isinstance(case.finding, Finding)
    wire.decisions(store).decide(
        Decision(fingerprint=case.finding.fingerprint, kind=kind, reason="I looked", decided_at=AS_OF, of=of, by="ada")
    )


def test_a_merge_is_taken_back_and_made_again(store: SqlStore, tmp_path: Path) -> None:
    """After `unduplicate` the next scan tells the finding, with the tracker as near; every word stays in the log."""
    track(store, issue(4475, SEED))
    merged = only(line_of(store, tmp_path))
    said(store, merged, DecisionKind.UNDUPLICATE)
    told = only(line_of(store, tmp_path))
    assert told.outcome is not None
    assert told.outcome.kind is OutcomeKind.FINDING
    assert isinstance(told.matches, Matches)
    assert (told.matches.exact, [one.number for one in told.matches.near]) == (None, [4475])
    assert "a person said that it is not the same" in told.draft.body  # type: ignore[union-attr]
    said(store, merged, DecisionKind.DUPLICATE, of=4475)
    again = only(line_of(store, tmp_path), seed(204900), window=LATER)
    assert again.outcome is not None
    assert again.outcome.kind is OutcomeKind.MERGED
    (words,) = wire.decisions(store).history().values()
    told_by = [(one.kind.value, one.by, one.of) for one in words]
    assert told_by == [("unduplicate", "ada", None), ("duplicate", "ada", 4475)]


def test_a_person_names_the_duplicate(store: SqlStore, tmp_path: Path) -> None:
    """A finding that a person called a duplicate of #7 merges there, though no rule finds it, with who and why."""
    track(store, issue(7, "Sums are small"))
    (case,) = scan(Listed([seed()]), WINDOW, line_of(store, tmp_path), Silent()).cases
    store.retire(WINDOW, "cpu", [], AS_OF)
    said(store, case, DecisionKind.DUPLICATE, of=7)
    again = only(line_of(store, tmp_path), window=LATER)
    assert again.outcome is not None
    assert again.outcome.reason == (
        f"https://github.com/{TARGET}/issues/7: it was told before as #7, says ada on 2026-11-12: I looked"
    )


def test_a_case_follows_its_tracker(store: SqlStore, tmp_path: Path) -> None:
    """Merged into an issue that is no longer about it, the case is told by the next scan without running again."""
    track(store, issue(4475, SEED, updated_at="2026-11-11T00:00:00Z"))
    only(line_of(store, tmp_path))
    track(store, issue(4475, "Something else now", updated_at="2026-11-12T00:00:00Z"))
    progress = Silent()
    scan(Listed([seed()]), WINDOW, line_of(store, tmp_path), progress)
    assert [stage for _, stage in progress.stages] == ["dedupe", "render"]
    assert len(store.findings()) == 1


def test_an_archive_of_the_tracker(store: SqlStore, tmp_path: Path) -> None:
    """It is searched in place of the memory: of two lines of a number the later counts, others' items don't."""
    lines = [
        {"repo": TARGET, "number": 4475, "kind": "issue", "title": "Older title", "created_at": "2026-11-01T00:00:00Z"},
        {"repo": TARGET, "number": 4475, "kind": "issue", "title": SEED, "updated_at": "2026-11-02T00:00:00Z"},
        {"repo": "pytorch/vision", "number": 1, "kind": "issue", "title": SEED},
        {"repo": TARGET, "number": "abcdef0", "kind": "commit", "title": SEED},
    ]
    path = tmp_path / "tracker.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    line = line_of(store, tmp_path)
    assert line.register is not None
    line.register.tracker = ArchivedTracker(path)
    case = only(line)
    assert isinstance(case.matches, Matches)
    assert (case.matches.exact and case.matches.exact.number, case.matches.searched) == (4475, 1)
    assert case.matches.as_of == datetime(2026, 11, 2, tzinfo=UTC)
    path.write_text(json.dumps(lines[2]), "utf-8")
    with pytest.raises(InputError, match="holds no issue or pull request of intel/torch-xpu-ops"):
        ArchivedTracker(path).state(TARGET)
