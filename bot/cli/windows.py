"""`windows` and `collect`: what was read, what is missing, and reading it."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.stages import Json

if TYPE_CHECKING:
    from bot.coverage import Standing


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(windows)
    app.command()(collect)


def windows(
    gaps: Annotated[bool, typer.Option("--gaps", help="Only what is missing or open.")] = False,
    backfill: Annotated[bool, typer.Option("--backfill", help="Read what is missing or open, oldest first.")] = False,
    json: Json = False,
) -> int:
    """Every window that was read, with its state and counts, and what is missing between them."""
    from bot import config, coverage, logs
    from bot.cli.printing import emit, print_windows
    from bot.errors import InputError

    logs.configure()
    settings, _ = config.load()
    if gaps and backfill:
        raise InputError("--gaps shows what is missing, --backfill reads it: give one of the two")
    if backfill:
        standing, otherwise = list(coverage.backfill(settings)), "nothing is missing"
    elif gaps:
        standing, otherwise = coverage.gaps(settings), "nothing is missing"
    else:
        standing, otherwise = coverage.every(settings), "no window was read yet; `alignbot scan --window` reads one"
    facts = [_facts(one) for one in standing]
    if json:
        emit(facts)
    else:
        print_windows(facts, otherwise)
    return 3 if (gaps or backfill) and any(one["state"] != "closed" for one in facts) else 0


def collect(
    window: Annotated[str, typer.Option(help="2026-11-11, or START/END (UTC, half-open).")],
    output: Annotated[Path, typer.Option(help="File to write: .jsonl, .jsonl.gz or .jsonl.zst.")],
    json: Json = False,
) -> int:
    """Read a window with its candidates' details into an archive, from which `scan --archive` replays it."""
    from bot import config, coverage, logs
    from bot.cli.printing import emit, print_spent, print_windows
    from bot.cli.scan import window_of

    logs.configure()
    settings, _ = config.load()
    standing, spent = coverage.collect(settings, window_of(window), output)
    facts = {**_facts(standing), "archive": str(output)}
    if json:
        emit(facts)
    else:
        print_windows([facts], "")
    print_spent(spent)
    return 0 if facts["state"] == "closed" else 3


def _facts(standing: "Standing") -> Mapping[str, Any]:
    """A window as `--json` prints it."""
    reading = standing.reading
    told: dict[str, Any] = {"window": "", "state": "missing", "why": "it was never read", "counts": {}}
    if reading is not None:
        told = {**told, **reading.as_json()}
    return {**told, "window": str(standing.window), "scans": dict(standing.scans)}
