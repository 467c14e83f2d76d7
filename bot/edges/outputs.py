"""Writing results: each file whole or not at all, and nothing before everything is known."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bot.seams import InputError


def check_folder(folder: Path) -> None:
    """Try whether files can be written there, before a scan spends its time; leaves nothing. Raises InputError."""
    try:
        nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        with tempfile.TemporaryFile(dir=nearest) as probe:
            probe.write(b"alignbot")
            probe.flush()
    except OSError as error:
        raise InputError(f"{folder} can't be written: {error.strerror}; give another --out") from error


def write_all(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files under `folder` by their relative names.

    All are written beside their places first and then renamed, so that a full disk leaves the old files as they were.
    Raises InputError.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for name, text in texts.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            descriptor, beside = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
            staged.append((Path(beside), place))
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(beside).chmod(0o644)
        for beside_path, place in staged:
            beside_path.replace(place)
    except OSError as error:
        raise InputError(f"{folder} can't be written: {error.strerror}; nothing was changed there") from error
    finally:
        for beside_path, _ in staged:
            beside_path.unlink(missing_ok=True)
