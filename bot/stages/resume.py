"""resume: what of an earlier scan still holds, and what has to be asked again."""

import hashlib
from datetime import datetime

from bot.model import Case, FaultPlan, OutcomeKind, RunEvidence


def resume(fresh: Case, kept: Case | None, now: datetime, *, unsandboxed: bool, plan: FaultPlan | None = None) -> Case:
    """The kept case where it still holds, else `fresh`; of a held one its outcome is taken back, so that it goes on."""
    if kept is None or not _holds(kept, fresh, now, unsandboxed=unsandboxed, plan=plan):
        return fresh
    if kept.outcome is not None and kept.outcome.kind is OutcomeKind.HELD:
        return kept.model_copy(update={"outcome": None})
    return kept


def _holds(kept: Case, fresh: Case, now: datetime, *, unsandboxed: bool, plan: FaultPlan | None) -> bool:
    """Same items, same alignbot, evidence of no weaker a sandbox than today's and of the same fault plan, no
    look-again date that has come: what waits for a build is looked at by `watch`, which knows the build.

    A finding outlives the alignbot that made it: a later one's wording is no reason to run and to file it again.
    """
    outcome = kept.outcome
    come = outcome is not None and outcome.look_again_at is not None and outcome.look_again_at <= now
    if come and not kept.waits_for_build:
        return False
    if kept.version != fresh.version and not (outcome is not None and outcome.kind is OutcomeKind.FINDING):
        return False
    if isinstance(kept.evidence, RunEvidence) and not kept.evidence.sandboxed and not unsandboxed:
        return False
    if plan is not None and isinstance(kept.evidence, RunEvidence):
        return kept.evidence.environment.get("fault_plan") == plan.digest and _digest(kept) == _digest(fresh)
    return _digest(kept) == _digest(fresh)


def _digest(case: Case) -> str:
    return hashlib.sha256("\n".join(item.model_dump_json() for item in case.items).encode()).hexdigest()
