"""The seams of filing: what a filer works with, as Protocols. The edges have them, and the tests."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from bot.model import Answer, Filed, Go, Intent, Lease, Limits, Used, Wait


class Gate(Protocol):
    """Says whether something about a finding may leave now."""

    def __call__(self, fingerprint: str) -> Go | Wait:
        """Asked when it is planned, and once more right before it is sent."""


class Sanitiser(Protocol):
    """The one exit of all texts."""

    def __call__(self, title: str, body: str) -> tuple[str, str]:
        """Title and body as they may leave. Raises InputError, a sentence without the secret, where they may not."""


class Stop(Protocol):
    """The switch that stops all writing at once."""

    def why(self) -> str | None:
        """Why nothing may be written now; None where it may. What can't be read stops, too."""

    def halt(self, reason: str) -> None:
        """Stop all writing until a person resumes it."""


class Outbox(Protocol):
    """What is to be written, and what became of it. Whatever needs a lease raises LeaseLostError without it."""

    def take(self, holder: str, now: datetime) -> Lease | Wait:
        """The right to write, or who has it."""

    def renew(self, lease: Lease, now: datetime) -> Lease:
        """The same for longer."""

    def release(self, lease: Lease) -> None:
        """Give it back."""

    def plan(self, intent: Intent) -> Intent:
        """Add it, or give the one that stands for its key already: open, done or refused."""

    def plan_again(self, lease: Lease, intent: Intent, why: str) -> Intent:
        """Add it in the place of one that is unknown or refused, since a person says so."""

    def queue(self) -> list[Intent]:
        """What is planned, in the order in which it may leave."""

    def unsettled(self) -> list[Intent]:
        """What was sent and not confirmed."""

    def every(self) -> list[Intent]:
        """All intents."""

    def used(self, now: datetime) -> Used:
        """What counts against the caps."""

    def send(self, lease: Lease, intent: Intent, now: datetime, limits: Limits) -> Intent | Wait:
        """Say that it is about to be sent, or why it may not be; caps are counted in the same step."""

    def take_back(self, lease: Lease, intent: Intent, why: str) -> Intent:
        """Nothing of it was sent after all."""

    def confirm(self, lease: Lease, intent: Intent, filed: Filed, now: datetime) -> Intent:
        """It is there."""

    def doubt(self, lease: Lease, intent: Intent, why: str, looked_at: datetime | None = None) -> Intent:
        """Nobody knows whether it was done; with `looked_at` it was looked for and not found."""

    def give_up(self, lease: Lease, intent: Intent, why: str) -> Intent:
        """The tracker refused it."""

    def replace(self, lease: Lease, intent: Intent, other: Intent, why: str) -> Intent:
        """Cancel what was not sent and plan another thing instead, in one step; gives that other one."""

    def keep_waiting(self, lease: Lease, whys: Mapping[str, str]) -> None:
        """Say why planned ones wait, by id."""


class Tracker(Protocol):
    """Where intents go. Nothing is ever sent twice by itself."""

    def greet(self, repo: str) -> None:
        """Make sure that it answers, to whom we are. Raises ForgeError, or InputError for what people must mend."""

    def post(self, intent: Intent) -> Answer:
        """Send it once; whatever comes of that is a value."""

    def find(self, intent: Intent) -> Filed | None:
        """What was sent, looked for where it would be; None where it is not (yet) to be seen. Raises ForgeError."""

    def own(self, repo: str) -> Mapping[str, Sequence[Filed]]:
        """All issues of ours that bear a finding's mark, by fingerprint. Raises ForgeError."""
