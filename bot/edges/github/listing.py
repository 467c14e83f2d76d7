"""Lists a window: what was created in it, and what landed on the default branch in it.

The connections are read newest first; they never lag. For an old window that way would lead through everything since:
search finds it at once, but gives at most a thousand results, counts whole seconds at both ends, and says when it gave
up (`incomplete_results`). Neither is trusted: the numbers prove it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.edges.github import documents
from bot.edges.github.graphql import Answer
from bot.edges.github.nodes import Node
from bot.edges.github.pages import LARGEST, Pages, at, short
from bot.edges.github.rest import Response, Rest
from bot.errors import ForgeError
from bot.model import Fate, FateKind, Window, rfc3339

DETOUR = 3
"""Pages newer than the window that are put up with; where more lie before it, it is searched for."""
NEAR = timedelta(days=2)
"""Numbers of this long before or after the window are remembered: they bracket it without being asked for."""
MOST_RESULTS = 900
"""Search gives 1,000; a span with more than this is cut, so that what appears meanwhile has room."""
SLACK = timedelta(hours=1)
"""Commits are read from this much after the window to this much before it: git's dates are not quite in order."""
OLDER = 10
"""Commits in a row that have to be older than that before they are believed."""
THREADS = ("issues", "pulls")
SECOND = timedelta(seconds=1)


