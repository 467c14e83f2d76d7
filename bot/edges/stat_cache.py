"""What files are called by their content, as long as nothing about them changed: a warm run reads none of them again.

A file counts as unchanged if its size, its times and its inode are those that were seen when it was read, and it was
last touched well before that: what is written in the same moment as it is read could change unseen.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha1
from pathlib import Path

SETTLED_NS = 2_000_000_000
"""Nanoseconds after which a change is sure to show in a file's times, whatever the file system."""
MOST_FOLDERS = 16
"""Folders that are remembered; the oldest goes first."""
Stamps = dict[str, list[int]]
"""Path -> size, times of the last change of the content and of anything, inode."""


class StatCache:
    """One file for each folder that was read. Whatever is broken there counts as not there."""

    def __init__(self, memory: Path, folder: Path) -> None:
        self._memory = memory
        self._folder = folder.absolute()
        name = sha1(os.fsencode(self._folder), usedforsecurity=False).hexdigest()[:16]
        self._file = memory / f"stat-{name}.json"

    def stamps(self, paths: Sequence[str]) -> Stamps:
        """How these files look from outside, before they are read. A file that is gone has none."""
        found: Stamps = {}
        for path in paths:
            with suppress(OSError):
                seen = os.stat(f"{self._folder}/{path}", follow_symlinks=False)  # noqa: PTH116 -- hundreds of them
                found[path] = [seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino]
        return found

    def digests(self, stamps: Stamps) -> dict[str, str] | None:
        """Path -> digest of the content; None unless all of them are just as they were when they were read."""
        try:
            known = json.loads(self._file.read_text("utf-8"))
            same = known["stamps"] == stamps and set(known["digests"]) == set(stamps)
            return dict(known["digests"]) if same else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, stamps: Stamps, digests: Mapping[str, str]) -> None:
        """Remember what was read after these stamps were taken, unless something was touched too lately to be sure."""
        newest = max((max(one[1:3]) for one in stamps.values()), default=0)
        if set(stamps) != set(digests) or newest > time.time_ns() - SETTLED_NS:
            return
        with suppress(OSError):
            self._memory.mkdir(parents=True, exist_ok=True)
            made = self._file.with_suffix(f".{os.getpid()}")
            made.write_text(json.dumps({"stamps": stamps, "digests": digests}, separators=(",", ":")), "utf-8")
            made.replace(self._file)
            others = sorted(self._memory.glob("stat-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in others[MOST_FOLDERS:]:
                path.unlink()
