"""explain: all that is known of an item before anything runs: its ruling, its chain and why, its state, its owner."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model import Claim, Item, ItemClass, Owned, Ruling, Standing, Target, Tie, rfc3339
from bot.registry import Rule
from bot.stages.chain import Group, chains, joined, member
from bot.stages.classify import chained
from bot.stages.owner import owner
from bot.stages.series import series
from bot.stages.state import standings
from bot.stages.weigh import Said, said_of


@dataclass(frozen=True, slots=True)
class Known:
    """An item with all that is known of it."""

    item: Item
    ruling: Ruling
    leader: str
    """Key of the item that speaks for its chain."""
    ties: tuple[Tie, ...]
    """What joined its chain."""
    standing: Standing
    owned: Owned
    series: tuple[str, ...]
    """Keys of other chains' items about the same operator."""

    def as_json(self) -> dict[str, Any]:
        """The ruling, and beside it what is known of the change."""
        since = self.standing.since
        return {
            **self.ruling.as_json(),
            "leader": self.leader,
            "joined": [tie.as_json() for tie in self.ties],
            "state": self.standing.state.value,
            "state_why": self.standing.why,
            "since": rfc3339(since) if since else None,
            "landed_sha": self.standing.landed_sha,
            "ownership": self.owned.ownership.value,
            "ownership_why": self.owned.why,
            "series": list(self.series),
        }


def known(items: Sequence[Item], rulings: Sequence[Ruling], target: Target) -> Iterator[Known]:
    """Of each item, in their order; of items of one key each has its own ruling, and the last one stands in chains.

    The rulings are of the items by themselves: the chains are put in here.
    """
    groups, ties = joined(map(member, items))
    together = chains(groups)
    by_key = {item.key: item for item in items}
    chained_rulings = [chained(own, together[item.key]) for item, own in zip(items, rulings, strict=True)]
    ruled = {item.key: ruling for item, ruling in zip(items, chained_rulings, strict=True)}
    group_of: dict[str, Group] = {one.key: group for group in groups for one in group}
    why: dict[str, list[Tie]] = defaultdict(list)
    for tie in ties:
        why[group_of[tie.key][0].key].append(tie)
    own, akin = owner(target), _akin(series(groups, ruled), group_of)
    stand: dict[str, Standing] = {}
    for group in groups:
        stand |= standings([by_key[one.key] for one in group])
    for item, ruling in zip(items, chained_rulings, strict=True):
        group = group_of[item.key]
        chain = [item if one.key == item.key else by_key[one.key] for one in group]
        yield Known(
            item=item,
            ruling=ruling,
            leader=group[0].key,
            ties=tuple(why[group[0].key]),
            standing=stand[item.key],
            owned=own(chain, ruling),
            series=akin.get(group[0].key, ()),
        )


def _akin(found: Mapping[str, Sequence[str]], group_of: Mapping[str, Group]) -> dict[str, tuple[str, ...]]:
    """Links of a series in both directions, by leader."""
    both: dict[str, set[str]] = defaultdict(set)
    for leader, keys in found.items():
        for key in keys:
            both[leader].add(key)
            both[group_of[key][0].key].add(leader)
    return {leader: tuple(sorted(keys)) for leader, keys in both.items()}


def claims(item: Item, rules: Sequence[Rule]) -> list[Said]:
    """What the rules say of an item and what was learned of it: vetoes first, then the heaviest."""
    said = said_of(item, rules)
    return sorted(said, key=lambda one: (not one.claim.veto, -one.claim.weight, one.rule, one.claim.why))


def speaks_for_candidate(claim: Claim) -> bool:
    """For a candidate, or against one? A defect kind speaks for it."""
    return claim.item_class in (None, ItemClass.CANDIDATE)
