"""Source trees at frozen commits: a bare partial clone for each repository, one fetch a head, blobs on demand.

Nothing is ever checked out, no hook and no configuration but our own is read, and a commit is fetched by its name: what
is read is what the commit holds, however the branch moves. A clone may be deleted; it is fetched again. One that is
damaged is thrown away and fetched again once.
"""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from bot.edges.sources import ENDINGS, LARGEST, MOST, SourceFile, text_of
from bot.errors import ForgeError, InputError

T = TypeVar("T")
FULL = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
FETCH_S = 600.0
"""The longest that a fetch may take: a tree without its files is a few MiB."""
LOCAL_S = 60.0
MOST_BYTES = 512 << 20
"""All files of one reading together."""
OWN = (
    "-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "protocol.http.allow=always",
    "-c", "core.hooksPath=/dev/null", "-c", "fetch.negotiationAlgorithm=noop", "-c", "gc.auto=0",
    "-c", "credential.helper=", "-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60",
)  # fmt: skip


class Entry(NamedTuple):
    """A file of a commit, unread."""

    path: str
    blob: str
    """What git calls its content."""


class GitTrees:
    """The repositories that were read, below one folder. Any number of processes may share it."""

    def __init__(self, folder: Path, base: str, *, offline: bool = False, files: bool = False) -> None:
        """`base`: where repositories are, e.g. `https://github.com`. `offline`: only what was fetched before.

        `files` allows `file://` addresses.
        """
        self._folder, self._base, self._offline = folder, base.rstrip("/"), offline
        self._own = (*OWN, *(("-c", "protocol.file.allow=always") if files else ()))

    def listed(self, repository: str, commit: str, roots: Sequence[str]) -> list[Entry]:
        """The files below those folders, or at those paths, at a commit, by path. None of their texts is fetched.

        Raises ForgeError for a commit that can't be had, InputError for what is no full commit.
        """
        told = self._mending(repository, lambda: self._tree(repository, commit, roots))
        found = []
        for line in filter(None, told.decode("utf-8", "replace").split("\0")):
            about, _, path = line.partition("\t")
            mode, kind, blob = about.split()
            if kind == "blob" and mode != "120000":  # a link is no source
                found.append(Entry(path, blob))
        return sorted(found)

    def read(self, repository: str, commit: str, roots: Sequence[str]) -> list[SourceFile]:
        """The C++ files below those folders at a commit, by path.

        Raises ForgeError for what can't be had, InputError for a tree without such files or with one that is no source.
        """
        entries = [one for one in self.listed(repository, commit, roots) if one.path.endswith(ENDINGS)]
        if not entries or len(entries) > MOST:
            told = f"{len(entries)} C++ files below {', '.join(roots)}"
            raise InputError(f"{repository} at {commit[:12]} has {told}: it is not what kernels are read from")
        texts = self.texts(repository, entries)
        return [SourceFile(path, blob, texts[blob]) for path, blob in entries]

    def texts(self, repository: str, entries: Sequence[Entry]) -> dict[str, str]:
        """Blob -> text; what is not here yet is fetched in one request."""
        wanted = {one.blob: f"{repository}: {one.path}" for one in entries}
        contents = self._mending(repository, lambda: self._fetched(repository, wanted))
        return {blob: text_of(content, wanted[blob]) for blob, content in contents.items()}

    def _tree(self, repository: str, commit: str, roots: Sequence[str]) -> bytes:
        clone = self._with(repository, commit)
        return self._git(clone, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *roots, timeout_s=LOCAL_S)

    def _fetched(self, repository: str, wanted: Mapping[str, str]) -> dict[str, bytes]:
        """What blobs hold, by their names; `wanted` says where each is from."""
        clone = self._clone(repository)
        with self._locked(clone):
            if not (clone / "HEAD").is_file():
                self._begin(clone, repository)
            missing = sorted(wanted.keys() - self._present(clone))
            if missing and self._offline:
                raise ForgeError(
                    f"{len(missing)} files of {repository} were not fetched before, and nothing may be now"
                )
            if missing:
                asked = ("fetch", "origin", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no")
                given = "".join(f"{one}\n" for one in missing).encode()
                self._git(clone, *asked, "--filter=blob:none", "--stdin", given=given, timeout_s=FETCH_S)
        return dict(self._contents(clone, wanted))

    def _mending(self, repository: str, work: Callable[[], T]) -> T:
        """Do it; where it fails because the clone is damaged, do it once more without that clone."""
        try:
            return work()
        except ForgeError:
            if self._offline or not self._thrown_away(self._clone(repository)):
                raise
        return work()

    def _thrown_away(self, clone: Path) -> bool:
        """Remove a clone that git finds faults in, or that a dead git left locked; was it removed?

        A clone that is sound stays: then it was the network, or the commit.
        """
        with self._locked(clone):
            left = clone.is_dir() and any(clone.rglob("*.lock"))  # no git of ours runs while we hold the lock
            sound = ("fsck", "--no-dangling", "--no-progress")
            if not left and self._try(clone, *sound, timeout_s=FETCH_S).returncode == 0:
                return False
            try:
                shutil.rmtree(clone) if clone.is_dir() and not clone.is_symlink() else clone.unlink()
            except FileNotFoundError:
                return False
            except OSError as error:
                raise InputError(f"{clone} is damaged and can't be removed: {error.strerror}; remove it") from error
        return True

    def _clone(self, repository: str) -> Path:
        return self._folder / f"{repository.replace('/', '+')}.git"

    def _with(self, repository: str, commit: str) -> Path:
        """The clone, which has that commit and its trees."""
        if FULL.fullmatch(commit) is None:
            raise InputError(f"'{commit}' is no full commit: give all 40 hexadecimal digits")
        clone = self._clone(repository)
        if self._has(clone, commit):
            return clone
        if self._offline:
            raise ForgeError(f"{repository} at {commit[:12]} is not here, and nothing may be fetched now")
        with self._locked(clone):
            self._begin(clone, repository)
            if not self._has(clone, commit):
                asked = ("fetch", "--depth=1", "--filter=blob:none", "--no-tags", "--no-write-fetch-head")
                self._git(clone, *asked, "origin", f"{commit}:refs/frozen/{commit}", timeout_s=FETCH_S)
        return clone

    def _begin(self, clone: Path, repository: str) -> None:
        """A clone with nothing in it. Its address is said anew: the configuration may have changed."""
        if not (clone / "HEAD").is_file():
            self._git(None, "init", "--quiet", "--bare", str(clone), timeout_s=LOCAL_S)
        for key, value in (
            ("core.repositoryformatversion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.url", f"{self._base}/{repository}.git"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.partialclonefilter", "blob:none"),
        ):
            self._git(clone, "config", key, value, timeout_s=LOCAL_S)

    def _has(self, clone: Path, commit: str) -> bool:
        """Is a commit here? Its name is written only once all its trees are."""
        names = ("show-ref", "--verify", "--quiet", f"refs/frozen/{commit}")
        return (clone / "HEAD").is_file() and self._try(clone, *names).returncode == 0

    def _present(self, clone: Path) -> set[str]:
        """Every object that is here: asking for a single one would fetch it."""
        asked = ("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
        return set(self._git(clone, *asked, timeout_s=LOCAL_S).decode().split())

    def _contents(self, clone: Path, wanted: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
        """What blobs hold. Raises InputError for one that is too large, before any is read."""
        asked = "".join(f"{one}\n" for one in wanted).encode()
        sizes = self._git(clone, "cat-file", "--batch-check", given=asked, timeout_s=LOCAL_S).decode().splitlines()
        told = [line.split() for line in sizes]
        lost = next((one[0] for one in told if len(one) != 3), None)
        if lost is not None:
            raise ForgeError(f"{wanted.get(lost, lost)} was fetched and is not here")
        large = next((one[0] for one in told if int(one[2]) > LARGEST), None)
        if large is not None:
            raise InputError(f"{wanted[large]} is larger than {LARGEST >> 20} MiB: it is no kernel source")
        if sum(int(one[2]) for one in told) > MOST_BYTES:
            where = clone.name.removesuffix(".git").replace("+", "/")
            raise InputError(f"{where}: all together more than {MOST_BYTES >> 20} MiB: it is no kernel source")
        answer = self._git(clone, "cat-file", "--batch", given=asked, timeout_s=LOCAL_S)
        at = 0
        while at < len(answer):
            end = answer.index(b"\n", at)
            blob, kind, size = answer[at:end].decode().split()
            if kind != "blob":
                raise ForgeError(f"{clone.name}: {blob} is no file")
            yield blob, answer[end + 1 : end + 1 + int(size)]
            at = end + int(size) + 2

    @contextmanager
    def _locked(self, clone: Path) -> Iterator[None]:
        """One process at a time fetches into a clone; the kernel frees the lock of a dead one."""
        try:
            clone.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(f"{clone}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise InputError(f"{clone.parent} can't be written: {error.strerror}; set ALIGNBOT_STATE") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _git(self, clone: Path | None, *arguments: str, given: bytes = b"", timeout_s: float) -> bytes:
        """What git prints. Raises ForgeError with its last line where it fails."""
        done = self._try(clone, *arguments, given=given, timeout_s=timeout_s)
        if done.returncode:
            lines = [one for one in done.stderr.decode("utf-8", "replace").splitlines() if one.strip()]
            why = next(
                (one for one in lines if one.startswith(("fatal:", "error:"))), lines[-1] if lines else "no reason"
            )
            where = clone.name.removesuffix(".git").replace("+", "/") if clone else self._folder
            raise ForgeError(f"git {arguments[0]} of {where} failed: {why}")
        return done.stdout

    def _try(
        self, clone: Path | None, *arguments: str, given: bytes = b"", timeout_s: float = LOCAL_S
    ) -> "subprocess.CompletedProcess[bytes]":
        where = ("--git-dir", str(clone)) if clone else ()
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        try:
            return subprocess.run(
                ["git", *self._own, *where, *arguments],
                input=given, capture_output=True, timeout=timeout_s, check=False, env={**kept, **ALONE},
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise ForgeError(f"git {arguments[0]} took longer than {timeout_s:g} s") from error
        except OSError as error:
            raise InputError(
                f"git can't be run: {error.strerror}; install it, or set sources.target to a folder"
            ) from error


KEPT = (
    "PATH",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "GIT_SSL_CAINFO",
)
ALONE = {
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true",
    "LC_ALL": "C",
}  # fmt: skip
