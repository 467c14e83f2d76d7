"""`alignbot doctor`: a line for each thing that a scan needs."""

from typing import TYPE_CHECKING

import typer

from bot.cli.scan import Device
from bot.cli.stages import Json

if TYPE_CHECKING:
    from bot.doctor.check import Check

STYLES = {"ok": "green", "warning": "yellow", "wrong": "bold red", "skipped": "dim"}
INDENT = len("configuration") + 2


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(doctor)


def doctor(device: Device = "xpu", json: Json = False) -> int:
    """Look at everything that a scan needs, and change nothing. Exit code 1 when something is wrong."""
    from dataclasses import asdict

    from bot import config
    from bot.cli.printing import emit
    from bot.doctor.check import State, worst
    from bot.doctor.examine import examine

    _without_logs()
    settings, path = config.load()
    checks = []
    for check in examine(settings, path, device):
        checks.append(check)
        if not json:
            _print(check)
    state = worst(checks)
    if json:
        emit({"state": state, "device": device, "checks": [asdict(check) for check in checks]})
    else:
        _print_sum(checks)
    return 1 if state is State.WRONG else 0


def _without_logs() -> None:
    """What the parts would log, the checks tell."""
    import logging

    import structlog

    from bot import logs

    logs.configure()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def _print(check: "Check") -> None:
    """One line: wrapped below itself on a terminal, whole for everything else."""
    from rich.console import Console
    from rich.text import Text

    from bot.stages.markup import visible

    told = visible(f"{check.told}; {check.cure}" if check.cure else check.told)
    line = Text.assemble((check.state, STYLES[check.state]), f": {told}")
    console = Console(highlight=False)
    room = max(console.width - INDENT, INDENT)
    parts = line.wrap(console, room, overflow="fold") if console.is_terminal else [line]
    for number, part in enumerate(parts):
        part.rstrip()
        console.print(Text("" if number else check.name).append(" " * INDENT)[:INDENT] + part, soft_wrap=True)


def _print_sum(checks: "list[Check]") -> None:
    """How many are not right."""
    counts = {state: sum(check.state == state for check in checks) for state in ("wrong", "warning", "skipped")}
    words = {"warning": "warnings" if counts["warning"] > 1 else "warning"}
    told = [f"{count} {words.get(state, state)}" for state, count in counts.items() if count]
    print(f"\n{', '.join(told) or 'all right'}", flush=True)  # noqa: T201
