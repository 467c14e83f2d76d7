"""The seams between the pure line and the world: Protocols of few methods, and the errors that cross them."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Protocol

from bot.errors import AlignbotError, EdgeError, InputError, SandboxError, StoreError
from bot.model import Case, Draft, Finding, FrozenHeads, Item, Job, RunEvidence, Window, WindowSummary

__all__ = [
    "AlignbotError",
    "Clock",
    "EdgeError",
    "Executor",
    "InputError",
    "Progress",
    "SandboxError",
    "Source",
    "Store",
    "StoreError",
]


class Clock(Protocol):
    """The time of day, so that nothing pure asks for it."""

    def now(self) -> datetime:
        """Now, in UTC."""


class Source(Protocol):
    """Where a window's items come from."""

    def heads(self) -> FrozenHeads:
        """The commits frozen for this window."""

    def items(self) -> Iterator[Item]:
        """The window's items, each once."""


class Executor(Protocol):
    """Runs a job where it can do no harm."""

    def ready(self) -> None:
        """Raises InputError or SandboxError when no job could be run, before one is tried."""

    def run(self, job: Job) -> RunEvidence:
        """All repeats. Raises SandboxError when nothing could be run."""


class Progress(Protocol):
    """Tells people how far a scan is."""

    def begin(self, total: int) -> None:
        """So many cases are to be followed."""

    def stage(self, case: Case, name: str) -> None:
        """A stage of a case begins."""

    def finish(self, case: Case) -> None:
        """A case has its outcome."""


class Store(Protocol):
    """The memory: what was done is not done again."""

    def save_items(self, window: Window, device: str, heads: FrozenHeads, items: Sequence[Item]) -> None:
        """Remember a window's items, these and no others, and that its scan runs; again changes nothing."""

    def finish_scan(self, window: Window, device: str, state: str) -> None:
        """Say that a scan is over: `done`, or `held` where some cases wait."""

    def load_case(self, key: str) -> Case | None:
        """The case as last saved, or None."""

    def start_case(self, case: Case, now: datetime) -> None:
        """Save a case that begins, perhaps anew: what stood in its place is kept as an attempt."""

    def save_case(self, case: Case, now: datetime) -> None:
        """Remember a case whole; its finding and draft become visible with it."""

    def retire(self, window: Window, device: str, present: Collection[str], now: datetime) -> None:
        """Keep as attempts, and as cases no longer, a window's cases for a device whose keys aren't `present`."""

    def cases(self, window: Window, device: str) -> list[Case]:
        """A window's cases for a device, ordered by leader."""

    def owner_of(self, fingerprint: str) -> str | None:
        """The key of the case that holds a finding: the first that found it, unless that was retired since."""

    def findings(self) -> list[tuple[Finding, Draft, Case]]:
        """All findings, each once for ever with its case as it was then, newest window first."""

    def windows(self) -> list[WindowSummary]:
        """Every scanned window with its counts, newest first."""
