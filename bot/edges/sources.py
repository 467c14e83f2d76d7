"""Source trees on disk: which files are kernels, their texts and git's names of their contents, links to them."""

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bot.errors import InputError

ENDINGS = (".cpp", ".h", ".hpp", ".cu", ".cuh", ".cc", ".hh", ".inl")
LARGEST = 4 << 20
"""Bytes of one file; the largest kernel file there is has a tenth of that."""
MOST = 5_000
"""Files that a kernel tree may have: beyond that it is some other folder."""
SKIPPED = frozenset({"build", "third_party", "node_modules", "__pycache__"})
GIT_S = 10.0


class SourceFile(NamedTuple):
    """A file as read."""

    path: str
    """Relative to the tree, with slashes."""
    digest: str
    """What git calls its content."""
    text: str


def read_tree(folder: Path, roots: Sequence[str], what: str) -> list[SourceFile]:
    """The C++ files below those roots that the folder has, else of the whole folder, by path.

    Raises InputError for what is no folder, has no such file, or has one that is too large or no text.
    """
    return read_files(folder, list_tree(folder, roots, what))


def read_files(folder: Path, paths: Sequence[str]) -> list[SourceFile]:
    """These files of a folder. Raises InputError for one that is too large or no text."""
    return [_read(folder, path) for path in paths]


def list_tree(folder: Path, roots: Sequence[str], what: str) -> list[str]:
    """The paths of `read_tree`, with nothing read. Raises InputError likewise."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: {what} needs a checkout, e.g. one that has {roots[0]}")
    there = [root for root in roots if (folder / root).is_dir()]
    whole = folder.absolute()  # `.` is no part of what is found below it
    paths = sorted({path for root in there or [""] for path in _below(whole / root, whole)})
    if not paths:
        raise InputError(f"{folder} has no C++ files: {what} needs a checkout, e.g. one that has {roots[0]}")
    if len(paths) > MOST:
        raise InputError(f"{folder} has {len(paths)} C++ files and no {roots[0]}: it is not what {what} needs")
    return paths


def _below(start: Path, folder: Path) -> Iterator[str]:
    """Relative paths of the C++ files; links are not followed."""
    cut = len(str(folder).rstrip(os.sep)) + 1
    waiting = [str(start)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                found = list(entries)
        except OSError as error:
            raise InputError(f"{error.filename} can't be read: {error.strerror}") from error
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED and not entry.name.startswith("."):
                    waiting.append(entry.path)
            elif entry.name.endswith(ENDINGS) and entry.is_file(follow_symlinks=False):
                yield entry.path[cut:].replace(os.sep, "/")


def _read(folder: Path, path: str) -> SourceFile:
    place = f"{folder}/{path}"
    try:
        with open(place, "rb") as stream:  # noqa: PTH123 -- thousands of paths are made here
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{place} can't be read: {error.strerror}") from error
    text = text_of(content, place)
    return SourceFile(path, digest_of(content), text)


def digest_of(content: bytes) -> str:
    """What git calls a content, in a repository of the usual kind."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def text_of(content: bytes, place: str) -> str:
    """A source file's text. Raises InputError for what is too large or no text."""
    if len(content) > LARGEST:
        raise InputError(f"{place} is larger than {LARGEST >> 20} MiB: it is no kernel source")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{place}, line {line}: no UTF-8 text: {error.reason}") from error


def checked_out(folder: Path, repository: str) -> str:
    """The commit that is checked out; empty where the folder is no checkout of that repository.

    Nothing of the checkout's own configuration is run.
    """
    try:
        configuration = (folder / ".git" / "config").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    if re.search(rf"\burl\s*=\s*\S*[/:]{re.escape(repository)}(?:\.git)?\s*$", configuration, re.M) is None:
        return ""
    head = _git(folder, "rev-parse", "--verify", "HEAD").strip()
    return head if re.fullmatch(r"[0-9a-f]{40,64}", head) else ""


def committed(folder: Path, repository: str) -> dict[str, str]:
    """Path -> git's name of its content and a link to the file at the commit that is checked out, with a blank between.

    Empty where the folder is no checkout of that repository.
    """
    from urllib.parse import quote  # noqa: PLC0415 -- likewise

    head = checked_out(folder, repository)
    listed = _git(folder, "ls-tree", "-r", "-z", "HEAD") if head else ""
    found = {}
    for entry in filter(None, listed.split("\0")):
        about, _, path = entry.partition("\t")
        found[path] = f"{about.split()[2]} https://github.com/{repository}/blob/{head}/{quote(path)}"
    return found


def _git(folder: Path, *arguments: str) -> str:
    """What a plumbing command prints; empty where it fails. Such commands run no hook."""
    import subprocess  # noqa: PLC0415 -- only a checkout needs it

    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=GIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
