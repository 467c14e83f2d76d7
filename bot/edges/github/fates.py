"""What became of a number: asked of GitHub one by one, independent of every listing."""

from collections.abc import Iterator, Sequence

from bot.edges.github import documents
from bot.edges.github.listing import Listing, fate, moment
from bot.edges.github.nodes import Node
from bot.edges.github.rest import Rest
from bot.model import Fate, FateKind

GONE = {301: FateKind.TRANSFERRED, 404: FateKind.HIDDEN, 410: FateKind.DELETED}
"""What GitHub's REST API answers for an issue that GraphQL does not find."""
BATCH = 50


def fates(listing: Listing, numbers: Sequence[int]) -> Iterator[tuple[int, Fate]]:
    """A fate for each number. Nothing of it is stored: what is unknown today may be known tomorrow."""
    for batch, answer in listing.pages.batched(numbers, lambda some: _ask(listing, some), BATCH):
        for number in batch:
            found = answer["repository"]
            thread, discussion = found.get(f"n{number}"), found.get(f"d{number}")
            yield number, _known(thread, discussion, listing.repo) or _gone(listing.repo, listing.rest, number)


def _ask(listing: Listing, numbers: Sequence[int]) -> Node:
    return listing.pages.once(documents.fates(numbers), listing.place, "", keep=False)


def _known(thread: Node | None, discussion: Node | None, repo: str) -> Fate | None:
    if thread is not None:
        if thread["repository"]["nameWithOwner"].lower() != repo.lower():
            return Fate(kind=FateKind.TRANSFERRED)
        return fate(thread)
    if discussion is not None:
        return Fate(kind=FateKind.DISCUSSION, created_at=moment(discussion["createdAt"]))
    return None


def _gone(repo: str, rest: Rest, number: int) -> Fate:
    """REST tells a transferred issue from a deleted one, and both from one that it hides."""
    status = rest.get_json(f"/repos/{repo}/issues/{number}").status
    return Fate(kind=GONE.get(status, FateKind.UNKNOWN))
