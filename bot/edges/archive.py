"""Archives of items: JSON Lines, plain or compressed, and beside them the window and the heads they were read at."""

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import zstandard
from pydantic import Field, ValidationError

from bot.model import FrozenHeads, Item, Value, Window, WindowError, within
from bot.seams import InputError

HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""The beginning of an escape that may be half a character."""
LONGEST_LINE = 64 << 20
"""Bytes of one line; GitHub's longest items with patches stay far below."""


class Manifest(Value):
    """What stands beside an archive as `NAME.window.json`."""

    window: str
    heads: FrozenHeads = FrozenHeads()
    counts: dict[str, int] = Field(default_factory=dict)


class Archive:
    """A Source over a file. Nothing is read before it is asked for."""

    def __init__(self, path: Path, window: Window | None = None) -> None:
        self.path = path
        self._manifest = _manifest_beside(path)
        self._chosen = window

    @property
    def window(self) -> Window | None:
        """The window that the archive says it holds, else the one that was asked for."""
        return Window.parse(self._manifest.window) if self._manifest else self._chosen

    def heads(self) -> FrozenHeads:
        """The heads that were frozen when the archive was made."""
        return self._manifest.heads if self._manifest else FrozenHeads()

    def items(self) -> Iterator[Item]:
        """The window's items, each once: of two with the same number the later line counts. Raises InputError."""
        found = {item.key: item for item in read_items(self.path)}
        for kind, promised in (self._manifest.counts if self._manifest else {}).items():
            held = sum(item.kind == kind for item in found.values())
            if held != promised:
                raise InputError(
                    f"{self.path} holds {held} items of kind {kind}, its window file promises {promised}: get it again"
                )
        if self._manifest is None and self._chosen is not None:
            yield from within(found.values(), self._chosen)
        else:
            yield from found.values()


def read_items(path: Path) -> Iterator[Item]:
    """Items of a `.jsonl`, `.jsonl.gz` or `.jsonl.zst` file. Raises InputError that names file and line."""
    number = 0
    with _reading(path) as lines:
        while line := lines.readline(LONGEST_LINE):
            number += 1
            if len(line) == LONGEST_LINE:
                raise InputError(f"{path}, line {number}: longer than {LONGEST_LINE >> 20} MiB")
            if line.strip():
                yield _item(line, f"{path}, line {number}")


def _broken(content: object) -> bool:
    """Are there texts in it that UTF-8 can't hold? Two escapes can be one character; a lone one is none."""
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _item(line: bytes, place: str) -> Item:
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
        raise InputError(f"{place}: {_first_of(error, 'item')}") from error


def _first_of(error: ValidationError, whole: str) -> str:
    """What is wrong first, and in which field; in `whole` where no field alone is wrong."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or whole}: {first['msg']}"


@contextmanager
def _reading(path: Path) -> Iterator[IO[bytes]]:
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
        raise InputError(f"{path}: no such file") from error
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        raise InputError(
            f"{path} can't be read: {error.strerror if isinstance(error, OSError) and error.strerror else error}"
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


def _manifest_beside(path: Path) -> Manifest | None:
    """`2026-11-11.window.json` for `2026-11-11.jsonl.zst`."""
    beside = path.with_name(path.name.partition(".jsonl")[0] + ".window.json")
    if not beside.is_file():
        return None
    try:
        manifest = Manifest.model_validate_json(beside.read_bytes())
        Window.parse(manifest.window)
    except ValidationError as error:
        raise InputError(f"{beside} is no window file: {_first_of(error, 'it')}") from error
    except (OSError, WindowError) as error:
        raise InputError(f"{beside} is no window file: {error}") from error
    return manifest
