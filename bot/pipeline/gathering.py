"""Gather: a window's items go into the store, each is ruled on, and what may matter is read in detail.

Items pass through one at a time. What stays in memory of each is its ruling and what its chain is made of, so that a
month of them fits.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.model import FrozenHeads, Item, Reading, Ruling, Window
from bot.pipeline.line import Line
from bot.seams import Progress, Source
from bot.stages.chain import Group, Member, Neighbours, groups, member, neighbours
from bot.stages.classify import Rulings, rule_on

BATCH = 50
"""Items whose details are asked for at once, and saved."""
ROUNDS = 3
"""Details may bring items from outside whose own details matter; a chain that grows longer waits for the next scan."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A window in the store, and how its items belong together."""

    heads: FrozenHeads
    reading: Reading | None
    """How whole the window is; None where nobody counted."""
    groups: Sequence[Group]
    """The chains, ordered by leader: one case each."""
    rulings: Mapping[str, Ruling]
    """A ruling for each item by its key, without its chain."""
    near: Neighbours

    @property
    def keys(self) -> list[str]:
        """The keys of all items, ordered by item."""
        return [one.key for one in sorted((one for group in self.groups for one in group), key=lambda one: one.order)]


def gather(source: Source, window: Window, line: Line, progress: Progress) -> Gathered:
    """Read a window into the store, whole. Raises the source's error; what was saved by then is not read again."""
    heads = source.heads()
    listed: set[str] = set()
    line.store.save_items(window, _noted(source.items(), listed))
    reading = source.reading()
    progress.note(f"{len(listed)} items read")
    survey = _Survey(window, line, listed)
    survey.look(line.store.items(window))
    for _ in range(ROUNDS):
        kept = line.store.undetailed(window, survey.relevant())
        if not kept:
            break
        progress.note(f"{len(kept)} of them may matter: reading their details")
        for start in range(0, len(kept), BATCH):
            survey.ask(source, kept[start : start + BATCH])
    survey.forget_strays()
    return Gathered(heads, reading, survey.groups(), survey.rulings, neighbours(survey.members.values()))


class _Survey:
    """What is known by now of a window's items in the store."""

    def __init__(self, window: Window, line: Line, listed: set[str]) -> None:
        self._window, self._line, self._listed = window, line, listed
        self.members: dict[str, Member] = {}
        self.rulings = Rulings()

    def look(self, items: Iterable[Item]) -> None:
        """Rule on items as they are now."""
        for item in items:
            self.members[item.key] = member(item)
            self.rulings.keep(item.key, rule_on(item, self._line.classify_rules))

    def groups(self) -> list[Group]:
        """The chains that have at least one item of the window itself."""
        return [group for group in groups(self.members.values()) if any(one.key in self._listed for one in group)]

    def relevant(self) -> list[str]:
        """The members of all chains that hold a candidate: whoever speaks for one needs the others' details too."""
        chosen = (group for group in self.groups() if any(self.rulings[one.key].candidate for one in group))
        return [one.key for group in chosen for one in group]

    def ask(self, source: Source, kept: Sequence[str]) -> None:
        """Read items in detail, and rule on them and on what came with them."""
        came: set[str] = set()
        found = source.details(list(self._line.store.items(self._window, kept)))
        self._line.store.save_details(self._window, kept, _noted(found, came))
        self.look(self._line.store.items(self._window, sorted(came)))

    def forget_strays(self) -> None:
        """Remove items from outside that belong to nothing of the window, now that all is known."""
        near = {one.key for group in self.groups() for one in group}
        strays = self.members.keys() - near
        if strays:
            self._line.store.forget_items(self._window, sorted(strays))
        for key in strays:
            del self.members[key]
            self.rulings.forget(key)


def _noted(items: Iterable[Item], keys: set[str]) -> Iterator[Item]:
    """The items, their keys noted as they pass."""
    for item in items:
        keys.add(item.key)
        yield item
