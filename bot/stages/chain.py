"""chain: the issue, its fixes, their re-lands, reverts, picks and stack layers are one upstream change, and one case.

What tells who belongs together is taken off each item once, so that a month of them needs no texts in memory. Whatever
a stranger writes, a chain stays small: what claims too much, or is claimed by too many, joins nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.model import Item, Kinship, Tie
from bot.stages.kin import CLAIMS
from bot.stages.member import Group, Member, member
from bot.stages.subject import pairs

__all__ = [
    "Group",
    "Member",
    "Neighbours",
    "bare",
    "chains",
    "claimed",
    "groups",
    "joined",
    "leader",
    "linked",
    "member",
    "neighbours",
]

MOST = 40
"""Members of a chain: the longest stacks have fewer."""
SHORT = 7
"""Hexadecimal digits by which a commit is found before all of them are compared."""
FIRM = (Kinship.LANDS, Kinship.REVERTS, Kinship.RELANDS, Kinship.CHERRY_PICKS)
"""Kinships between commits and pull requests of one and the same change."""


def chains(found: Iterable[Group]) -> dict[str, tuple[int | str, ...]]:
    """For every member's key the numbers of its chain's other members, sorted."""
    return {
        one.key: tuple(sorted((other.number for other in group if other is not one), key=str))
        for group in found
        for one in group
    }


def groups(members: Iterable[Member]) -> list[Group]:
    """The chains of a window, ordered by leader."""
    return joined(members)[0]


def joined(members: Iterable[Member]) -> tuple[list[Group], list[Tie]]:
    """The chains of a window, ordered by leader, and the ties that made them. The members' order doesn't matter."""
    by_key = _by_key(members)
    union = _united(by_key)
    together: dict[str, list[Member]] = {}
    for one in by_key.values():
        together.setdefault(union.root(one.key), []).append(one)
    return sorted(map(_leader_first, together.values()), key=lambda group: group[0].order), union.ties


def claimed(members: Iterable[Member]) -> list[Tie]:
    """Every tie between the members, those included that join what others had joined."""
    return _united(_by_key(members)).claims


def _by_key(members: Iterable[Member]) -> dict[str, Member]:
    return {one.key: one for one in sorted(members, key=lambda one: (one.order, one.key))}


def _united(by_key: Mapping[str, Member]) -> "_Union":
    union = _Union(by_key)
    union.join(_firm(by_key))
    union.join(_stacked(by_key))
    union.join(_fixes(by_key, union))
    union.join(_same_subject(by_key, union))
    return union


class _Union:
    """Sets of keys that grow together, none beyond MOST."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._parent = {key: key for key in keys}
        self._size = dict.fromkeys(self._parent, 1)
        self.ties: list[Tie] = []
        """Those that joined something."""
        self.claims: list[Tie] = []
        """All of them."""

    def root(self, key: str) -> str:
        parent = self._parent
        while parent[key] != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    def alone(self, key: str) -> bool:
        return self._size[self.root(key)] == 1

    def join(self, claims: Iterable[tuple[str, str, Kinship]]) -> None:
        for key, other, kinship in list(claims):
            tie = Tie(key=key, other=other, kinship=kinship)
            self.claims.append(tie)
            first, second = sorted((self.root(key), self.root(other)))
            if first != second and self._size[first] + self._size[second] <= MOST:
                self._parent[second] = first
                self._size[first] += self._size[second]
                self.ties.append(tie)


Claims = Iterator[tuple[str, str, Kinship]]


def _firm(by_key: Mapping[str, Member]) -> Claims:
    """Landings, reverts, re-lands and picks: by number, by commit, and by title where neither is named."""
    landed: dict[str, list[Member]] = defaultdict(list)
    titled: dict[str, list[Member]] = defaultdict(list)
    for one in by_key.values():
        if one.landed_sha:
            landed[one.landed_sha[:SHORT]].append(one)
        if one.bare_title and one.echo is None:
            titled[one.bare_title].append(one)
    for one in by_key.values():
        named = [(key, kind) for key, kind in one.ties if kind in FIRM and key in by_key]
        named += [(found, kind) for sha, kind in one.commits for found in _landed_as(sha, one, landed)]
        if isinstance(one.number, str):
            named += [(found, Kinship.LANDS) for found in _landed_as(one.number, one, landed)]
        if one.echo is not None and not any(kind is one.echo for _, kind in named):
            named += [(found, one.echo) for found in _titled_as(one, titled)]
        yield from ((one.key, key, kind) for key, kind in named[:CLAIMS])


def _landed_as(sha: str, one: Member, landed: Mapping[str, Sequence[Member]]) -> list[str]:
    """Who landed as a commit; nobody where several say so."""
    found = [
        other.key
        for other in landed.get(sha[:SHORT], ())[: CLAIMS + 1]
        if other.key != one.key
        and other.landed_sha
        and (other.landed_sha.startswith(sha) or sha.startswith(other.landed_sha))
    ]
    return found if len(found) <= 1 else []


def _titled_as(one: Member, titled: Mapping[str, Sequence[Member]]) -> list[str]:
    """The latest item of that title that is older; nobody where so many have it that it says nothing."""
    same = titled.get(one.bare_title, ()) if one.bare_title else ()
    if len(same) > CLAIMS:
        return []
    older = [other for other in same if isinstance(one.number, str) or other.order < one.order]
    return [max(older, key=lambda other: other.order).key] if older else []


def _stacked(by_key: Mapping[str, Member]) -> Claims:
    """Layers of a stack: both on branches of one user's, or each in the other's list."""
    for one in by_key.values():
        for key in one.layers:
            other = by_key.get(key)
            if other is None or other is one or other.is_issue:
                continue
            if one.key in other.layers if not (one.stack and other.stack) else one.stack == other.stack:
                yield one.key, key, Kinship.STACK


def _fixes(by_key: Mapping[str, Member], union: _Union) -> Claims:
    """Fixes and what they fix, but for lists, and for what more changes claim to fix than one fault has fixes."""
    claims = [
        (one.key, key, kind)
        for one in by_key.values()
        for key, kind in one.ties
        if kind in (Kinship.LINKED, Kinship.FIXES) and key in by_key and not (one.is_list or by_key[key].is_list)
    ]
    fixed_by: dict[str, set[str]] = defaultdict(set)
    for key, other, _ in claims:
        for issue, fix in ((key, other), (other, key)):
            if by_key[issue].is_issue:
                fixed_by[issue].add(union.root(fix))
    umbrellas = {issue for issue, fixes in fixed_by.items() if len(fixes) > CLAIMS}
    for key, other, kind in sorted(claims, key=lambda claim: claim[2] is not Kinship.LINKED):
        if key not in umbrellas and other not in umbrellas:
            yield key, other, kind


def _same_subject(by_key: Mapping[str, Member], union: _Union) -> Claims:
    """An issue and its fix that were filed apart; only those that nothing else has joined by now."""
    filed = [
        one.filed
        for one in by_key.values()
        if one.filed is not None and not one.is_list and one.echo is None and union.alone(one.key)
    ]
    for pull, issue in pairs(filed):
        yield pull, issue, Kinship.SAME_SUBJECT


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
        for other in links & linking.keys():
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
