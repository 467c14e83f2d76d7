"""The seams between the pure line and the world: Protocols of few methods, and the errors that cross them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Protocol

from bot.errors import (
    AlignbotError,
    EdgeError,
    ForgeError,
    InputError,
    LeaseLostError,
    LimitedError,
    SandboxError,
    StoreError,
)
from bot.model import (
    Absent,
    Case,
    ChangedFile,
    Decision,
    Draft,
    Finding,
    FrozenHeads,
    Item,
    Job,
    Reading,
    RunEvidence,
    SourceEvidence,
    TrackedItem,
    TrackerState,
    Window,
    WindowSummary,
)
from bot.seams.filing import Gate, Outbox, Sanitiser, Stop, Tracker

__all__ = [
    "AlignbotError",
    "Clock",
    "Decisions",
    "EdgeError",
    "Executor",
    "ForgeError",
    "Gate",
    "InputError",
    "KnownTracker",
    "LeaseLostError",
    "LimitedError",
    "Outbox",
    "Progress",
    "Reader",
    "Readings",
    "Remembered",
    "SandboxError",
    "Sanitiser",
    "Source",
    "Stop",
    "Store",
    "StoreError",
    "Texts",
    "Tracker",
    "Trackers",
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
        """The window's items, each once, in any order."""

    def details(self, kept: Sequence[Item]) -> Iterator[Item]:
        """The kept items with comments, files and links, then items from outside the window that are one change with
        them; a source that knows no more gives the kept items as they are.
        """

    def reading(self) -> Reading | None:
        """How whole the window is; None where nobody counted."""


class Texts(Protocol):
    """Says which files of a change have to be read as they are at its head."""

    def wanted(self, item: Item) -> Sequence[str]:
        """Their paths, none where its patches do."""

    def kept(self, changed: ChangedFile, text: str) -> str:
        """What of such a file is worth keeping, empty for nothing."""


class Executor(Protocol):
    """Runs a job where it can do no harm."""

    def ready(self) -> None:
        """Raises InputError or SandboxError when no job could be run, before one is tried."""

    def run(self, job: Job) -> RunEvidence:
        """All repeats. Raises SandboxError when nothing could be run."""


class Reader(Protocol):
    """Reads the kernels' source."""

    def read(self, heads: FrozenHeads, ops: Sequence[str], items: Sequence[Item]) -> SourceEvidence | Absent:
        """What it says of operators, and of what the items' patches change; Absent where no source may be read.

        Raises EdgeError for what can't be had now.
        """


class Progress(Protocol):
    """Tells people how far a scan is."""

    def note(self, text: str) -> None:
        """Something is done before cases are followed."""

    def begin(self, total: int) -> None:
        """So many cases are to be followed."""

    def stage(self, case: Case, name: str) -> None:
        """A stage of a case begins."""

    def finish(self, case: Case) -> None:
        """A case has its outcome."""


class Store(Protocol):
    """The memory: what was done is not done again."""

    def save_items(self, window: Window, items: Iterable[Item]) -> None:
        """Remember the items of a window's listing, and no others but those that `save_details` brought from outside.

        All or nothing, also when the iterator raises. An item that says the same as before keeps its details.
        """

    def undetailed(self, window: Window, keys: Iterable[str]) -> list[str]:
        """Which of these items' details are still to be asked for, in their order."""

    def save_details(self, window: Window, kept: Collection[str], items: Iterable[Item]) -> None:
        """Remember items with their details, where their keys are `kept`; the others are from outside the window."""

    def forget_items(self, window: Window, keys: Iterable[str]) -> None:
        """Remove items."""

    def items(self, window: Window, keys: Iterable[str] | None = None) -> Iterator[Item]:
        """All of a window's items, or those of the keys that there are, in their order; never many in memory."""

    def begin_scan(self, window: Window, device: str, heads: FrozenHeads) -> None:
        """Say that a window's cases for a device are being followed."""

    def finish_scan(self, window: Window, device: str, state: str) -> None:
        """Say that a scan is over: `done`, or `held` where some cases wait or the window is not whole."""

    def load_case(self, key: str) -> Case | None:
        """The case as last saved, or None."""

    def start_case(self, case: Case, now: datetime) -> None:
        """Save a case that begins, perhaps anew: what stood in its place is kept as an attempt."""

    def save_case(self, case: Case, now: datetime) -> None:
        """Remember a case whole; its finding and draft become visible with it."""

    def retire(self, window: Window, device: str, leaders: Collection[str], now: datetime) -> None:
        """Keep as attempts, and as cases no longer, a window's cases for a device that none of these items leads."""

    def cases(self, window: Window, device: str) -> list[Case]:
        """A window's cases for a device, ordered by leader."""

    def owner_of(self, fingerprint: str) -> str | None:
        """The key of the case that holds a finding: the first that found it, unless that was retired since."""

    def findings(self) -> list[tuple[Finding, Draft, Case]]:
        """All findings, each once for ever with its case as it was then, newest window first."""

    def windows(self) -> list[WindowSummary]:
        """Every scanned window with its counts, newest first."""


class Decisions(Protocol):
    """What maintainers said of findings."""

    def decide(self, decision: Decision) -> None:
        """Remember a word on a finding; earlier ones stay."""

    def history(self) -> dict[str, list[Decision]]:
        """All that was said, by fingerprint, oldest first."""


class Remembered(Protocol):
    """The items that the store holds."""

    def keys(self, window: Window) -> Collection[str]:
        """Keys of a window's items."""

    def listed(self, window: Window) -> Iterator[Item]:
        """The items of the window's own listing, as they are known by now."""


class Readings(Protocol):
    """What was read from the forge, and how far."""

    def load(self, window: Window) -> Reading | None:
        """The reading of exactly this window."""

    def save(self, reading: Reading) -> None:
        """Remember how far a reading is; a closed one stays as it was."""

    def all(self) -> list[Reading]:
        """Every reading, oldest window first."""

    def page(self, window: Window, key: str) -> bytes | None:
        """A page as it came, or None."""

    def keep_page(self, window: Window, key: str, body: bytes, now: datetime) -> None:
        """Remember a page."""

    def watermark(self, name: str) -> datetime | None:
        """How far something has come; None where it has not begun."""

    def raise_watermark(self, name: str, moment: datetime) -> None:
        """Say how far it is now; it never goes back."""


class KnownTracker(Protocol):
    """What is known of the target's issues and pull requests."""

    def state(self, repo: str) -> TrackerState:
        """How far it was read."""

    def items(self, repo: str) -> Iterator[TrackedItem]:
        """All that is known, ordered by number; never many in memory. Raises InputError for what can't be read."""


class Trackers(KnownTracker, Protocol):
    """The memory of trackers."""

    def keep(self, repo: str, items: Iterable[TrackedItem], state: TrackerState) -> None:
        """Remember items as they are now and how far the reading is by them, all or nothing.

        What is older than what is known of an item changes nothing.
        """
