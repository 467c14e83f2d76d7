"""join: blocks of one text that make one script: what one uses and another defines comes before it."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.model import Block, Found, Origin
from bot.stages.imports import importable
from bot.syntax import Names, names, parsed, parses

MOST = 12
"""Blocks that are joined into one script."""
SHOWS = re.compile(r"\bassert\b|\bprint\(|assert_close|allclose|assert[A-Z]\w+|assert_\w+\(")
NOTHING = Names(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Part:
    """A block that is code."""

    block: Block
    found: Found
    names: Names = field(default=NOTHING)
    imports: Mapping[str, str] = field(default_factory=dict)
    """Name -> the statement that imports it."""
    defines: frozenset[str] = frozenset()
    """Functions and classes."""


@dataclass(frozen=True, slots=True)
class Script:
    """One block or several, in the order in which they run."""

    parts: tuple[Part, ...]
    chief: Part
    """The block that the others serve."""
    imports: tuple[str, ...] = ()
    """Statements of other blocks that are all it takes from them."""

    @property
    def code(self) -> str:
        """The blocks one after the other."""
        if len(self.parts) == 1:
            return "".join(f"{line}\n" for line in self.imports) + self.chief.found.code
        texts = ["".join(f"{line}\n" for line in self.imports)] if self.imports else []
        return "\n".join(texts) + "\n".join(f"{part.found.code.strip(chr(10))}\n" for part in self.parts)

    @property
    def origin(self) -> Origin:
        """Where the first of its blocks stands in the text of its chief one."""
        where = self.chief.block.origin.where
        return next(part.block.origin for part in self.parts if part.block.origin.where == where)

    @property
    def score(self) -> float:
        """That of its best block, and a bit more where only the last one shows anything."""
        best = max(part.found.score for part in self.parts)
        others = (part.found.code for part in self.parts if part is not self.chief)
        alone = len(self.parts) > 1 and SHOWS.search(self.chief.found.code) and not any(map(SHOWS.search, others))
        return min(1.0, round(best + 0.01 * bool(alone), 2))

    @property
    def changes(self) -> tuple[str, ...]:
        """What was done to its blocks, and that they were joined."""
        told = dict.fromkeys(change for part in self.parts for change in part.found.changes)
        told |= dict.fromkeys(f"{line} taken from another block" for line in self.imports)
        if len(self.parts) == 1:
            return tuple(told)
        here = self.chief.block.origin.where
        places = (part.block.origin.where.replace(here, "") + f" {part.block.line}" for part in self.parts)
        return (*told, f"{len(self.parts)} blocks joined (lines {', '.join(place.strip() for place in places)})")


def part_of(block: Block, found: Found) -> Part:
    """A block with the names of its code."""
    tree = parsed(found.code) if found.language == "python" else None
    used = names(found.code) if tree else None
    if tree is None or used is None:
        return Part(block, found)
    imports = {
        alias.asname or alias.name.partition(".")[0]: ast.unparse(node)
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return Part(block, found, used, imports, frozenset(one.name for one in tree.body if isinstance(one, kinds)))


def joined(parts: Sequence[Part], earlier: Sequence[Part] = ()) -> list[Script]:
    """Scripts in the order of their chief blocks; a block that serves another is not listed by itself.

    Blocks of an `earlier` text serve only.
    """
    python = [part for part in (*earlier, *parts) if part.found.language == "python"]
    begin = sum(part.found.language == "python" for part in earlier)
    binding: dict[str, list[int]] = {}
    for number, part in enumerate(python):
        for name in part.names.bound:
            binding.setdefault(name, []).append(number)
    made = [_script(number, python, binding) for number in range(begin, len(python))]
    serving = {id(part) for script in made for part in script.parts if part is not script.chief}
    return [script for script in made if id(script.chief) not in serving]


def _script(number: int, python: Sequence[Part], binding: Mapping[str, Sequence[int]]) -> Script:
    """The block with all that it needs of others, in the order in which they stand; what comes later goes first."""
    chosen, waiting = {number}, [number]
    imports: dict[str, None] = {}
    while waiting and len(chosen) < MOST:
        here = waiting.pop()
        for name in sorted(python[here].names.free):
            other = _definer(name, here, python, binding.get(name, ()))
            if other is None:
                continue
            if name in python[other].imports:
                imports[python[other].imports[name]] = None
            elif other not in chosen and not (other > number and python[number].names.bound & python[other].names.free):
                chosen.add(other)
                waiting.append(other)
    order = sorted(chosen, key=lambda one: (one <= number, one))
    parts = tuple(python[one] for one in order)
    there = {line for part in parts for line in part.imports.values()}
    script = Script(parts, python[number], tuple(line for line in imports if line not in there))
    return script if parses(script.code) else Script((python[number],), python[number])


def _definer(name: str, here: int, python: Sequence[Part], binding: Sequence[int]) -> int | None:
    """The nearest block before `here` that binds the name, else the next one that defines a function or class so."""
    before = [one for one in binding if one < here]
    if before:
        usual = importable(name) and name in python[before[-1]].imports
        return None if usual else before[-1]
    after = (one for one in binding if one > here and name in python[one].defines)
    return None if importable(name) else next(after, None)
