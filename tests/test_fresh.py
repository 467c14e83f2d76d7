"""The build against upstream's fix."""

from datetime import UTC, date, datetime

import pytest

from bot.model import Bucket, ChangeState, DeviceFacts, Judgement, OracleKind, RunEvidence, Standing, Verdict
from bot.stages.fresh import built_on, fresh

LANDED = Standing(state=ChangeState.LANDED, why="a commit", since=datetime(2026, 11, 12, 23, tzinfo=UTC))
OPEN = Standing(state=ChangeState.OPEN, why="it is open", since=datetime(2026, 11, 20, tzinfo=UTC))


def evidence(built: object) -> RunEvidence:
    """A run with a build of that day."""
    return RunEvidence(status="ok", device=DeviceFacts(type="xpu"), environment={"torch_build_date": built})


def judged(verdict: Verdict = Verdict.NEEDS_XPU_FIX, bucket: Bucket = Bucket.CONFIRMED) -> Judgement:
    """A confirmed run."""
    return Judgement(bucket=bucket, verdict=verdict, oracle=OracleKind.DIVERGENCE, why="it is wrong")


@pytest.mark.parametrize("built", ["2026-11-12", "2026-11-01", None, "yesterday", 20261120, "2026-99-99"])
def test_an_older_build_calls_for_no_fix(built: object) -> None:
    """A build of the day of landing or before, or of no known day, leaves the verdict open and says what to do."""
    told = fresh(judged(), evidence(built), {"a": LANDED, "b": OPEN})
    assert told.verdict is Verdict.VERIFICATION_GAP
    assert "landed on 2026-11-12" in told.why
    assert told.why.endswith("run it again with a newer one")
    assert told.bucket is Bucket.CONFIRMED


@pytest.mark.parametrize(
    ("built", "standing", "judgement"),
    [
        ("2026-11-13", LANDED, judged()),
        ("2026-11-01", OPEN, judged()),
        (None, OPEN, judged()),
        ("2026-11-01", LANDED, judged(Verdict.NON_ISSUE, Bucket.NOT_REPRODUCED)),
        ("2026-11-01", LANDED, judged(Verdict.VERIFICATION_GAP)),
    ],
)
def test_nothing_else_changes(built: str | None, standing: Standing, judgement: Judgement) -> None:
    """A newer build, a change that has not landed, and a run that asks for nothing keep their judgement."""
    assert fresh(judgement, evidence(built), {"a": standing}) is judgement


def test_the_day_is_the_run_s_own() -> None:
    """As the harness gives it."""
    assert built_on(evidence("2026-11-13")) == date(2026, 11, 13)
