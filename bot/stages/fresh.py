"""fresh: a build that is older than the upstream fix cannot tell whether the fix reaches the target."""

import re
from collections.abc import Mapping
from datetime import date

from bot.model import Bucket, ChangeState, Judgement, RunEvidence, Standing, Verdict

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def fresh(judgement: Judgement, evidence: RunEvidence, standings: Mapping[str, Standing]) -> Judgement:
    """The judgement, without its call for a fix where upstream's change landed after the build, or may have.

    Only the code that torch shares between devices comes with a build: whether the target needs a fix of its own shows
    in a build that has upstream's.
    """
    landed = [one for one in standings.values() if one.state is ChangeState.LANDED and one.since is not None]
    if judgement.bucket is not Bucket.CONFIRMED or judgement.verdict is not Verdict.NEEDS_XPU_FIX or not landed:
        return judgement
    last = max(one.since.date() for one in landed if one.since is not None)
    built = built_on(evidence)
    if built is not None and built > last:
        return judgement
    told = f"is of {built}" if built else "does not say when it was built"
    why = f"{judgement.why}; upstream's change landed on {last} and the build {told}: run it again with a newer one"
    return judgement.model_copy(update={"verdict": Verdict.VERIFICATION_GAP, "why": why})


def built_on(evidence: RunEvidence) -> date | None:
    """The day of the build, as the run itself gives it."""
    told = evidence.environment.get("torch_build_date")
    if not isinstance(told, str) or not _DATE.fullmatch(told):
        return None
    try:
        return date.fromisoformat(told)
    except ValueError:
        return None
