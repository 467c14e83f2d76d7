"""`windows` and `collect`: what was read, what is missing, and reading it."""

import sys
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
    from contextlib import closing

    from bot import config, coverage, logs, wire
    from bot.cli.printing import emit, print_spent, print_windows
    from bot.errors import InputError

    logs.configure()
    settings, _ = config.load()
    if gaps and backfill:
        raise InputError("--gaps shows what is missing, --backfill reads it: give one of the two")
    with closing(wire.GitHub(settings)) as github:
        if backfill:
            standing = coverage.backfill(settings, github)
        else:
            standing = coverage.lacking(settings) if gaps else coverage.every(settings)
    if json:
        emit([_facts(one) for one in standing])
    elif gaps or backfill:
        print_windows([_facts(one) for one in standing], "nothing is missing")
    else:
        print_windows([_facts(one) for one in standing], "no window was read yet; `alignbot scan --window` reads one")
    if sum(not one.whole for one in standing) >= coverage.AT_MOST:
        told = f"the oldest {coverage.AT_MOST} windows that are missing are told; further ones after these"
        print(told, file=sys.stderr)  # noqa: T201
    if backfill:
        print_spent(github.spent)
    return 3 if (gaps or backfill) and not all(one.whole for one in standing) else 0


def collect(
    window: Annotated[str, typer.Option(help="2026-11-11, or START/END (UTC, half-open).")],
    output: Annotated[Path, typer.Option(help="File to write: .jsonl, .jsonl.gz or .jsonl.zst.")],
    json: Json = False,
) -> int:
    """Read a window with its candidates' details into an archive, from which `scan --archive` replays it."""
    from contextlib import closing

    from bot import config, coverage, logs, wire
    from bot.cli.printing import emit, print_collected, print_spent
    from bot.cli.scan import window_of

    logs.configure()
    settings, _ = config.load()
    with closing(wire.GitHub(settings)) as github:
        standing = coverage.collect(settings, window_of(window), output, github)
    facts = {**_facts(standing), "archive": None if standing.failed else str(output)}
    if json:
        emit(facts)
    else:
        print_collected(facts)
    print_spent(github.spent)
    return 0 if standing.whole else 3


def _facts(standing: "Standing") -> Mapping[str, Any]:
    """A window as `--json` prints it."""
    reading = standing.reading
    told: dict[str, Any] = {"window": "", "state": "missing", "why": "it was never read", "counts": {}}
    if reading is not None:
        told = reading.as_json()
    why = standing.failed or told["why"]
    return {**told, "window": str(standing.window), "why": why, "scans": dict(standing.scans)}
