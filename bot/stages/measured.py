"""measured: a script that measures time and checks no value proves nothing by ending well."""

from bot.model import Bucket, Judgement, Oracle, OracleKind, Verdict


def measured(judgement: Judgement, oracle: Oracle, device: str) -> Judgement:
    """The judgement of a run, told anew where it is only that a benchmark came to its end, with what to type then."""
    if oracle.kind is not OracleKind.PERFORMANCE or judgement.bucket is not Bucket.NOT_REPRODUCED:
        return judgement
    return judgement.model_copy(
        update={
            "bucket": Bucket.NEEDS_PERFORMANCE_HARNESS,
            "verdict": Verdict.VERIFICATION_GAP,
            "why": "the script measures time and checks no value: compare its operators' times, as docs/performance.md "
            f"says, by `alignbot bench CASES.toml --device {device} --against cpu` (or a stored run); {judgement.why}",
        }
    )
