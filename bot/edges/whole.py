"""Writing one file so that it is there whole or as it was: whoever reads it later must not find half of it."""

import errno
import os
import shutil
from pathlib import Path

from bot.seams import InputError


def write_whole(path: Path, text: str, option: str) -> None:
    """Write a file in one step, however the process ends; to a device or a pipe as it comes.

    Raises InputError that names `option`, which chose the path; what stood there then stays.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, "utf-8")
        else:
            _replace(path.resolve(), text)
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}; give another {option}") from error


def _replace(path: Path, text: str) -> None:
    """Write it beside its place under a name that is this process's alone, then move it there."""
    there = path.exists()
    if there and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    partial = path.with_name(f".alignbot-{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if there:
            shutil.copymode(path, partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
