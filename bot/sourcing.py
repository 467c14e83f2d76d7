"""Reading source for cases: both trees at their frozen heads by git, or folders; kept for as long as a scan goes on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bot import registry, targets
from bot.analysing import KIND, Analysis, counterparts_of, examined, profile_of, remembered
from bot.edges.git_trees import GitTrees
from bot.edges.native_functions import Table, installed, tables
from bot.edges.sources import SourceFile, checked_out, committed, digest_of, read_tree
from bot.errors import ForgeError, InputError
from bot.model import Absent, Commit, FrozenHeads, Item, KernelFinding, SourceEvidence, Target
from bot.settings import Settings
from bot.stages.dispatch import DERIVATIVES, NATIVE_FUNCTIONS, Dispatch, Registered, derivatives_of, entries_of
from bot.stages.permalink import address
from bot.stages.sourced import Tree, sourced
from bot.stages.web import Web

INSTALLED = "the installed torch"


class KernelReader:
    """A Reader of one target's kernels. A pair of heads is read once."""

    def __init__(self, settings: Settings, target: Target, *, online: bool) -> None:
        """`online`: may anything be fetched? A scan of an archive asks nothing of the network."""
        self._settings, self._target, self._online = settings, target, online
        self._trees: dict[FrozenHeads, Tree | Absent] = {}

    def read(self, heads: FrozenHeads, ops: Sequence[str], items: Sequence[Item]) -> SourceEvidence | Absent:
        """What source says of operators and of what items change. Raises EdgeError for what can't be had now."""
        if heads not in self._trees:
            self._trees[heads] = self._tree(heads)
        tree = self._trees[heads]
        if isinstance(tree, Absent):
            return tree
        rules = registry.rules(KIND), registry.rules("change")
        return sourced(ops, items, tree, self._target, *rules)

    def _tree(self, heads: FrozenHeads) -> Tree | Absent:
        target, upstream = self._place(heads.target, target=True), self._place(heads.upstream, target=False)
        if target is None:
            why = "no kernel source was read: name a checkout with sources.target"
            return Absent(absent=why if heads.target else f"{why}; no head of {self._settings.target.repo} is frozen")
        name = self._target.stands_in_for or self._target.name
        profile = targets.written(name)
        if not profile.get("path_map"):
            return Absent(absent=f"no kernel source was read: the kernels of {self._target.title} are upstream's own")
        try:
            files = target.files(profile["source_roots"])
        except InputError as error:
            if isinstance(target, _Folder):
                raise
            return Absent(absent=f"no kernel source was read: {error}")  # nobody typed it: the scan goes on
        except ForgeError as error:
            if self._online:
                raise
            return Absent(absent=f"no kernel source was read: {error}; name a checkout with sources.target")
        upstream, others, native, derivatives = self._upstream(upstream, profile)
        plain = remembered(files, others, name)
        web = Web(one.facts for one in examined(files))
        return Tree(
            target=target.commit,
            upstream=upstream.commit if upstream else Commit(repo=self._settings.upstream.repo, read_from=INSTALLED),
            files=len(files),
            web=web,
            findings=tuple(KernelFinding(**one) for one in plain["findings"]),
            unread=tuple((path, line, end, why) for path, line, end, why in plain["unread"]),
            dispatch=self._dispatch(web, native, derivatives),
        )

    def _dispatch(self, web: Web, native: Table | None, derivatives: Table | None) -> Dispatch:
        key = targets.load(self._target.stands_in_for or self._target.name).dispatch_key
        entries = entries_of(*native) if native else []
        gradients = derivatives_of(*derivatives, {one.name for one in entries}) if derivatives else {}
        fallen = {op: Registered(one.path, line) for one in web.files for op, line in one.fallbacks}
        own = {
            op: Registered(one.path, line, function)
            for one in web.files
            for its, op, function, line in one.library
            if its == key and function
        }
        return Dispatch(key, entries, gradients, fallen, own, self._target.operators)

    def _upstream(
        self, place: "_Place | None", profile: Mapping[str, Any]
    ) -> "tuple[_Place | None, list[SourceFile], Table | None, Table | None]":
        """The counterparts' files and torch's tables: of the upstream tree, else of the torch that runs scripts."""
        if place is not None:
            try:
                files = place.files((*profile["path_map"], *profile["upstream_roots"]))
                return place, files, *tables(place.text, NATIVE_FUNCTIONS, DERIVATIVES)
            except ForgeError:
                if self._online:
                    raise
            except InputError:
                if isinstance(place, _Folder):
                    raise
        return None, [], *(installed(self._settings.run.python) or (None, None))

    def _place(self, head: str | None, *, target: bool) -> "_Place | None":
        """Where a repository is read: a folder if one is named, else git; None where neither is possible."""
        named = self._settings.sources.target if target else self._settings.sources.upstream
        repo = self._settings.target.repo if target else self._settings.upstream.repo
        if named is not None:
            return _Folder(named, repo, head, "sources.target" if target else "sources.upstream")
        if head is None or not self._settings.git:
            return None
        folder = self._settings.state.expanduser() / "sources"
        return _Git(GitTrees(folder, self._settings.git, offline=not self._online), repo, head)


