"""How a script ended, told as Python would have told it without the harness around."""

import contextlib
import sys
import traceback
from pathlib import Path

HERE = str(Path(__file__).resolve().parent)
LONGEST = 10_000
"""Characters kept of an exception's own text."""


def code_of(stop: SystemExit) -> int:
    """The exit code that Python itself gives to this SystemExit; prints the message where it is one."""
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        code = int.__index__(stop.code)  # a subclass may have operators of its own
        return code & 0xFF if -(1 << 63) <= code < 1 << 63 else 255
    with contextlib.suppress(BaseException):  # what Python does with a message as code, and where there are no words
        if sys.stderr is not None:
            print(stop.code, file=sys.stderr)  # noqa: T201
    return 1


def spelled(error: BaseException) -> str:
    """`ValueError: text`, its first line always the exception's name."""
    if isinstance(error, SyntaxError):  # traceback puts the place in the source first
        return f"{type(error).__name__}: {error}"[:LONGEST]
    return "".join(traceback.format_exception_only(error)).strip()[:LONGEST]


def print_traceback(error: BaseException, name: str) -> None:
    """The traceback on standard error, without the harness's frames."""
    told = traceback.TracebackException(type(error), error, error.__traceback__)
    seen: set[int] = set()
    waiting: list[traceback.TracebackException | None] = [told]
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.stack = _own(one.stack, name)
        waiting += [one.__cause__, one.__context__, *(one.exceptions or ())]
    if sys.stderr is not None:
        print("".join(told.format()), end="", file=sys.stderr)  # noqa: T201


def _own(stack: traceback.StackSummary, name: str) -> traceback.StackSummary:
    """Frames from the script's first on; the observer's, and the calls that it made through torch, are left out."""
    first = next((place for place, frame in enumerate(stack) if frame.filename == name), 0)
    kept: list[traceback.FrameSummary] = []
    after_observer = False
    for frame in stack[first:]:
        if frame.filename.startswith(HERE):
            after_observer = True
        elif not (after_observer and frame.filename.endswith("torch/_ops.py")):
            kept.append(frame)
            after_observer = False
    return traceback.StackSummary.from_list(kept)