@dataclass(slots=True)
class Listing:
    """The listing of one window. `outside` learns what the numbers near the window are, as far as pages tell."""

    pages: Pages
    rest: Rest
    repo: str
    window: Window
    head: str
    """The frozen commit of the default branch."""
    outside: dict[int, Fate] = field(default_factory=dict)
    _is_far: bool | None = None

    @property
    def place(self) -> Mapping[str, str]:
        """The variables that name the repository."""
        owner, _, name = self.repo.partition("/")
        return {"owner": owner, "name": name}

    def created(self) -> Iterator[Node]:
        """Issues and pull requests created in the window; one may come twice where pages shifted."""
        if self._far():
            for kind in ("issue", "pr"):
                yield from self._searched(kind)
            return
        for page in self._connected():
            for node in _nodes(page, THREADS):
                created = moment(node["createdAt"])
                if created in self.window:
                    yield node
                elif self.window.start - NEAR < created < self.window.end + NEAR:
                    self.outside[node["number"]] = fate(node)

    def _far(self) -> bool:
        """Does the first page show that the window is more than a detour away? It is looked at once."""
        if self._is_far is None:
            self._is_far = self._lies_far(next(self._connected()))
        return self._is_far

    def _lies_far(self, first: Node) -> bool:
        for kind in THREADS:
            times = [moment(node["createdAt"]) for node in _nodes(first, (kind,))]
            if times and times[-1] > self.window.end and not self._left(first, kind):
                between, step = times[-1] - self.window.end, max(times[0] - times[-1], SECOND)
                if between / step > DETOUR:
                    return True
        return False

    def _connected(self, *kinds: str) -> Iterator[Node]:
        """Pages of the connections of these kinds, by default all, each followed until it has left the window."""
        wanted = dict.fromkeys(kinds or (*THREADS, "commits"))
        fixed = {**self.place, "head": self.head, "until": rfc3339(self.window.end + SLACK)}
        after: dict[str, Any] = dict(wanted)
        older = 0
        while after:
            asked = {kind: kind in after for kind in (*THREADS, "commits")}
            cursors = {f"{kind}After": cursor for kind, cursor in after.items()}
            place = ",".join(f"{kind}={cursor or ''}" for kind, cursor in after.items())
            variables = {**fixed, **asked, **cursors}
            page = at(self.pages.sized(documents.WINDOW, variables, place, check=_every_commit), ("repository",))
            yield page
            for node in _nodes(page, ("commits",)):
                older = older + 1 if moment(node["committedDate"]) < self.window.start - SLACK else 0
            left = {kind for kind in after if self._left(page, kind)} | ({"commits"} if older >= OLDER else set())
            after = {kind: _part(page, kind)["pageInfo"]["endCursor"] for kind in after if kind not in left}

    def _left(self, page: Node, kind: str) -> bool:
        """Is this the last page of a kind, or of threads one that reaches beyond the window?"""
        nodes = _nodes(page, (kind,)) if kind in THREADS else []
        beyond = bool(nodes) and moment(nodes[-1]["createdAt"]) < self.window.start
        return beyond or not _part(page, kind)["pageInfo"]["hasNextPage"]

    def _searched(self, kind: str) -> Iterator[Node]:
        """By search, cut in time until each span is well below what search gives."""
        spans = [(self.window.start, self.window.end)]
        while spans:
            start, end = spans.pop()
            query = f"repo:{self.repo} is:{kind} created:{rfc3339(start)}..{rfc3339(end - SECOND)} sort:created-asc"
            if end - start > SECOND and self._count(query) > MOST_RESULTS:
                middle = start + timedelta(seconds=(end - start) // SECOND // 2)
                spans += [(middle, end), (start, middle)]
                continue
            for page in self.pages.paged(documents.SEARCH, {"query": query}, ("page",)):
                yield from (node for node in page["nodes"] if node and moment(node["createdAt"]) in self.window)

    def _count(self, query: str) -> int:
        """How many results a search has. Raises ForgeError when GitHub did not look at everything."""
        answer = self.pages.rest_once(self.rest, "/search/issues", "", _complete, q=query, per_page=1)
        return int(answer["total_count"])

    def landed(self) -> Iterator[Node]:
        """Commits of the window that the frozen head holds, newest first, none missing between two of them."""
        seen: set[str] = set()
        parents: dict[str, None] = {}
        for page in self._connected("commits") if self._far() else self._connected():
            for node in _nodes(page, ("commits",)):
                if node["oid"] not in seen and moment(node["committedDate"]) in self.window:
                    parents |= dict.fromkeys(_parents(node))
                    yield node
                seen.add(node["oid"])
        yield from self._skipped(parents, seen)

    def _skipped(self, parents: Iterable[str], seen: set[str]) -> Iterator[Node]:
        """Parents that the history left out, and their parents, as long as they belong to the window."""
        while oids := [oid for oid in dict.fromkeys(parents) if oid not in seen]:
            parents = []
            for batch, answer in self.pages.batched(oids, self._commits, 50):
                for oid in batch:
                    node = answer["repository"][f"c{oid}"]
                    seen.add(oid)
                    if moment(node["committedDate"]) in self.window:
                        parents += _parents(node)
                        yield node

    def _commits(self, oids: Sequence[str]) -> Mapping[str, Any]:
        return self.pages.once(documents.commits(oids), self.place, "", check=_every_parent)

    def numbered(self, numbers: Sequence[int], version: str = "") -> Iterator[Node]:
        """Issues and pull requests by number, those that GitHub knows here; `version` asks for them anew."""
        for batch, answer in self.pages.batched(numbers, lambda some: self._numbers(some, version), LARGEST):
            found = ((number, answer["repository"].get(f"n{number}")) for number in batch)
            yield from (node for number, node in found if node and own(node, number, self.repo))

    def _numbers(self, numbers: Sequence[int], version: str) -> Mapping[str, Any]:
        document = documents.by_number(numbers)
        return self.pages.once(document, self.place, version and short(version))


def moment(text: str) -> datetime:
    """GitHub's time, UTC."""
    return datetime.fromisoformat(text)


def own(node: Node, number: int, repo: str) -> bool:
    """Is this the thread of that number of the repository, and not where it was transferred to?"""
    return bool(node["number"] == number and node["repository"]["nameWithOwner"].lower() == repo.lower())


def _parents(node: Node) -> list[str]:
    return [parent["oid"] for parent in node["parents"]["nodes"] if parent]


def _every_commit(answer: Answer) -> None:
    """A thread that is missing is found by its number; of a commit nothing else would tell."""
    page = answer.data.get("repository") or {}
    if page.get("object") and None in _part(page, "commits")["nodes"]:
        raise ForgeError("GitHub left a commit out of the history; it is asked again later")


def _every_parent(answer: Answer) -> None:
    if None in (answer.data.get("repository") or {"": None}).values():
        raise ForgeError("GitHub does not show a commit that the history leads to; it is asked again later")


def _complete(response: Response) -> None:
    if response.data["incomplete_results"]:
        raise ForgeError("GitHub's search did not look at everything (incomplete_results); it is asked again later")


def _part(page: Node, kind: str) -> Node:
    """The connection of a kind in a page."""
    return at(page, ("object", "history") if kind == "commits" else (kind,))


def _nodes(page: Node, kinds: Iterable[str]) -> list[Node]:
    """The nodes of these kinds in a page, of those that were asked for, and that are there."""
    asked = (kind for kind in kinds if ("object" if kind == "commits" else kind) in page)
    return [node for kind in asked for node in _part(page, kind)["nodes"] if node]


def fate(node: Node) -> Fate:
    """What a number is whose issue or pull request this is."""
    kind = FateKind.PULL if node["__typename"] == "PullRequest" else FateKind.ISSUE
    return Fate(kind=kind, created_at=moment(node["createdAt"]))
