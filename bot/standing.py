"""The status issue: how everything stands, planned as an edit of one text when it has changed."""

from bot import wire
from bot.edges.store import SqlStore
from bot.model import Intent, IntentState, Outbound
from bot.settings import Settings
from bot.stages.in_place import in_place
from bot.stages.status import ABOUT, STATUS, filed_of, status_text


def plan_status(settings: Settings, store: SqlStore) -> Intent | None:
    """Plan it, where there is such an issue and something has changed. Raises InputError where it may not leave."""
    filing, repo = settings.filing, settings.target.repo
    if filing.status_issue is None:
        return None
    outbox = wire.outbox(store)
    every = [one for one in outbox.every() if (one.repo, one.rehearsal) == (repo, filing.rehearsal)]
    filed = filed_of(every, repo, rehearsal=filing.rehearsal)
    findings = [finding for finding, _, _ in store.findings()]
    text = status_text(findings, filed, wire.decisions(store).history(), every, store.windows())
    first = Intent(
        kind=Outbound.EDIT,
        fingerprint=STATUS,
        repo=repo,
        about=f"{ABOUT} {filing.status_issue}",
        rehearsal=filing.rehearsal,
        number=filing.status_issue,
        body=wire.sanitiser(settings)(ABOUT, text)[1].strip(),
        created_at=wire.SystemClock().now(),
    )
    there = [one for one in every if one.fingerprint == STATUS and one.state is not IntentState.CANCELLED]
    return next((outbox.plan(one) for one in in_place(first, there)), None)
