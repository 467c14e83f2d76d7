"""fragment: what a patch shows of a Python file, as a text of which every line stands at its place.

Only what is seen whole is shown: a function of which a hunk holds the middle is left out. The class that a hunk is in
the midst of is known by the line above it, which git shows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.stages.patch import Hunk

START = re.compile(r"(?P<margin>|    )(?P<word>@|async def\b|def\b|class\b|\w)")
"""A line that begins a statement of the module or of a class."""
COMPOUND = frozenset({"def", "async", "class", "if", "for", "with", "try", "while"})


@dataclass(slots=True)
class _Block:
    """The lines of one statement, as far as the hunk goes."""

    place: int
    """Index of its first line in the hunk."""
    margin: int
    lines: list[str] = field(default_factory=list)

    @property
    def only_decorators(self) -> bool:
        """Another line that begins a statement belongs to it still."""
        starts = [match["word"] for line in self.lines if (match := START.match(line))]
        return all(word == "@" for word in starts)

    @property
    def opens_class(self) -> bool:
        """It is the header of a class, with what stands before the first member."""
        return any(line.startswith("class ") for line in self.lines)

    @property
    def compound(self) -> bool:
        """It goes on below its first line."""
        first = self.lines[0].lstrip()
        return first.startswith("@") or first.split(" ")[0].rstrip(":") in COMPOUND


def shown(hunks: Sequence[Hunk]) -> tuple[str, frozenset[int]]:
    """The text, and the numbers of new lines that are not in it."""
    if len(hunks) == 1 and hunks[0].new_file:
        return "\n".join(hunks[0].lines) + "\n", frozenset()
    lines: dict[int, str] = {}
    for hunk in hunks:
        _show(hunk, lines)
    seen = "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1)) + "\n"
    told = {hunk.start + place for hunk in hunks for place, line in enumerate(hunk.lines) if not _says_nothing(line)}
    return seen, frozenset(told & set().union(*(hunk.added for hunk in hunks)) - lines.keys())


def _show(hunk: Hunk, lines: dict[int, str]) -> None:
    """Put the hunk's whole statements at their places."""
    header: dict[int, str] = {}
    if hunk.start > 1 and hunk.heading.startswith("class ") and hunk.heading.endswith(":"):
        header = {hunk.start - 1: hunk.heading}
    for block in _blocks(hunk):
        numbered = {hunk.start + block.place + at: line for at, line in enumerate(block.lines)}
        if block.margin == 0 and not block.opens_class:
            header = {}
            lines |= numbered if _whole(block, hunk) else {}
        elif block.margin == 0:
            header = numbered
        elif header and _whole(block, hunk):
            lines |= header | numbered


def _blocks(hunk: Hunk) -> Iterator[_Block]:
    """The statements of the module and of its classes; what stands before the first is of something else."""
    block: _Block | None = None
    in_class = hunk.heading.startswith("class ")
    for place, line in enumerate(hunk.lines):
        match = START.match(line)
        margin = len(match["margin"]) if match else 0
        if block and block.margin == 0:
            in_class = block.opens_class
        begins = match and (margin == 0 or in_class)
        if begins and not (block and block.margin == margin and block.only_decorators):
            if block:
                yield block
            block = _Block(place, margin)
        if block:
            block.lines.append(line)
    if block:
        yield block


def _whole(block: _Block, hunk: Hunk) -> bool:
    """Does the hunk hold it to its end, and from its first decorator on?"""
    first, last = block.place == 0, block.place + len(block.lines) == len(hunk.lines)
    if not block.compound:
        return True
    above = hunk.lines[block.place - 1].strip() if not first else ")"
    return not above.startswith(")") and (not last or hunk.at_end)


def _says_nothing(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")
