"""A GitHub on loopback with little in it, the time as of which a schedule sees it, and what scans of it left behind."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.edges.store import SqlStore
from bot.model import Window
from tests.double import Double, Repository, changes, landing

DAY = date(2025, 11, 11)
"""The day that most tests read: more than a day ago, so that what is hidden is hidden for good."""
ONCE = ("daemon", "--once", "--device", "cpu")
BEGIN = datetime(2025, 11, 1, tzinfo=UTC)
ALL_DAY = 86_400


@dataclass
class Loopback:
    """GitHub with both repositories, each with one commit."""

    double: Double
    upstream: Repository
    counted: int = 0

    @classmethod
    def over(cls, double: Double) -> "Loopback":
        """Made in the world of a double. The numbers begin with 1: the sequence has an end that can be reached."""
        upstream = double.world.add_repository("pytorch/pytorch", next_number=1)
        target = double.world.add_repository("intel/torch-xpu-ops", next_number=1)
        for repository in (upstream, target):
            landing.commit(repository, "The first commit", at=BEGIN)
        return cls(double, upstream)

    @property
    def variables(self) -> dict[str, str]:
        """What points the command line at it."""
        return {
            "ALIGNBOT_GITHUB__API": self.double.url,
            "ALIGNBOT_GITHUB_TOKEN": self.double.world.token,
            "ALIGNBOT_GITHUB__MAX_WAIT": "1s",
        }

    def asked(self) -> int:
        """How many requests there were since this was called last."""
        before, self.counted = self.counted, self.double.requests
        return self.counted - before

    def issue(self, at: datetime, title: str = "[Docs] Fix a typo", body: str = "Nothing to run.") -> int:
        """An issue, by itself one that is dropped at once."""
        return changes.create_issue(self.upstream, title, body, at=at).number

    def defect(self, at: datetime, body: str = "It is off by a factor of eight.") -> int:
        """An issue that the classifier keeps, by itself without a script."""
        return self.issue(at, "grid_sampler_2d_backward gives wrong results on CUDA in bfloat16", body)

    def fill(self, *days: date, count: int = 3) -> list[int]:
        """Issues from the first second of each day to its last."""
        seconds = [int(place * (ALL_DAY - 1) / (count - 1)) for place in range(count)]
        return [self.issue(midnight(day) + timedelta(seconds=second)) for day in days for second in seconds]

    def created(self, window: Window) -> set[int]:
        """The truth: numbers of the issues and pull requests that were created in a window."""
        return {each.number for each in self.upstream.threads.values() if each.here and each.created_at in window}


def midnight(day: date = DAY) -> datetime:
    """The first second of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def noon(day: date = DAY) -> datetime:
    """The middle of a day."""
    return midnight(day) + timedelta(hours=12)


def later(days: int) -> date:
    """A day by its distance from DAY."""
    return DAY + timedelta(days=days)


def week(days: int) -> list[date]:
    """Consecutive days from DAY on."""
    return [later(place) for place in range(days)]


def as_of(day: date) -> dict[str, str]:
    """Variables by which the schedule sees a minute after noon of a day: the day before is the last that is over."""
    moment = noon(day) + timedelta(minutes=1)
    return {"ALIGNBOT_WINDOWS__DELAY": f"{(datetime.now(UTC) - moment).total_seconds():.0f}s"}


def an_hour_ago(length: timedelta = timedelta(hours=6)) -> Window:
    """A window that ended so lately that a hidden number may be one that is yet to appear."""
    end = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    return Window(start=end - length, end=end)


@dataclass(frozen=True)
class Typed:
    """A command line that has ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """Standard output, which holds JSON and nothing else."""
        return json.loads(self.stdout)

    @property
    def lines(self) -> list[str]:
        """Standard error."""
        return self.stderr.splitlines()

    def log(self, event: str) -> list[dict[str, Any]]:
        """Of a service's standard error, all of which is JSON line by line, what tells of one kind of event."""
        return [line for line in map(json.loads, self.lines) if line["event"] == event]


def starts(facts: Sequence[Mapping[str, Any]]) -> list[str]:
    """When each of these windows begins, a day as such."""
    return [str(one["window"]).split("/")[0].removesuffix("T00:00:00Z") for one in facts]


def scanned(done: Typed) -> list[str]:
    """The windows that a round scanned, in its order, as `starts` tells them."""
    return starts(done.log("window scanned"))


def ledger(folder: Path) -> dict[int | str, dict[str, Any]]:
    """Ledger entries by number."""
    lines = (folder / "ledger.jsonl").read_text("utf-8").splitlines()
    return {entry["number"]: entry for entry in map(json.loads, lines)}


def of_day(state: Path, day: date = DAY) -> dict[int | str, dict[str, Any]]:
    """The ledger of a day's window where the service writes it."""
    return ledger(state / "scans" / f"{Window.parse(str(day))}-cpu".replace("/", "_"))


def written(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its name there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def timeless(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files of a scan without the dates to look again: they count from when the scan was made."""
    entries = [json.loads(line) for line in files["ledger.jsonl"].splitlines()]
    kept = dict(files)
    for moment in {entry["look_again_at"] for entry in entries} - {None}:
        kept = {name: text.replace(moment.encode(), b"LATER") for name, text in kept.items()}
    return kept


def remembered(state: Path, window: Window) -> list[int]:
    """Numbers of the items that the store holds of a window."""
    store = SqlStore(state / "alignbot.db")
    try:
        return sorted(item.number for item in store.items(window) if isinstance(item.number, int))
    finally:
        store.close()
