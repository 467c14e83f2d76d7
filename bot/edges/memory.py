"""What was read of sources before, by what they say: one file for texts, one for each tree. It may be deleted."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_TREES = 16
"""Trees that are remembered; the oldest goes first."""


def digest_of(parts: Iterable[str]) -> str:
    """One name for many."""
    made = hashlib.sha256()
    for part in parts:
        made.update(part.encode())
        made.update(b"\0")
    return made.hexdigest()[:32]


class Memory:
    """A folder of remembered readings, of one version of the rules. Whatever is broken there counts as not there."""

    def __init__(self, folder: Path, version: str) -> None:
        self._folder = folder
        self._version = version

    def tree(self, digest: str) -> dict[str, Any] | None:
        """What was made of a whole tree."""
        try:
            plain = json.loads((self._folder / f"tree-{self._version}-{digest}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return plain if isinstance(plain, dict) else None

    def keep_tree(self, digest: str, plain: Mapping[str, Any]) -> None:
        """Remember it, and forget what is oldest or was made by other rules."""
        self._write(f"tree-{self._version}-{digest}.json", json.dumps(plain, ensure_ascii=False))
        with suppress(OSError):
            trees = sorted(self._folder.glob("tree-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
            mine = [path for path in trees if path.name.startswith(f"tree-{self._version}-")]
            for path in {*trees, *self._folder.glob("files-*.jsonl")} - {*mine[:MOST_TREES], self._files}:
                path.unlink()

    @property
    def _files(self) -> Path:
        return self._folder / f"files-{self._version}.jsonl"

    def files(self) -> dict[str, str]:
        """Digest of a file -> the JSON of what it gives."""
        try:
            lines = self._files.read_text("utf-8").split("\n")
        except (OSError, ValueError):
            return {}
        return {digest: plain for digest, _, plain in (line.partition(" ") for line in lines) if plain.endswith("}")}

    def keep_files(self, known: Mapping[str, str]) -> None:
        """Remember these and no others."""
        self._write(self._files.name, "".join(f"{digest} {plain}\n" for digest, plain in known.items()))

    def _write(self, name: str, text: str) -> None:
        """All of it or nothing; a disk that is full is no reason to fail."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as stream:
                    stream.write(text)
                Path(made).replace(self._folder / name)
            except OSError:
                Path(made).unlink(missing_ok=True)
                raise
