"""Reading what is named on the command line, where `-` is standard input."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
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
    from bot.edges.lines import item_of

    name = Path(name_of(path))
    return [item_of(line, name, number) for number, line in read_lines(path) if line.strip()]


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line of an archive, or of standard input, with its number. Raises InputError."""
    from bot.edges import lines

    if str(path) != "-":
        yield from lines.read_lines(path, path)
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "items.jsonl"
        try:
            with copy.open("wb") as stream:
                shutil.copyfileobj(sys.stdin.buffer, stream)
        except OSError as error:
            raise InputError(f"{name_of(path)} can't be read: {error.strerror}") from error
        yield from lines.read_lines(copy, Path(name_of(path)))
