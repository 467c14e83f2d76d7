"""Archives of items: JSON Lines, plain or compressed, and beside them the window and what was counted of it."""

import gzip
import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import zstandard
from pydantic import Field, ValidationError

from bot.edges.lines import LONGEST_LINE, first_of, item_of, read_items, read_lines, seekable
from bot.model import FrozenHeads, Item, Reading, Value, Window, WindowError, within
from bot.seams import InputError

ZSTANDARD_LEVEL = 10

__all__ = ["Archive", "Manifest", "check_name", "read_items", "write_archive"]


class Manifest(Value):
    """What stands beside an archive as `NAME.window.json`."""

    window: str
    heads: FrozenHeads = FrozenHeads()
    counts: dict[str, int] = Field(default_factory=dict)
    """Items by kind; the archive must hold as many."""
    sha256: str | None = None
    """Of the lines, uncompressed."""
    reading: Reading | None = None


class Archive:
    """A Source over a file. Nothing is read before it is asked for, and then twice: no item waits in memory."""

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
        with seekable(self.path) as place:
            wanted = self._checked(place)
            for number, line in read_lines(place, self.path):
                if number in wanted:
                    yield item_of(line, self.path, number)

    def details(self, kept: Sequence[Item]) -> Iterator[Item]:
        """The same items: an archive holds them with all that it knows."""
        return iter(kept)

    def reading(self) -> Reading | None:
        """How whole the window was when the archive was made."""
        return self._manifest.reading if self._manifest else None

    def _checked(self, place: Path) -> frozenset[int]:
        """The lines that count. Raises InputError for one that can't be read, or where the window file disagrees."""
        seen = _Seen()
        items = seen.passing(place, self.path)
        if self._manifest is None and self._chosen is not None:
            keys = within(items, self._chosen)
            return frozenset(number for key, (number, _) in seen.last.items() if key in keys)
        for _ in items:
            pass
        self._compare(seen)
        return frozenset(number for number, _ in seen.last.values())

    def _compare(self, seen: "_Seen") -> None:
        """What the window file promises must be there."""
        manifest = self._manifest or Manifest(window="")
        found = Counter(kind for _, kind in seen.last.values())
        for kind, promised in manifest.counts.items():
            if found[kind] != promised:
                raise InputError(
                    f"{self.path} holds {found[kind]} items of kind {kind}, "
                    f"its window file promises {promised}: get it again"
                )
        if manifest.sha256 not in (None, seen.digest.hexdigest()):
            raise InputError(f"{self.path} is not the file that its window file speaks of (sha256): get both again")


class _Seen:
    """What a first pass notes: for each key the last line and its kind, and the digest of all lines."""

    def __init__(self) -> None:
        self.last: dict[str, tuple[int, str]] = {}
        self.digest = hashlib.sha256()

    def passing(self, place: Path, name: Path) -> Iterator[Item]:
        """Every item, noted as it passes."""
        for number, line in read_lines(place, name):
            self.digest.update(line)
            if line.strip():
                item = item_of(line, name, number)
                self.last[item.key] = number, item.kind.value
                yield item


def check_name(path: Path) -> None:
    """Raises InputError when no archive can be called so."""
    if not path.name.endswith((".jsonl", ".jsonl.gz", ".jsonl.zst")):
        raise InputError(f"{path} is no name of an archive: it ends in .jsonl, .jsonl.gz or .jsonl.zst")


def write_archive(
    path: Path, items: Iterable[Item], reading: Reading | None, window: Window, heads: FrozenHeads
) -> None:
    """Write items and, once they are all there, the window file beside them; the same items give the same bytes.

    Raises InputError for a name of another form, or where the files can't be written; what stood there then stays.
    """
    check_name(path)
    counts: Counter[str] = Counter()
    digest = hashlib.sha256()
    with _replacing(path, _beside(path)) as (raw, window_file):
        with _packing(path, raw) as write:
            for item in items:
                line = item.model_dump_json(exclude_defaults=True).encode() + b"\n"
                if len(line) >= LONGEST_LINE:
                    raise InputError(f"{item.key} is longer than {LONGEST_LINE >> 20} MiB, which no archive may hold")
                counts[item.kind.value] += 1
                digest.update(line)
                write(line)
        manifest = Manifest(
            window=str(window),
            heads=heads,
            counts=dict(sorted(counts.items())),
            sha256=digest.hexdigest(),
            reading=reading,
        )
        window_file.write(manifest.model_dump_json(indent=2).encode() + b"\n")


@contextmanager
def _replacing(*paths: Path) -> Iterator[Sequence[IO[bytes]]]:
    """Files to write, which take the places of `paths` in that order once all are written, or never."""
    partial = [path.with_name(f".{path.name}.partial") for path in paths]
    try:
        with ExitStack() as opened:
            files = [opened.enter_context(path.open("wb")) for path in partial]
            yield files
            for file in files:
                file.flush()
                os.fsync(file.fileno())
        for written, path in zip(partial, paths, strict=True):
            written.replace(path)
    except OSError as error:
        raise InputError(f"{paths[0]} can't be written: {error.strerror}") from error
    finally:
        for path in partial:
            path.unlink(missing_ok=True)


@contextmanager
def _packing(path: Path, raw: IO[bytes]) -> Iterator[Callable[[bytes], object]]:
    """Write what compresses as the file's name says, always to the same bytes."""
    if path.suffix == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            yield packed.write
    elif path.suffix == ".zst":
        with zstandard.ZstdCompressor(level=ZSTANDARD_LEVEL).stream_writer(raw, closefd=False) as stream:
            yield stream.write
    else:
        yield raw.write


def _beside(path: Path) -> Path:
    """`2026-11-11.window.json` for `2026-11-11.jsonl.zst`."""
    return path.with_name(path.name.partition(".jsonl")[0] + ".window.json")


def _manifest_beside(path: Path) -> Manifest | None:
    beside = _beside(path)
    if not beside.is_file():
        return None
    try:
        manifest = Manifest.model_validate_json(beside.read_bytes())
        Window.parse(manifest.window)
    except ValidationError as error:
        raise InputError(f"{beside} is no window file: {first_of(error, 'it')}") from error
    except (OSError, WindowError) as error:
        raise InputError(f"{beside} is no window file: {error}") from error
    return manifest
