"""One filed finding, and what came of looking at it."""

from dataclasses import dataclass, field
from typing import Any

from bot.model import Case, Decision, Filed, Finding, Intent, Note, Observation, Tracked, rfc3339


@dataclass(slots=True)
class Seen:
    """One filed finding, and what came of looking at it."""

    finding: Finding
    case: Case
    intent: Intent
    """Of its issue."""
    filed: Filed
    tracker: Tracked | None = None
    """None where it could not be read."""
    observation: Observation | None = None
    """The last word of a build."""
    ran: bool = False
    decisions: list[Decision] = field(default_factory=list)
    follows: list[Intent] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    """What could not be looked at."""

    def note(self, why: str) -> None:
        """Something to tell about it."""
        self.notes.append(Note(fingerprint=self.finding.fingerprint, why=why))

    def as_json(self) -> dict[str, Any]:
        """As `watch --json` prints it."""
        return {
            "fingerprint": self.finding.fingerprint,
            "op": self.finding.op,
            "number": self.filed.number,
            "url": self.filed.url,
            "tracker": _tracker_facts(self.tracker) if self.tracker else None,
            "observation": self.observation.as_json() if self.observation else None,
            "ran": self.ran,
            "decisions": [one.as_json() for one in self.decisions],
            "follows": [intent_facts(one) for one in self.follows],
            "notes": [{"why": one.why, "person": one.person} for one in self.notes],
            "held": self.held,
        }


def _tracker_facts(tracker: Tracked) -> dict[str, Any]:
    told = tracker.as_json()
    return {name: told[name] for name in ("state", "state_reason", "closed_at", "labels", "fix", "hush")}


def intent_facts(intent: Intent) -> dict[str, Any]:
    """Of what was planned, as `watch --json` prints it."""
    told = intent.as_json()
    kept = ("id", "kind", "about", "comment", "body", "labels", "state")
    return {name: told[name] for name in kept} | {"created_at": rfc3339(intent.created_at)}
