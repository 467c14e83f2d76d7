"""Fakes that stand beside the seams, each a whole implementation of its Protocol."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot.model import Case, FrozenHeads, Item, Job, Reading, RunEvidence

EVIDENCE = Path(__file__).parent / "data/seed_evidence.json"
"""What the sandbox recorded of the seed's reproducer on the CPU with torch 2.13.0."""

UNFROZEN = FrozenHeads()


class Listed:
    """A Source of given items."""

    def __init__(self, items: Iterable[Item], heads: FrozenHeads = UNFROZEN) -> None:
        self._items, self._heads = tuple(items), heads

    def heads(self) -> FrozenHeads:
        """Those given, else none was frozen."""
        return self._heads

    def items(self) -> Iterator[Item]:
        """In the order given."""
        return iter(self._items)

    def details(self, kept: Sequence[Item]) -> Iterator[Item]:
        """It knows no more."""
        return iter(kept)

    def reading(self) -> Reading | None:
        """Nobody counted."""
        return None


class OnDemand(Listed):
    """A Source as GitHub is one: it lists items without details, some not at all, and says the rest when asked."""

    def __init__(
        self,
        items: Iterable[Item],
        heads: FrozenHeads = UNFROZEN,
        outside: Collection[str] = (),
        counted: Reading | None = None,
    ) -> None:
        super().__init__(items, heads)
        self._outside, self._counted = outside, counted
        self.asked: list[tuple[str, ...]] = []
        """Keys, a batch each."""

    def items(self) -> Iterator[Item]:
        """Those that aren't outside, in the order given."""
        return (self._bare(item) for item in self._items if item.key not in self._outside)

    def details(self, kept: Sequence[Item]) -> Iterator[Item]:
        """The kept items whole, then what lies outside and is one change with them."""
        self.asked.append(tuple(item.key for item in kept))
        whole = [item for item in self._items if item.key in self.asked[-1]]
        links = {f"{link.repo}#{link.number}" for item in whole for link in item.links if link.kind != "mentions"}
        others = (item for item in self._items if item.key in links & {*self._outside} - {*self.asked[-1]})
        return iter([*whole, *map(self._bare, others)])

    def reading(self) -> Reading | None:
        """What was given."""
        return self._counted

    @staticmethod
    def _bare(item: Item) -> Item:
        return item.model_copy(update={"comments": (), "files": (), "links": ()})


class RecordedExecutor:
    """An Executor that answers from a recording and notes each job in a file, so that kills don't lose the count."""

    def __init__(self, log: Path, *, sandboxed: bool = True) -> None:
        self._log = log
        self._evidence = RunEvidence.model_validate_json(EVIDENCE.read_bytes()).model_copy(
            update={"sandboxed": sandboxed}
        )

    def ready(self) -> None:
        """A recording is always ready."""

    def run(self, job: Job) -> RunEvidence:
        """The recorded evidence, whatever the script says, under the script's own digest."""
        with self._log.open("a", encoding="utf-8") as log:
            log.write(f"{job.script_sha256}\n")
        return self._evidence.model_copy(update={"script_sha256": job.script_sha256})


class FixedClock:
    """A Clock that stands still until it is set."""

    def __init__(self, moment: datetime = datetime(2026, 11, 12, 6, tzinfo=UTC)) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """The moment it was set to."""
        return self.moment


class Silent:
    """A Progress that keeps what it was told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.stages: list[tuple[str, str]] = []
        self.finished: list[str] = []

    def note(self, text: str) -> None:
        """Keep it."""
        self.notes.append(text)

    def begin(self, total: int) -> None:
        """Nothing to keep."""

    def stage(self, case: Case, name: str) -> None:
        """Keep the stage."""
        self.stages.append((case.leader.key, name))

    def finish(self, case: Case) -> None:
        """Keep the case."""
        self.finished.append(case.leader.key)


class Failing(RecordedExecutor):
    """An Executor that fails as it is told to."""

    def __init__(self, log: Path, error: Exception) -> None:
        super().__init__(log)
        self._error = error

    def run(self, job: Job) -> RunEvidence:
        """Never answers."""
        raise self._error
