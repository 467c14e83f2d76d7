"""Reading what is named on the command line."""

import sys
from pathlib import Path

from bot.errors import InputError

LARGEST = 16 << 20
"""Bytes of a script or a thread; nothing real comes near."""


def read_text(path: Path) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError."""
    try:
        content = sys.stdin.buffer.read(LARGEST + 1) if str(path) == "-" else path.read_bytes()[: LARGEST + 1]
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from error
    if len(content) > LARGEST:
        raise InputError(f"{path} is larger than {LARGEST >> 20} MiB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: no UTF-8 text: {error.reason}") from error
