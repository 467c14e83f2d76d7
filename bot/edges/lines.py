"""Items as JSON Lines, plain or compressed, one after the other: a file of any length takes the memory of one line."""

import gzip
import io
import json
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import zstandard
from pydantic import ValidationError

from bot.model import Item
from bot.seams import InputError

HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""The beginning of an escape that may be half a character."""
LONGEST_LINE = 64 << 20
"""Bytes of one line; GitHub's longest items with patches stay far below."""


def read_items(path: Path) -> Iterator[Item]:
    """Items of a `.jsonl`, `.jsonl.gz` or `.jsonl.zst` file. Raises InputError that names file and line."""
    return (item_of(line, path, number) for number, line in read_lines(path, path) if line.strip())


def read_lines(path: Path, name: Path) -> Iterator[tuple[int, bytes]]:
    """Every line with its number, from 1. Raises InputError, in which the file has the name that it was given by."""
    number = 0
    with _reading(path, name) as lines:
        while line := lines.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise InputError(f"{name}, line {number}: longer than {LONGEST_LINE >> 20} MiB")
            yield number, line


def item_of(line: bytes, path: Path, number: int) -> Item:
    """The item of a line. Raises InputError that names file and line."""
    place = f"{path}, line {number}"
    try:
        content = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: no JSON: {error}") from error
    if HALF.search(line) and _broken(content):
        raise InputError(f"{place}: it holds half a character (a lone surrogate)")
    if not isinstance(content, dict):
        raise InputError(f"{place}: an item is a JSON object, this is {type(content).__name__}")
    try:
        return Item.model_validate(content)
    except ValidationError as error:
        raise InputError(f"{place}: {first_of(error, 'item')}") from error


def _broken(content: object) -> bool:
    """Are there texts in it that UTF-8 can't hold? Two escapes can be one character; a lone one is none."""
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def first_of(error: ValidationError, whole: str) -> str:
    """What is wrong first, and in which field; in `whole` where no field alone is wrong."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or whole}: {first['msg']}"


@contextmanager
def seekable(path: Path) -> Iterator[Path]:
    """The file, or of a pipe a copy: what is read twice must be there twice. Raises InputError."""
    if not path.is_fifo():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"items{path.suffix}"
        try:
            with path.open("rb") as pipe, copy.open("xb") as kept:
                shutil.copyfileobj(pipe, kept)
        except OSError as error:
            raise InputError(f"{path} can't be read: {error.strerror}") from error
        yield copy


@contextmanager
def _reading(path: Path, name: Path) -> Iterator[IO[bytes]]:
    """The file's lines as bytes, decompressed; every way in which reading fails is an InputError."""
    try:
        with path.open("rb") as raw:
            if path.suffix == ".gz":
                yield io.BufferedReader(gzip.GzipFile(fileobj=raw))
            elif path.suffix == ".zst":
                yield io.BufferedReader(_Zstandard(raw))
            else:
                yield raw
    except FileNotFoundError as error:
        raise InputError(f"{name}: no such file") from error
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise InputError(
            f"{name} can't be read: {error.strerror if isinstance(error, OSError) and error.strerror else error}"
        ) from error


class _Zstandard(io.RawIOBase):
    """A zstandard stream that, unlike the library's reader, takes a cut file for an error and not for its end."""

    CHUNK = 1 << 12
    """Bytes read at once: a hostile file can't blow them up beyond 128 MiB."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """It only reads."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as one chunk goes; 0 at the end of the last frame."""
        while not self._ready:
            rest = self._frame.unused_data or self._raw.read(self.CHUNK)
            if not rest:
                if not self._frame.eof:
                    raise EOFError("it ends in the middle of its data")
                return 0
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            self._ready = memoryview(self._frame.decompress(rest))
        count = min(len(buffer), len(self._ready))
        buffer[:count], self._ready = self._ready[:count], self._ready[count:]
        return count
