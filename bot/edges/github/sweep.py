"""Sees what changed of items after their window was read: edits, labels, closing, landing, reverts, new comments.

Newest change first, back to where the last sweep ended. What changes meanwhile moves to the front, and is newer than
all that the first answer showed: the next sweep sees it. What is deleted meanwhile may pull an item past the end of
the page that is being read; so each page begins a little before the end of the last one, and shows whether it does.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.edges.github import documents
from bot.edges.github.listing import moment
from bot.edges.github.nodes import Node, listed
from bot.edges.github.pages import Pages, at
from bot.model import Item

OVERLAP = timedelta(minutes=2)
"""GitHub's replicas show a change a little late, and its times are whole seconds."""
AGAIN = 10
"""One in so many items of a page is read again with the next."""
KINDS = ("issues", "pulls")


@dataclass(slots=True)
class Sweep:
    """One pass over what changed since a moment."""

    pages: Pages
    repo: str
    since: datetime
    through: datetime
    """Up to where all changes were seen: where the next sweep goes on. It is moved once the last item was given."""
    document: documents.Document = documents.UPDATED
    torn: bool = field(default=False, init=False)
    """May something have been missed, so that the next sweep has to begin where this one did?"""

    def items(self) -> Iterator[Item]:
        """The changed items as a listing has them, without details; one may come twice."""
        return (listed(node, repo) for node, repo in self.nodes())

    def nodes(self) -> Iterator[tuple[Node, str]]:
        """What changed, as GitHub gives it, with the repository's name."""
        newest, torn = self.through, False
        before: dict[str, set[int]] = {}
        after: dict[str, Any] = dict.fromkeys(KINDS)
        while after:
            page = self._page(after)
            for kind in list(after):
                nodes = nodes_of(page[kind])
                numbers = {node["number"] for node in nodes}
                if kind in before:
                    torn |= before[kind].isdisjoint(numbers)
                else:
                    newest = max([newest, *(moment(node["updatedAt"]) for node in nodes)])
                fresh = [node for node in nodes if moment(node["updatedAt"]) >= self.since - OVERLAP]
                yield from ((node, page["nameWithOwner"]) for node in fresh)
                before[kind], after[kind] = numbers, cursor_of(page[kind])
                if len(fresh) < len(nodes) or not page[kind]["pageInfo"]["hasNextPage"]:
                    del after[kind]
        self.torn = torn
        if not torn:
            self.through = newest

    def _page(self, after: dict[str, Any]) -> Node:
        owner, _, name = self.repo.partition("/")
        asked: dict[str, Any] = {"owner": owner, "name": name}
        asked |= {kind: kind in after for kind in KINDS}
        asked |= {f"{kind}After": cursor for kind, cursor in after.items()}
        return at(self.pages.sized(self.document, asked, "", keep=False), ("repository",))


def nodes_of(connection: Node) -> list[Node]:
    """The threads of a page that are there."""
    return [edge["node"] for edge in connection["edges"] if edge and edge["node"]]


def cursor_of(connection: Node) -> str | None:
    """Where the next page begins: a little before the end of this one."""
    cursors = [edge["cursor"] for edge in connection["edges"] if edge]
    again = max(1, len(cursors) // AGAIN)
    return cursors[-1 - again] if len(cursors) > again else None
