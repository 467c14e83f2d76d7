"""Reading what is named on the command line, where `-` is standard input."""

import shutil
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import InputError

if TYPE_CHECKING:
    from bot.model import Item

LARGEST = 16 << 20
"""Bytes of a script or a thread; nothing real comes near."""


def name_of(path: Path) -> str:
    """What an error calls it."""
    return "standard input" if str(path) == "-" else str(path)


def read_text(path: Path) -> str:
    """The text of a file or of standard input. Raises InputError."""
    name = name_of(path)
    try:
        with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{name} can't be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise InputError(f"{name} is larger than {LARGEST >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{name}, line {line}: no UTF-8 text: {error.reason}") from error


def read_items(path: Path) -> "list[Item]":
    """The items of an archive, or of standard input as JSON Lines. Raises InputError that names place and line."""
    from bot.edges import archive

    if str(path) != "-":
        return list(archive.read_items(path))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "items.jsonl"
        try:
            with copy.open("wb") as stream:
                shutil.copyfileobj(sys.stdin.buffer, stream)
            return list(archive.read_items(copy))
        except InputError as error:
            raise InputError(str(error).replace(str(copy), name_of(path))) from error
        except OSError as error:
            raise InputError(f"{name_of(path)} can't be read: {error.strerror}") from error
