"""What became of a number: asked of GitHub one by one, independent of every listing."""

import re
from collections.abc import Iterator, Sequence

from bot.edges.github import documents
from bot.edges.github.listing import Listing, fate, moment, own
from bot.edges.github.nodes import Node
from bot.edges.github.rest import Response
from bot.model import Fate, FateKind

BATCH = 50
GONE = {404: FateKind.HIDDEN, 410: FateKind.DELETED, 451: FateKind.HIDDEN}
"""What GitHub's REST API answers for an issue that GraphQL does not find; 451 is one that a law forbids to show."""
ELSEWHERE = re.compile(r"/issues/\d+$")
FINAL = frozenset({FateKind.DISCUSSION, FateKind.TRANSFERRED, FateKind.DELETED})
NOTE = "fates"
"""Key of the note that holds the fates of a window that can't change any more."""


def fates(listing: Listing, numbers: Sequence[int]) -> Iterator[tuple[int, Fate]]:
    """A fate for each number. What is hidden, unknown or has yet to be listed is asked again by the next reading."""
    noted = {int(number): Fate.model_validate(told) for number, told in (listing.pages.noted(NOTE) or {}).items()}

    def note(found: dict[int, Fate]) -> None:
        fresh = {number: one for number, one in found.items() if _final(one, listing)}
        if fresh:
            noted.update(fresh)
            listing.pages.note(NOTE, {number: one.model_dump(mode="json") for number, one in noted.items()})

    yield from [(number, noted[number]) for number in numbers if number in noted]
    asked = [number for number in numbers if number not in noted]
    for batch, answer in listing.pages.batched(asked, lambda some: _ask(listing, some), BATCH):
        known = {number: one for number in batch if (one := _known(answer["repository"], number, listing.repo))}
        note(known)
        yield from known.items()
        for number in batch:
            if number not in known:
                gone = _gone(listing.rest.get_json(f"/repos/{listing.repo}/issues/{number}"))
                note({number: gone})
                yield number, gone


def _final(fate: Fate, listing: Listing) -> bool:
    """Will it stay so? An item of the window may go yet before it is fetched."""
    return fate.kind in FINAL or (fate.created_at is not None and fate.created_at not in listing.window)


def _ask(listing: Listing, numbers: Sequence[int]) -> Node:
    return listing.pages.once(documents.fates(numbers), listing.place, "", keep=False)


def _known(found: Node, number: int, repo: str) -> Fate | None:
    """What GraphQL says; it gives a transferred issue as what it is now, in its new place."""
    thread, discussion = found.get(f"n{number}"), found.get(f"d{number}")
    if thread is not None:
        return fate(thread) if own(thread, number, repo) else Fate(kind=FateKind.TRANSFERRED)
    if discussion is not None:
        return Fate(kind=FateKind.DISCUSSION, created_at=moment(discussion["createdAt"]))
    return None


def _gone(response: Response) -> Fate:
    """REST tells a transferred issue from a deleted one, and both from one that it hides.

    Only GitHub's own words count: a page that something on the way has sent says nothing of the number.
    """
    if not (isinstance(response.data, dict) and "message" in response.data):
        return Fate(kind=FateKind.UNKNOWN)
    if response.status == 301 and ELSEWHERE.search(response.headers.get("location", "")):
        return Fate(kind=FateKind.TRANSFERRED)
    return Fate(kind=GONE.get(response.status, FateKind.UNKNOWN))
