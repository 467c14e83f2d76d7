"""How the process begins and ends: with three open streams, and quietly when a reader or a signal ends it."""

import contextlib
import io
import os
import signal
import sys
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT
READER_GONE = 128 + signal.SIGPIPE
TERMINATED = 128 + signal.SIGTERM
"""Exit codes as a shell tells them of a command that such a signal ended."""


class Terminated(BaseException):
    """SIGTERM arrived. Like KeyboardInterrupt it passes everything that catches errors, and every `finally` runs."""


def prepare() -> None:
    """Call once, first: streams that the caller closed lead nowhere, SIGTERM unwinds instead of cutting off, and output
    is UTF-8 whatever the locale says; what that can't hold (bytes of a file's name) is written out.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is the one that is missing: no database may get it
            os.open(os.devnull, os.O_RDWR)
    # Python has None for a stream that was closed, and print() to None goes to standard output.
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminate)


def told(line: str) -> int:
    """Print an error as one line; its exit code."""
    print(f"alignbot: {' '.join(line.split())}", file=sys.stderr)  # noqa: T201
    return 2


def leave(code: int) -> NoReturn:
    """End the process. What a stream still holds for a reader who left is thrown away without a word."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def _terminate(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: a second one must not break the unwinding
    raise Terminated
