"""What follows from a benchmark that came to its end."""

from bot.model import Bucket, Judgement, Oracle, OracleKind, Verdict
from bot.stages.measured import measured

QUIET = Judgement(
    bucket=Bucket.NOT_REPRODUCED, verdict=Verdict.NON_ISSUE, oracle=OracleKind.NONE, why="41 calls agree in one process"
)
TIMED = Oracle(kind=OracleKind.PERFORMANCE, source="start = perf_counter()")


def test_a_benchmark_that_ends_well_is_no_proof() -> None:
    """Silence of a script that only measures leaves the case open, for a harness that compares times."""
    told = measured(QUIET, TIMED, "xpu")
    assert told.bucket is Bucket.NEEDS_PERFORMANCE_HARNESS
    assert told.verdict is Verdict.VERIFICATION_GAP
    assert told.why.endswith(QUIET.why)
    assert "alignbot bench CASES.toml --device xpu --against cpu" in told.why


def test_all_else_stays_as_judged() -> None:
    """A wrong value in a benchmark is a wrong value, and silence of a script that checks is silence."""
    wrong = QUIET.model_copy(update={"bucket": Bucket.CONFIRMED})
    assert measured(wrong, TIMED, "xpu") == wrong
    assert all(
        measured(QUIET, Oracle(kind=kind), "xpu") == QUIET for kind in OracleKind if kind is not OracleKind.PERFORMANCE
    )
