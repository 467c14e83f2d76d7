"""The command line. Nothing heavy is imported at the door: a command imports what it needs when it is called."""

import sys
from typing import NoReturn

from bot.cli import ending, quick
from bot.errors import AlignbotError


def main() -> NoReturn:
    """Run a command and end the process with its exit code; what is meant to be read is one line."""
    ending.prepare()
    try:
        code = _answer(sys.argv[1:])
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # rich makes the one into the other
        code = ending.READER_GONE
    except OSError as error:
        code = ending.told(f"the output can't be written: {error.strerror or error}")
    except KeyboardInterrupt:
        code = ending.INTERRUPTED
    except ending.Terminated:
        code = ending.TERMINATED
    ending.leave(code)


def _answer(arguments: list[str]) -> int:
    """The exit code of one command line."""
    try:
        if (asked := quick.asked(arguments)) is not None:
            from bot.cli.analysis import answer

            return answer(**asked)
    except AlignbotError as error:
        return ending.told(str(error))
    from bot.cli.commands import answer_to

    return answer_to(arguments)
