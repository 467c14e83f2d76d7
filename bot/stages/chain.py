"""chain: the issue, its fixes and their re-lands are one upstream change, and one case."""

import re
from collections.abc import Mapping, Sequence

from bot.model import Item, ItemKind

TOGETHER = frozenset({"fixes", "fixed-by", "reland", "reverts", "reverted-by", "cherry-pick"})
"""Kinds of links that make two items one change; a mention or a series doesn't."""
FIXES = re.compile(
    r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)[ \t]{0,2}:?[ \t]{1,2}"
    r"(?P<repo>[\w.-]{1,60}/[\w.-]{1,100})?#(?P<number>\d{1,9})\b",
    re.I,
)
CLAIMS = 3
"""A body that says of more items that it fixes them is a list, or a prank: none of it joins anything."""


def chains(items: Sequence[Item]) -> dict[str, tuple[int | str, ...]]:
    """For every item's key the numbers of its chain's other members, sorted."""
    return {
        item.key: tuple(sorted((one.number for one in group if one.key != item.key), key=str))
        for group in groups(items)
        for item in group
    }


def groups(items: Sequence[Item]) -> list[tuple[Item, ...]]:
    """The chains of a window, each with its leader first, ordered by leader."""
    by_key = {item.key: item for item in items}
    parent = {key: key for key in by_key}

    def root(key: str) -> str:
        while parent[key] != key:
            key = parent[key]
        return key

    for item in by_key.values():
        for other in _partners(item):
            if other in parent:
                first, second = sorted((root(item.key), root(other)))
                parent[second] = first
    members: dict[str, list[Item]] = {}
    for item in by_key.values():
        members.setdefault(root(item.key), []).append(item)
    return sorted(map(_leader_first, members.values()), key=lambda group: group[0].order)


def _leader_first(group: Sequence[Item]) -> tuple[Item, ...]:
    chief = leader(group)
    return chief, *sorted((item for item in group if item is not chief), key=lambda item: item.order)


def leader(group: Sequence[Item]) -> Item:
    """Who speaks for a chain: an item with code, then an issue before a pull request, then the oldest."""
    return min(group, key=lambda item: ("```" not in item.body, item.kind is not ItemKind.ISSUE, item.order))


Neighbours = Mapping[str, Sequence[Item]]
"""Key of an item -> the items that it links to or that link to it."""


def neighbours(items: Sequence[Item]) -> Neighbours:
    """Who is linked with whom, in either direction; made once for a window."""
    by_key = {item.key: item for item in items}
    near: dict[str, list[Item]] = {key: [] for key in by_key}
    for item in by_key.values():
        for link in item.links:
            other = by_key.get(f"{link.repo}#{link.number}")
            if other is not None:
                near[item.key].append(other)
                near[other.key].append(item)
    return near


def linked(group: Sequence[Item], near: Neighbours) -> tuple[Item, ...]:
    """Items outside a chain that it links to or that link to it, without texts, ordered by number."""
    own = {item.key for item in group}
    found = {one.key: one for item in group for one in near[item.key] if one.key not in own}
    bare = (one.model_copy(update={"body": "", "comments": (), "files": ()}) for one in found.values())
    return tuple(sorted(bare, key=lambda item: item.order))


def _partners(item: Item) -> set[str]:
    """Keys of the items that this one says it is one change with."""
    found = {f"{link.repo}#{link.number}" for link in item.links if link.kind in TOGETHER}
    if item.kind is not ItemKind.ISSUE:
        claimed = {f"{match['repo'] or item.repo}#{match['number']}" for match in FIXES.finditer(item.body[:20_000])}
        found |= claimed if len(claimed) <= CLAIMS else set()
    return found
