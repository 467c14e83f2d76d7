"""Writing results: everything is written in a hidden folder first, and only renamed once all of it is there."""

import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bot.seams import InputError

STAGING = ".alignbot-staging"
"""Inside the output folder, so that a rename never crosses file systems. One name: a killed run's is found again."""
GENERATED = {
    "drafts": re.compile(r"[0-9a-f]{16}\.md"),
    "reproducers": re.compile(r"[0-9a-f]{16}\.py"),
    "logs": re.compile(r".+\.txt"),
}
"""Folder -> names that only a scan gives. Such files that a scan did not write are an earlier one's."""


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
    """Write files under `folder` by their relative names, and remove what an earlier scan left there.

    A disk that is full leaves the old files as they were. Raises InputError that says what has become of the folder.
    """
    for name in texts:
        _check_name(folder, name)
    changed = False
    try:
        with _staging(folder) as staging:
            for number, text in enumerate(texts.values()):
                _write(staging / str(number), text)
            _make_room(folder, texts)
            for number, name in enumerate(texts):
                (staging / str(number)).replace(folder / name)
                changed = True
            _remove_stale(folder, texts)
    except OSError as error:
        state = "it may be partly new: scan again" if changed else "nothing was changed there"
        raise InputError(f"{folder} can't be written: {error.strerror}; {state}") from error


def _check_name(folder: Path, name: str) -> None:
    """Raises InputError for a name that leads out of the folder, by itself or by a link that lies there."""
    parts, parent = Path(name).parts, (folder / name).parent.resolve()
    if not parts or ".." in parts or not parent.is_relative_to(folder.resolve()):
        raise InputError(f"{name!r} leads out of {folder}: nothing was changed there")


def write_file(path: Path, text: str) -> None:
    """Write one file, all of it or nothing. Raises InputError."""
    made = None
    try:
        handle, made = tempfile.mkstemp(dir=path.absolute().parent, prefix=".alignbot-")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
        Path(made).chmod(0o666 & ~_mask())
        Path(made).replace(path)
    except OSError as error:
        if made is not None:
            Path(made).unlink(missing_ok=True)
        raise InputError(f"{path} can't be written: {error.strerror}") from error


def _mask() -> int:
    """What this process takes away from the rights of new files."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """An empty hidden folder for as long as it is used; folders that had to be made for it go again if unused."""
    missing = [place for place in (folder, *folder.absolute().parents) if not place.exists()]
    staging = folder / STAGING
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if staging.exists():
            shutil.rmtree(staging)
        staging.mkdir()
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        for place in missing:
            if place.is_dir() and not any(place.iterdir()):
                place.rmdir()


def _write(path: Path, text: str) -> None:
    """The whole text, on the disk."""
    with path.open("x", encoding="utf-8", errors="backslashreplace") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def _make_room(folder: Path, names: Collection[str]) -> None:
    """Make the folders that the files go to. What stands in the way is found before anything is changed."""
    parents = {place for name in names for place in (folder / name).parents if place.is_relative_to(folder)}
    for place in parents:
        if place.exists() and not place.is_dir():
            raise NotADirectoryError(0, f"{place.name} is no folder there")
    for name in names:
        if (folder / name).is_dir():
            raise IsADirectoryError(0, f"{name} is a folder there")
    for place in parents:
        place.mkdir(parents=True, exist_ok=True)


def _remove_stale(folder: Path, names: Collection[str]) -> None:
    for below, pattern in GENERATED.items():
        place = folder / below
        if not place.is_dir() or place.is_symlink():
            continue
        for path in place.iterdir():
            if pattern.fullmatch(path.name) and f"{below}/{path.name}" not in names and not path.is_dir():
                path.unlink()
