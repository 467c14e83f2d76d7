"""What following up works with: its policy, its gate, and what later builds showed."""

from fnmatch import fnmatchcase
from functools import cache

from bot.config import Settings
from bot.edges.observations import SqlObservations
from bot.edges.store import SqlStore
from bot.model import Finding, FollowPolicy, Go, Mode, Wait
from bot.seams import Gate
from bot.stages.status import STATUS
from bot.wire.filing import policy


def observations(opened: SqlStore) -> SqlObservations:
    """What reproducers showed on later builds, in the same database."""
    return SqlObservations(opened.engine)


def follow_policy(settings: Settings) -> FollowPolicy:
    """What the configuration says of issues that were filed."""
    filing = settings.filing
    return FollowPolicy(
        close=filing.close, reopen=filing.reopen, label=filing.gone_label, muted_labels=filing.muted_labels
    )


def gate_after(settings: Settings, opened: SqlStore) -> Gate:
    """Whether something may be written on an issue that is there.

    Not what lets an issue be filed: an answer to somebody who said "duplicate" must leave though the finding may not.
    """
    chosen = policy(settings)

    @cache
    def found() -> dict[str, Finding]:
        return {finding.fingerprint: finding for finding, _, _ in opened.findings()}

    def asked(fingerprint: str) -> Go | Wait:
        if fingerprint == STATUS:
            return Go()  # no finding has a say in it; nothing is posted at all in modes that post nothing
        finding = found().get(fingerprint)
        if finding is None:
            return Wait(reason="the store has no such finding")
        mode = chosen.mode_of(finding.defect_kind)
        if mode in (Mode.OFF, Mode.DRY_RUN):
            return Wait(reason=f"filing is {mode.value} for {finding.defect_kind.value}")
        muted = next((one for one in chosen.muted if fnmatchcase(finding.op, one)), None)
        return Wait(reason=f"muted by filing.muted: {muted}") if muted else Go()

    return asked
