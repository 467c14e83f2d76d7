"""web: who uses whom in a kernel tree. It tells what a template's parameter may be, and what an operator reaches."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import cached_property

from bot.cpp.facts import UNKNOWN, Facts, Unit, Use
from bot.model import Parameter

HARMLESS = frozenset({"wide", "integer", "other"})
TOLD = re.compile(r"scalar|input|output|grad|data|value", re.I)
"""A parameter that says by its name that it is a tensor's element."""
DEEPEST = 12
COMMONEST = 60
"""A name that this many units use is a tool of all kernels: no operator is told by it."""


class Web:
    """The facts of all files together."""

    def __init__(self, files: Iterable[Facts]) -> None:
        self.files = list(files)
        self.units: dict[str, list[tuple[str, Unit]]] = defaultdict(list)
        """Name -> file and unit."""
        self._used: dict[str, list[tuple[str, Use]]] = defaultdict(list)
        self._uses: dict[str, list[tuple[str, Use]]] = defaultdict(list)
        self.registered: dict[str, list[str]] = defaultdict(list)
        self._led: dict[str, tuple[str, ...]] = {}
        for one in self.files:
            for unit in one.units:
                self.units[unit.name].append((one.path, unit))
            for use in one.uses:
                self._used[use.name].append((one.path, use))
                self._uses[use.unit].append((one.path, use))
            for stub, function in one.registered:
                self.registered[stub].append(function)

    def may_be_narrow(self, path: str, parameter: Parameter) -> bool:
        """May a template's parameter be half precision, as far as its uses tell? If nobody knows, its name decides."""
        bound = self._bound(path, parameter.template, parameter.name, frozenset())
        return "narrow" in bound or (not bound & HARMLESS and TOLD.search(parameter.name) is not None)

    def _bound(self, path: str, template: str, name: str, seen: frozenset[tuple[str, str]]) -> set[str]:
        """What a parameter is bound to: `narrow`, `wide`, `integer`, `?`."""
        if (template, name) in seen or len(seen) > DEEPEST:
            return set()
        seen |= {(template, name)}
        uses = self._used.get(template, ())
        near = [one for one in uses if one[0] == path] or uses
        found: set[str] = set()
        for place, use in near:
            for word in self._words(path, template, name, use):
                owner, _, inner = word.partition(".")
                found |= self._bound(place, owner, inner, seen) if inner else {word}
        return found

    def _words(self, path: str, template: str, name: str, use: Use) -> Iterator[str]:
        """What one use says of a parameter, by its template arguments, else by the values that it hands over."""
        named = [unit for place, unit in self.units.get(template, ()) if name in unit.parameters]
        here = [unit for place, unit in self.units.get(template, ()) if place == path and name in unit.parameters]
        for unit in (here or named)[:1]:
            position = unit.parameters.index(name)
            if position < len(use.types):
                yield use.types[position]
            elif unit.deduced and 0 <= unit.deduced[position] < len(use.values):
                yield use.values[unit.deduced[position]]
            else:
                yield UNKNOWN

    def reached(self, roots: Iterable[str]) -> dict[str, int]:
        """The units that these names lead to, with the number of steps."""
        far = {name: 0 for name in roots if name in self.units or name in self.registered}
        waiting = deque(far)
        while waiting:
            name = waiting.popleft()
            for other in self._following(name):
                if other not in far:
                    far[other] = far[name] + 1
                    waiting.append(other)
        return far

    def _following(self, name: str) -> tuple[str, ...]:
        """The units that one leads to at once, each once; asked by hundreds of operators, so kept."""
        found = self._led.get(name)
        if found is None:
            named = [use.name for _, use in self._uses.get(name, ())] + self.registered.get(name, [])
            found = tuple(one for one in dict.fromkeys(named) if self._leads(one))
            self._led[name] = found
        return found

    def _leads(self, name: str) -> bool:
        known = name in self.units or name in self.registered
        return known and len(self._used.get(name, ())) < COMMONEST

    def guarded(self, unit: str, guards: frozenset[str], seen: frozenset[str] = frozenset()) -> bool:
        """Does the unit, or everybody who uses it, ask one of these first?"""
        if guards & {use.name for _, use in self._uses.get(unit, ())}:
            return True
        users = {use.unit for _, use in self._used.get(unit, ())} - {unit} - seen
        if not users or len(seen) > DEEPEST:
            return False
        return all(self.guarded(one, guards, seen | {unit}) for one in users)

    @cached_property
    def unfilled(self) -> set[tuple[str, int]]:
        """Function and argument, from 0, that unfilled memory is handed to, by whoever allocated it or in its turn."""
        passed: dict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        found: set[tuple[str, int]] = set()
        for one in self.files:
            for unit in one.units:
                for name, at, mine in unit.hands:
                    names = self.registered.get(name, [name])
                    for other in names:
                        (found.add((other, at)) if mine < 0 else passed[unit.name, mine].add((other, at)))
        waiting = list(found)
        while waiting:
            new = passed[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    def users(self, unit: str) -> list[str]:
        """The functions that mention a unit."""
        names = sorted({use.unit for _, use in self._used.get(unit, ())} - {unit})
        return [name for name in names if any(not one.functor for _, one in self.units.get(name, ()))]

    def mentions(self, unit: str) -> set[str]:
        """The names that a unit mentions."""
        return {use.name for _, use in self._uses.get(unit, ())}
