"""patch: the new side of a file's changes as GitHub shows them: hunks of a unified diff without the file's header.

GitHub cuts nothing inside a hunk, but a patch may come from anywhere: what does not fit its header is read as far as
it fits, and never raises. (`unidiff` refuses such a patch whole, and wants the header that GitHub leaves out.)
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

HEADER = re.compile(
    r"@@ -(?P<old>\d{1,6})(?:,(?P<gone>\d{1,6}))? \+(?P<start>\d{1,6})(?:,(?P<count>\d{1,6}))? @@ ?(?P<heading>.*)"
)
CONTEXT = 3
"""Unchanged lines that are shown after the last change, unless the file ends before."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that follow each other on the new side."""

    start: int
    """Number of the first line, 1-based."""
    lines: tuple[str, ...]
    added: frozenset[int]
    """Numbers of those that are new."""
    heading: str = ""
    """The line at the margin above it, of which git shows 80 bytes: `class TestFoo(TestCase):`."""
    new_file: bool = False
    """There was nothing before, and it is all here."""
    at_end: bool = False
    """The file ends with it."""

    @property
    def end(self) -> int:
        """Number of the line after the last one."""
        return self.start + len(self.lines)


def hunks(patch: str) -> list[Hunk]:
    """The hunks in their order; what stands where an earlier one was is left out."""
    lines, found = patch.split("\n"), []
    starts = [place for place, line in enumerate(lines) if line.startswith("@@ ")]
    end = 0
    for start, until in pairwise([*starts, len(lines)]):
        header = HEADER.fullmatch(lines[start].rstrip("\r"))
        if header is None or int(header["start"]) < end:
            continue
        hunk = _hunk(header, lines[start + 1 : until])
        if hunk.lines:
            found.append(hunk)
            end = hunk.end
    return found


def plain(text: str) -> str:
    """A text whose lines end as git counts them: Python would begin a new one at a lone carriage return too."""
    return text.replace("\r\n", "\n").replace("\r", " ")


def _hunk(header: re.Match[str], lines: list[str]) -> Hunk:
    start, count = int(header["start"]), int(header["count"] or 1)
    new_side = [(line[:1] == "+", plain(line[1:] + "\n")[:-1]) for line in _new_side(lines, count)]
    last = max((place for place, (added, _) in enumerate(new_side) if added), default=-1)
    whole = len(new_side) == count
    return Hunk(
        start=start,
        lines=tuple(text for _, text in new_side),
        added=frozenset(start + place for place, (added, _) in enumerate(new_side) if added),
        heading=header["heading"].strip(),
        new_file=whole and start == 1 and header["old"] == "0" and header["gone"] == "0",
        at_end=whole and len(new_side) - 1 - last < CONTEXT,
    )


def _new_side(lines: list[str], count: int) -> Iterator[str]:
    """At most `count` lines with their sign; a blank line may have lost the blank that is its sign."""
    for line in lines:
        if count == 0:
            return
        if line[:1] in ("+", " ") or line in ("", "\r"):
            count -= 1
            yield line or " "


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides of a hunk."""

    start: int
    """Number of the first line of the new side, 1-based."""
    heading: str
    old: tuple[str, ...]
    new: tuple[str, ...]


def sides(patch: str) -> list[Sides]:
    """Both sides of every hunk, in their order; a hunk without a header that can be read is left out."""
    lines = patch.split("\n")
    starts = [place for place, line in enumerate(lines) if line.startswith("@@ ")]
    found = []
    for start, until in pairwise([*starts, len(lines)]):
        header = HEADER.fullmatch(lines[start].rstrip("\r"))
        if header is None:
            continue
        body = [plain(line + "\n")[:-1] for line in lines[start + 1 : until] if not line.startswith("\\")]
        old = tuple(line[1:] for line in body if line[:1] in ("-", " ", ""))[: int(header["gone"] or 1)]
        new = tuple(line[1:] for line in body if line[:1] in ("+", " ", ""))[: int(header["count"] or 1)]
        found.append(Sides(int(header["start"]), header["heading"].strip(), old, new))
    return found
