"""The command line. Only typer is imported at the door; a command imports what it needs when it is called."""

import os
import sys
from typing import NoReturn

import typer

from bot.cli import look, scan, service, stages
from bot.errors import AlignbotError

USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""Base of what typer raises for a wrong command line."""

app = typer.Typer(
    name="alignbot",
    help="Finds numerical and memory faults that PyTorch fixed for CUDA and that Intel's XPU kernels still have.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for part in (scan, stages, look, service):
    part.add_to(app)


def main() -> NoReturn:
    """Run a command and end the process with its exit code; what is meant to be read is one line."""
    try:
        code = app(prog_name="alignbot", standalone_mode=False)
    except AlignbotError as error:
        code = _told(str(error))
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        if not isinstance(error, USAGE_ERROR):
            raise
        code = _told(f"{_sentence(error)}; `{_command_of(error)} --help` tells more")
    sys.exit(code if isinstance(code, int) else 0)


def _told(line: str) -> int:
    """Print an error as one line; its exit code."""
    print(f"alignbot: {' '.join(line.split())}", file=sys.stderr)  # noqa: T201
    return 2


def _sentence(error: Exception) -> str:
    message = getattr(error, "format_message", lambda: str(error))()
    return str(message).rstrip(".") or "nothing was given"


def _command_of(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return str(context.command_path) if context else "alignbot"
