"""The roll of a window: every item once, whatever pages shifted, and who of them landed."""

from collections import Counter
from collections.abc import Iterator

from bot.edges.github.listing import Listing, fate
from bot.edges.github.nodes import Node, committed, listed
from bot.model import Fate, Item
from bot.windows.landing import landed


class Roll:
    """Goes through a listing. All requests are stored, so that a second pass makes none."""

    def __init__(self, listing: Listing, adopted: list[int]) -> None:
        self.listing = listing
        self.created: dict[int, Fate] = {}
        """The issues and pull requests created in the window, by number."""
        self._adopted = adopted
        self._landed: dict[int, str] = {}
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
        repo = self.listing.repo
        yield from self._commits()
        for node in self._threads():
            number = node["number"]
            if number not in self.created:
                self.created[number] = fate(node)
                yield listed(node, repo, self._landed.get(number))
        earlier = [number for number in self._landed if number not in self.created]
        found = set()
        for node in self.listing.numbered(earlier):
            if node["__typename"] == "PullRequest":
                found.add(node["number"])
                yield listed(node, repo, self._landed[node["number"]])
        yield from self._unspoken({*earlier} - found)

    def _threads(self) -> Iterator[Node]:
        yield from self.listing.created()
        yield from self.listing.numbered(self._adopted)

    def _commits(self) -> Iterator[Item]:
        """Commits that no pull request stands for; of the others, which one each pull request landed by last."""
        repo = self.listing.repo
        for node in self.listing.landed():
            number = landed(node["message"], repo)
            if number is None:
                yield committed(node, repo)
            else:
                self._landed.setdefault(number, node["oid"])

    def _unspoken(self, gone: set[int]) -> Iterator[Item]:
        """Commits of pull requests that GitHub shows no more stand for themselves."""
        if not gone:
            return
        for number in gone:
            del self._landed[number]
        for node in self.listing.landed():
            if landed(node["message"], self.listing.repo) in gone:
                yield committed(node, self.listing.repo)
