"""chain: the issue, its fixes and their re-lands are one upstream change, and one case.

What tells who belongs together is taken off each item once, so that a month of them needs no texts in memory.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Member:
    """Of an item only what tells to which chain it belongs, and who speaks for that."""

    key: str
    number: int | str
    order: tuple[str, str]
    is_issue: bool
    has_code: bool
    partners: tuple[str, ...]
    """Keys of the items that this one says it is one change with, sorted."""
    links: tuple[str, ...]
    """Keys of all items that it links to, sorted."""


Group = tuple[Member, ...]
"""A chain, its leader first."""


def member(item: Item) -> Member:
    """What chains are made of."""
    return Member(
        key=item.key,
        number=item.number,
        order=item.order,
        is_issue=item.kind is ItemKind.ISSUE,
        has_code="```" in item.body,
        partners=tuple(sorted(_partners(item))),
        links=tuple(sorted({f"{link.repo}#{link.number}" for link in item.links})),
    )


def chains(found: Iterable[Group]) -> dict[str, tuple[int | str, ...]]:
    """For every member's key the numbers of its chain's other members, sorted."""
    return {
        one.key: tuple(sorted((other.number for other in group if other is not one), key=str))
        for group in found
        for one in group
    }


def groups(members: Iterable[Member]) -> list[Group]:
    """The chains of a window, ordered by leader."""
    by_key = {one.key: one for one in members}
    parent = {key: key for key in by_key}

    def root(key: str) -> str:
        while parent[key] != key:
            key = parent[key]
        return key

    for one in by_key.values():
        for other in filter(parent.__contains__, one.partners):
            first, second = sorted((root(one.key), root(other)))
            parent[second] = first
    together: dict[str, list[Member]] = {}
    for one in by_key.values():
        together.setdefault(root(one.key), []).append(one)
    return sorted(map(_leader_first, together.values()), key=lambda group: group[0].order)


def _leader_first(group: Sequence[Member]) -> Group:
    chief = leader(group)
    return chief, *sorted((one for one in group if one is not chief), key=lambda one: one.order)


def leader(group: Iterable[Member]) -> Member:
    """Who speaks for a chain: an item with code, then an issue before a pull request, then the oldest."""
    return min(group, key=lambda one: (not one.has_code, not one.is_issue, one.order))


Neighbours = Mapping[str, frozenset[str]]
"""Key of an item -> keys of the items that it links to or that link to it; none for those without."""


def neighbours(members: Iterable[Member]) -> Neighbours:
    """Who is linked with whom, in either direction; made once for a window."""
    linking = {one.key: one.links for one in members}
    near: dict[str, set[str]] = {}
    for key, links in linking.items():
        for other in filter(linking.__contains__, links):
            near.setdefault(key, set()).add(other)
            near.setdefault(other, set()).add(key)
    return {key: frozenset(others) for key, others in near.items()}


def linked(group: Group, near: Neighbours) -> frozenset[str]:
    """Keys of the items outside a chain that it links to or that link to it."""
    found: set[str] = set()
    return frozenset(found.union(*(near.get(one.key, ()) for one in group)) - {one.key for one in group})


def bare(items: Iterable[Item]) -> tuple[Item, ...]:
    """Items without their texts, ordered by number."""
    without = (item.model_copy(update={"body": "", "comments": (), "files": ()}) for item in items)
    return tuple(sorted(without, key=lambda item: item.order))


def _partners(item: Item) -> set[str]:
    """Keys of the items that this one says it is one change with."""
    found = {f"{link.repo}#{link.number}" for link in item.links if link.kind in TOGETHER}
    if item.kind is not ItemKind.ISSUE:
        claimed = {f"{match['repo'] or item.repo}#{match['number']}" for match in FIXES.finditer(item.body[:20_000])}
        found |= claimed if len(claimed) <= CLAIMS else set()
    return found
