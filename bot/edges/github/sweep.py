"""Sees what changed of items after their window was read: edits, labels, closing, landing, reverts, new comments.

Newest change first, back to where the last sweep ended. What changes meanwhile moves to the front and is seen by the
next sweep; nothing can slip behind the page that is being read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.edges.github import documents
from bot.edges.github.documents import Document
from bot.edges.github.listing import moment
from bot.edges.github.nodes import listed
from bot.edges.github.pages import Pages
from bot.model import Item

OVERLAP = timedelta(minutes=2)
"""GitHub's replicas show a change a little late, and its times are whole seconds."""


@dataclass(slots=True)
class Sweep:
    """One pass over what changed since a moment."""

    pages: Pages
    repo: str
    since: datetime
    through: datetime
    """Newest change seen so far: where the next sweep goes on."""

    def items(self) -> Iterator[Item]:
        """The changed items as a listing has them, without details; one may come twice."""
        for document in (documents.UPDATED_ISSUES, documents.UPDATED_PULLS):
            yield from self._changed(document)

    def _changed(self, document: Document) -> Iterator[Item]:
        for page in self.pages.paged(document, self._place(), ("repository", "page"), keep=False):
            for node in filter(None, page["nodes"]):
                changed = moment(node["updatedAt"])
                if changed < self.since - OVERLAP:
                    return
                self.through = max(self.through, changed)
                yield listed(node, self.repo)

    def _place(self) -> Mapping[str, str]:
        owner, _, name = self.repo.partition("/")
        return {"owner": owner, "name": name}
