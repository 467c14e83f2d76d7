"""The roll of a window: every item once, whatever pages shifted, and who of them landed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from bot.edges.github.listing import Listing, fate, moment
from bot.edges.github.nodes import Node, committed, listed
from bot.model import Fate, Item
from bot.windows.landing import landed, reverted

Changes = Mapping[int, str]
"""Number -> when it was changed last, as far as that is known to be later than the listing."""


class _Landing(NamedTuple):
    """How a pull request reached the default branch."""

    at: datetime
    sha: str
    reverts: int | None
    """The pull request that it takes back."""


class Roll:
    """Goes through a listing. All requests are stored, so that a second pass makes none."""

    def __init__(self, listing: Listing, adopted: Changes, changed: Changes) -> None:
        self.listing = listing
        self.created: dict[int, Fate] = {}
        """The issues and pull requests created in the window, by number."""
        self._adopted, self._changed = adopted, changed
        self._landed: dict[int, _Landing] = {}
        self._kinds: Counter[str] = Counter()

    def call(self) -> None:
        """Go through all of it for the counts alone."""
        for _ in self.items():
            pass

    def items(self) -> Iterator[Item]:
        """Every item of the window once: commits without a pull request, threads created, pull requests landed."""
        self.created, self._landed, self._kinds = {}, {}, Counter()
        for item in self._every():
            self._kinds[item.kind.value] += 1
            yield item

    def counts(self) -> dict[str, int]:
        """Items by kind, and `landed`: pull requests that reached the default branch in the window."""
        return dict(sorted({**self._kinds, "landed": len(self._landed)}.items()))

    def _every(self) -> Iterator[Item]:
        yield from self._commits()
        pulls: set[int] = set()
        for node in self._threads():
            if node["number"] not in self.created:
                self.created[node["number"]] = fate(node)
                yield self._item(node, pulls)
        earlier = [number for number in self._landed if number not in self.created]
        for node in self.listing.numbered(earlier, _version(self._changed, earlier)):
            if node["__typename"] == "PullRequest":
                yield self._item(node, pulls)
        yield from self._unspoken(self._landed.keys() - pulls)

    def _item(self, node: Node, pulls: set[int]) -> Item:
        """An issue or pull request; of the latter it is noted that it speaks for its commits."""
        pull = node["__typename"] == "PullRequest"
        if pull:
            pulls.add(node["number"])
        landing = self._landed.get(node["number"]) if pull else None
        if landing is None:
            return listed(node, self.listing.repo)
        return listed(node, self.listing.repo, landing.sha, landing.reverts)

    def _threads(self) -> Iterator[Node]:
        """Those that were adopted come first: the listing may have them too, as they were before."""
        numbers = list(self._adopted)
        for node in self.listing.numbered(numbers, _version(self._adopted, numbers)):
            if moment(node["createdAt"]) in self.listing.window:
                yield node
        yield from self.listing.created()

    def _commits(self) -> Iterator[Item]:
        """Commits that no pull request stands for; of the others, which one each pull request landed by last."""
        repo = self.listing.repo
        for node in self.listing.landed():
            number, at = landed(node["message"], repo), moment(node["committedDate"])
            if number is None:
                yield committed(node, repo)
            elif number not in self._landed or self._landed[number].at < at:
                revert = reverted(node["message"], repo)
                undone = revert.pull if revert and revert.pull != number else None
                self._landed[number] = _Landing(at, node["oid"], undone)

    def _unspoken(self, gone: set[int]) -> Iterator[Item]:
        """Commits for which no pull request can stand: GitHub shows it no more, or the number is no pull request's."""
        if not gone:
            return
        for number in gone:
            del self._landed[number]
        for node in self.listing.landed():
            if landed(node["message"], self.listing.repo) in gone:
                yield committed(node, self.listing.repo)


def _version(changes: Changes, numbers: Iterable[int]) -> str:
    """Names what is known of later changes of these numbers; empty where nothing is."""
    return ",".join(changes.get(number, "") for number in numbers).strip(",")
