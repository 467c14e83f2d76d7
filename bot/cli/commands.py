"""All commands. Only typer is imported here; a command imports what it needs when it is called."""

import typer
from typer.main import get_command

from bot.cli import (
    analyse,
    bench,
    deciding,
    doctor,
    evaluate,
    file,
    findings,
    look,
    report,
    scan,
    service,
    stages,
    watch,
    windows,
)
from bot.cli.ending import told
from bot.errors import AlignbotError

USAGE_ERROR: type[Exception] = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "UsageError")
"""What every wrong command line raises. Typer shows it under no name of its own: it is click's in some versions, that
of a copy of click inside typer in others, and in all of them the base of what typer does show."""

app = typer.Typer(
    name="alignbot",
    help="Finds numerical and memory faults that PyTorch fixed for CUDA and that Intel's XPU kernels still have.",
    add_completion=False,
    rich_markup_mode=None,
)
for part in (
    scan,
    windows,
    stages,
    bench,
    evaluate,
    analyse,
    findings,
    deciding,
    file,
    watch,
    look,
    report,
    service,
    doctor,
):
    part.add_to(app)


def answer_to(arguments: list[str]) -> int:
    """The exit code of one command line. Typer's own way to run it would take a lost reader for a failed command."""
    try:
        with get_command(app).make_context("alignbot", arguments) as context:
            code = context.command.invoke(context)
            return code if isinstance(code, int) else 0
    except typer.Exit as stop:
        return stop.exit_code
    except AlignbotError as error:
        return told(str(error))
    except USAGE_ERROR as error:
        return told(f"{_sentence(error)}; `{_command_of(error)} --help` tells more")


def _sentence(error: Exception) -> str:
    message = getattr(error, "format_message", lambda: str(error))()
    return str(message).rstrip(".") or "nothing was given"


def _command_of(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return str(context.command_path) if context else "alignbot"
