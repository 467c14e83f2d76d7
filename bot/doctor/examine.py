"""The list of checks, in the order in which they are told."""

from collections.abc import Iterator
from pathlib import Path

from bot import wire
from bot.doctor import machine
from bot.doctor.check import Check
from bot.doctor.filing import filing
from bot.doctor.github import Visit
from bot.doctor.steps import Step, take
from bot.edges.executors.bare import EMPTY_SCRIPT_S
from bot.edges.executors.local import PROBE_S
from bot.settings import Settings

QUICK_S = 10.0
ASKED_S = 45.0
"""For what asks GitHub: three tries, each of which may last, and their pauses."""
READ_S = 120.0
"""For reading a database from end to end."""
SPARE_S = 15.0


def examine(settings: Settings, path: Path | None, device: str) -> Iterator[Check]:
    """Each check as soon as it is there; `path` is the configuration file. Raises InputError for an unknown device."""
    wire.target(device)
    visit = Visit(settings)
    try:
        yield from take(_steps(settings, path, device, visit))
    finally:
        visit.close()


def _steps(settings: Settings, path: Path | None, device: str, visit: Visit) -> list[Step]:
    python = settings.run.python
    return [
        Step("configuration", lambda: machine.configuration(path), QUICK_S),
        Step("github", visit.reachability, ASKED_S),
        Step("clock", visit.clock, QUICK_S, needs=("github",)),
        Step("token", visit.token, ASKED_S),
        Step("budget", visit.budget, QUICK_S, needs=("token",)),
        Step("repositories", visit.repositories, 2 * ASKED_S, needs=("token",)),
        Step("permissions", visit.permissions, ASKED_S, needs=("token",)),
        Step("interpreter", lambda: machine.interpreter(python), 2 * SPARE_S + QUICK_S),
        Step("sandbox", lambda: machine.sandbox(python, device), EMPTY_SCRIPT_S + SPARE_S),
        Step("device", lambda: machine.device(settings, device), PROBE_S + SPARE_S, needs=("interpreter", "sandbox")),
        Step("database", lambda: machine.database(settings), READ_S),
        Step("disk", lambda: machine.disk(settings.state), QUICK_S),
        Step("filing", lambda: filing(settings), QUICK_S),
    ]
