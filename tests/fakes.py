"""Fakes that stand beside the seams, each a whole implementation of its Protocol."""

from datetime import UTC, datetime
from pathlib import Path

from bot.model import Case, Job, RunEvidence

EVIDENCE = Path(__file__).parent / "data/seed_evidence.json"
"""What the sandbox recorded of the seed's reproducer on the CPU with torch 2.13.0."""


class RecordedExecutor:
    """An Executor that answers from a recording and notes each job in a file, so that kills don't lose the count."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._evidence = RunEvidence.model_validate_json(EVIDENCE.read_bytes())

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
        self.stages: list[tuple[str, str]] = []
        self.finished: list[str] = []

    def begin(self, total: int) -> None:
        """Nothing to keep."""

    def stage(self, case: Case, name: str) -> None:
        """Keep the stage."""
        self.stages.append((case.leader.key, name))

    def finish(self, case: Case) -> None:
        """Keep the case."""
        self.finished.append(case.leader.key)
