"""A hunk of a patch to C++ as rules see it: both sides read for themselves, and what only one of them has.

A hunk is a piece of a function, so that each side is read as if it stood in one; what the grammar can't make of a piece
is left out and nothing is guessed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.cpp.reading import Source, read
from bot.cpp.shapes import Call, Declaration

OPEN, CLOSE = "void hunk() {\n", "\n}\n"


@dataclass(frozen=True, slots=True)
class Edited:
    """One hunk, both sides."""

    path: str
    heading: str
    """What git shows above it: the function, mostly."""
    start: int
    """Of its new side, 1-based."""
    old: Source
    new: Source
    removed: tuple[str, ...]
    added: tuple[str, ...]
    """The lines that only one side has, stripped."""

    def line(self, place: int) -> int:
        """A line of `new` as a line of the file."""
        return self.start + place - 2

    def declared(self) -> Iterator[tuple[Declaration, Declaration]]:
        """Names that both sides declare once, and with another type."""
        before, after = _by_name(self.old.declarations), _by_name(self.new.declarations)
        for name in sorted(before.keys() & after.keys()):
            if before[name].type != after[name].type:
                yield before[name], after[name]

    def called(self) -> Iterator[Call]:
        """Calls that only the new side has, by their text."""
        left = Counter(_text(self.old, one) for one in self.old.calls)
        for one in self.new.calls:
            text = _text(self.new, one)
            if left[text] > 0:
                left[text] -= 1
            else:
                yield one

    def asked(self) -> Iterator[tuple[str, int]]:
        """Conditions of an `if` that only the new side has, and their lines in `new`."""
        before = {_plain(self.old.text(node)) for node, _ in self.old.conditions}
        for node, _ in self.new.conditions:
            if _plain(self.new.text(node)) not in before:
                yield self.new.text(node), node.start_point[0] + 1


def edited(path: str, heading: str, start: int, old: Iterable[str], new: Iterable[str]) -> Edited:
    """A hunk from the lines of both sides."""
    before, after = list(old), list(new)
    ours, theirs = Counter(after), Counter(before)
    return Edited(
        path=path,
        heading=heading,
        start=start,
        old=read(path, OPEN + "\n".join(before) + CLOSE),
        new=read(path, OPEN + "\n".join(after) + CLOSE),
        removed=tuple(line.strip() for line in (theirs - ours).elements() if line.strip()),
        added=tuple(line.strip() for line in (ours - theirs).elements() if line.strip()),
    )


def _by_name(declarations: Iterable[Declaration]) -> dict[str, Declaration]:
    found: dict[str, list[Declaration]] = {}
    for one in declarations:
        found.setdefault(one.name, []).append(one)
    return {name: places[0] for name, places in found.items() if len(places) == 1}


def _text(source: Source, call: Call) -> str:
    return _plain(source.text(call.node))


def _plain(text: str) -> str:
    return "".join(text.split())
