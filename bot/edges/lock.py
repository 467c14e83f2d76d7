"""One scan at a time on one state folder: a lock that the kernel frees when its holder dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.seams import InputError


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold `folder/scan.lock`. Raises InputError when another process holds it or the folder can't be written."""
    path = folder / "scan.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise InputError(f"the state folder {folder} can't be written: {error.strerror}; set ALIGNBOT_STATE") from error
    try:
        _take(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, folder: Path) -> None:
    """Lock it and write who holds it. Raises InputError when another process does."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace") or "unknown"
        raise InputError(
            f"another scan (process {holder}) works in {folder}; wait for it, or set ALIGNBOT_STATE"
        ) from error
    try:
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    except OSError as error:
        raise InputError(f"the state folder {folder} can't be written: {error.strerror}; set ALIGNBOT_STATE") from error