def analysis_at(settings: Settings, sha: str, upstream: Path | None, device: str) -> Analysis:
    """What the rules say of the target at a commit, with links to it; `upstream` is a folder to compare with.

    Raises InputError for what is no commit or where git may not be asked, ForgeError for what can't be had.
    """
    if not settings.git:
        raise InputError("sources.git names no place: set it, e.g. https://github.com, or give --target-source")
    trees = GitTrees(settings.state.expanduser() / "sources", settings.git)
    profile = profile_of(device)
    files = trees.read(settings.target.repo, sha, profile["source_roots"])
    others = read_tree(upstream, counterparts_of(device), "--upstream-source") if upstream else []
    plain = remembered(files, others, device)
    commit = Commit(repo=settings.target.repo, sha=sha)
    found = [
        {**one, "permalink": address(commit, one["path"], one["line"], one["end_line"])} for one in plain["findings"]
    ]
    return Analysis(found, plain["unread"], len(files))


class _Folder:
    """A folder that a person named."""

    def __init__(self, folder: Path, repo: str, head: str | None, what: str) -> None:
        self._folder, self._what = folder.expanduser(), what
        sha = checked_out(self._folder, repo) or None
        self.commit = Commit(
            repo=repo, sha=sha, frozen=sha is not None and sha == head, read_from="" if sha else "a folder"
        )

    def files(self, roots: Sequence[str]) -> list[SourceFile]:
        found = read_tree(self._folder, roots, self._what)
        self._compare({one.path: one.digest for one in found})
        return found

    def text(self, path: str) -> str:
        try:
            content = (self._folder / path).read_bytes()
            text = content.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{self._folder / path} can't be read: {error}; {self._what} needs a checkout") from error
        self._compare({path: digest_of(content)})
        return text

    def _compare(self, digests: Mapping[str, str]) -> None:
        """What differs from the commit that is checked out is no reading of it, and is not told as one."""
        if self.commit.sha is None:
            return
        known = committed(self._folder, self.commit.repo)
        if any(known.get(path, "").partition(" ")[0] != digest for path, digest in digests.items()):
            self.commit = Commit(repo=self.commit.repo, read_from="a checkout whose files differ from its commit")


class _Git:
    """A commit of a repository."""

    def __init__(self, trees: GitTrees, repo: str, head: str) -> None:
        self._trees = trees
        self.commit = Commit(repo=repo, sha=head, frozen=True)

    def files(self, roots: Sequence[str]) -> list[SourceFile]:
        return self._trees.read(self.commit.repo, str(self.commit.sha), roots)

    def text(self, path: str) -> str:
        entries = self._trees.listed(self.commit.repo, str(self.commit.sha), [path])
        if not entries:
            raise InputError(f"{self.commit.repo} at {self.commit.sha} has no {path}")
        return self._trees.texts(self.commit.repo, entries)[entries[0].blob]


_Place = _Folder | _Git
