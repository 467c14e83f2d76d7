"""`report`: what became of a window, from the store: the funnel, each item, what it cost, and what waits."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.stages import Json


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(report)


def report(
    window: Annotated[str, typer.Option(help="2026-11-11, or START/END; the last one that was scanned without.")] = "",
    device: Annotated[str, typer.Option(help="Only of this device, e.g. xpu or simulated-xpu.")] = "",
    html: Annotated[bool, typer.Option("--html", help="One page of HTML.")] = False,
    json: Json = False,
    output: Annotated[Path | None, typer.Option(help="A file to write; standard output if it isn't given.")] = None,
) -> int:
    """Tell of a scanned window for people, as Markdown, HTML or JSON. Exit code 1 when it was not scanned."""
    import sys

    from bot import config, reporting
    from bot.edges.whole import write_whole
    from bot.errors import InputError
    from bot.model import Window, WindowError

    if html and json:
        raise InputError("--html and --json are two forms of one report: give one of them")
    try:
        chosen = Window.parse(window) if window else None
    except WindowError as error:
        raise InputError(str(error)) from error
    settings, _ = config.load()
    text = reporting.report(settings, chosen, device, "html" if html else "json" if json else "markdown")
    if text is None:
        which = f"{chosen or 'any window'}{f' on {device}' if device else ''}"
        print(f"alignbot: no scan of {which} is in the store; `alignbot windows` shows all", file=sys.stderr)  # noqa: T201
        return 1
    if output is None:
        sys.stdout.write(text)
    else:
        write_whole(output, text, "--output")
    return 0
