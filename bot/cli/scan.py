"""`alignbot scan`: a window goes in, finished issue drafts come out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.simulating import Simulate, Simulating

if TYPE_CHECKING:
    from bot.model import Window

Unsandboxed = Annotated[
    bool,
    typer.Option(
        "--run-strangers-code-without-sandbox",
        help="Run scripts as yourself, with your files and your network. Never on a machine that matters.",
    ),
]
Device = Annotated[str, typer.Option("--device", help="Device under test: xpu, cuda or cpu.")]


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command(cls=Simulating)(scan)


def scan(
    window: Annotated[str | None, typer.Option(help="2026-11-11, or START/END (UTC, half-open).")] = None,
    sample: Annotated[bool, typer.Option("--sample", help="The window that ships with alignbot.")] = False,
    archive: Annotated[Path | None, typer.Option(help="Items from a .jsonl, .jsonl.gz or .jsonl.zst file.")] = None,
    tracker: Annotated[
        Path | None, typer.Option(help="The target's issues and pull requests as an archive, searched for duplicates.")
    ] = None,
    device: Device = "xpu",
    simulate: Simulate = None,
    out: Annotated[Path | None, typer.Option(help="Folder for report, ledger, drafts, reproducers and logs.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Remember nothing: the store stays as it is.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    unsandboxed: Unsandboxed = False,
) -> int:
    """Scan a window: classify its items, run the candidates' reproducers, write drafts of what is wrong."""
    from contextlib import closing

    from bot import config, logs, scanning, wire
    from bot.cli.printing import emit, print_scan, print_spent, print_waiting
    from bot.cli.simulating import plan_of
    from bot.errors import ForgeError

    logs.configure()
    settings, _ = config.load()
    order = scanning.Order(
        window=window_of(window) if window else None, sample=sample, archive=archive, device=device, out=out,
        tracker=tracker, dry_run=dry_run, unsandboxed=unsandboxed, simulate=plan_of(simulate),
    )  # fmt: skip
    held = True
    with closing(wire.GitHub(settings)) as github:
        try:
            result = scanning.run(settings, order, github)
        except ForgeError as error:
            print_waiting(window, error)
        else:
            held = result.held
            if json:
                emit(result.facts)
            else:
                print_scan(result.facts, result.out)
    if order.reads_github:
        print_spent(github.spent)
    return 3 if held else 0


def window_of(text: str) -> "Window":
    """The window that was typed. Raises InputError with what to write."""
    from bot.errors import InputError
    from bot.model import Window, WindowError

    try:
        return Window.parse(text)
    except WindowError as error:
        raise InputError(str(error)) from error
