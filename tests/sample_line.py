"""A line over the sample window whose scripts are answered from a recording: for tests of everything else."""

from pathlib import Path

from bot import targets, wire
from bot.edges.archive import Archive
from bot.edges.store import SqlStore
from bot.model import Window
from bot.pipeline import Line
from bot.registry import rules
from bot.resources import resource
from bot.seams import Clock, Executor, Store
from tests.fakes import FixedClock, RecordedExecutor

WINDOW = Window.parse("2026-11-11")


def sample() -> Archive:
    """The window that ships with the package."""
    return Archive(resource("sample") / "2026-11-11.jsonl")


def open_store(folder: Path) -> SqlStore:
    """A database in a folder."""
    return SqlStore(f"sqlite:///{folder / 'alignbot.db'}")


def recorded_line(store: Store, folder: Path, executor: Executor | None = None, clock: Clock | None = None) -> Line:
    """The stages as `scan` wires them, the sandbox apart."""
    return Line(
        target=targets.load("cpu"),
        executor=executor or RecordedExecutor(folder / "jobs.txt"),
        store=store,
        clock=clock or FixedClock(),
        templates=wire.templates(),
        classify_rules=rules("classify"),
        extract_rules=rules("extract"),
        port_rules=rules("port"),
        repeats=2,
        timeout_s=60.0,
        memory_bytes=1 << 30,
    )
