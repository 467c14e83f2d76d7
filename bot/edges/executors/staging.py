"""Folders of runs: each is held by a lock while it is in use, so that what a killed launcher left can be told."""

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = "alignbot-"
_LOCK = "in-use"


@contextlib.contextmanager
def run_folder() -> Iterator[Path]:
    """An empty folder of this user's alone, removed afterwards. What runs left that were killed is removed first."""
    sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as made:
        folder = Path(made)
        with (folder / _LOCK).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder


def sweep(parent: Path) -> None:
    """Remove this user's folders of runs whose lock nobody holds."""
    for folder in parent.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            _remove(folder)


def _remove(folder: Path) -> None:
    """Remove one. Raises OSError where it is not ours, is in use, or has just been made."""
    if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
        return
    with (folder / _LOCK).open("rb") as lock:  # one without it is not yet, or is no folder of a run
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
