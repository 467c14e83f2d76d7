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
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    except BlockingIOError as error:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace") or "unknown"
        raise InputError(
            f"another scan (process {holder}) works in {folder}; wait for it, or set ALIGNBOT_STATE"
        ) from error
    finally:
        os.close(descriptor)
