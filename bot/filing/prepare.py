"""From a finding and its draft to the intent of an issue, or to the reason why there is none."""

from dataclasses import dataclass
from datetime import datetime

from bot.model import Case, Draft, Finding, Go, Intent, Outbound
from bot.model.marks import unmarked
from bot.model.outbox import LONGEST_BODY
from bot.seams import Gate, InputError, Sanitiser

REHEARSAL = "[rehearsal]"


@dataclass(frozen=True, slots=True)
class Prepared:
    """An issue as it would be filed."""

    intent: Intent
    why_not: str = ""
    """Why it may not be; empty where it may."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for all issues of one run."""

    repo: str
    labels: tuple[str, ...]
    gate: Gate
    sanitise: Sanitiser
    rehearsal: bool = False
    """File CPU and simulated evidence too, on a tracker that nobody else sees; the settings make sure of that."""


def prepared(found: tuple[Finding, Draft, Case], rules: Rules, now: datetime) -> Prepared:
    """The issue of a finding. Marks of our namespace that its draft brings are taken out: the outbox adds its own."""
    finding, draft, case = found
    plain = Intent(
        kind=Outbound.ISSUE,
        fingerprint=finding.fingerprint,
        repo=rules.repo,
        window=str(case.window),
        title=draft.title,
        body=unmarked(draft.body),
        labels=rules.labels,
        defect_kind=finding.defect_kind,
        rehearsal=rules.rehearsal,
        created_at=now,
    )
    try:
        title, body = rules.sanitise(plain.title, plain.body)
    except InputError as error:
        return Prepared(plain, str(error))
    if rules.rehearsal and not title.startswith(REHEARSAL):
        title = f"{REHEARSAL} {title}"
    intent = plain.model_copy(update={"title": title, "body": body, "id": "0" * 16})
    return Prepared(intent.model_copy(update={"id": ""}), _why_not(finding, intent, rules))


def _why_not(finding: Finding, intent: Intent, rules: Rules) -> str:
    if not (finding.fileable or rules.rehearsal):
        return "only what a real XPU showed in the sandbox, and what calls for a fix there, may be filed"
    if len(intent.text) > LONGEST_BODY:
        return (
            f"the body is {len(intent.text)} characters long with its marks, more than the {LONGEST_BODY} of an issue"
        )
    said = rules.gate(finding.fingerprint)
    return "" if isinstance(said, Go) else said.reason
