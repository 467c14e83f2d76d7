"""inline: what is written in another way inside one paragraph, heading or cell."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.sanitising.finding import HOLE, LINK, Find, finds
from bot.sanitising.links import behind, may_link, quiet_form
from bot.sanitising.rules import ExitRules
from bot.sanitising.tree import Atom
from bot.sanitising.unseen import visible

ALLOWED_TAG = re.compile(r"<br ?/?>|</?su[bp]>", re.IGNORECASE)
TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
CHARACTER_REFERENCE = re.compile(r"&(?=#?\w+;)", re.ASCII)
DEFINITION = re.compile(r"[ \t]*(?:\[[ xX]\][ \t]+)*\[(?=(?:[^\]\\]|\\.)*\]:)", re.DOTALL)
TICKS = re.compile(r"`+")
LONGEST_ADDRESS = 400
"""Characters that are shown of an address that may not be a link."""


class Edit(NamedTuple):
    """Replace content[start:end]."""

    start: int
    end: int
    text: str
    kind: str


class Shown(NamedTuple):
    """Inline content as it is read, and for each character of that the part of the content that it stands for."""

    text: str
    spans: list[tuple[int, int]]

    def raw(self, place: int) -> bool:
        """Is this character written as itself?"""
        start, end = self.spans[place]
        return end - start == 1 and self.text[place] not in (HOLE, LINK)

    def ends_line(self, place: int, content: str) -> bool:
        """Is it a line's end, with nothing before it that makes it a break?"""
        return self.text[place] == content[self.spans[place][0]] == "\n"


def edits(content: str, atoms: Sequence[Atom], rules: ExitRules) -> list[Edit]:
    """All edits of one inline content, apart from one another and in order."""
    shown = _shown(content, atoms, rules)
    odd = {place for place in range(len(shown.text)) if not shown.raw(place) and not shown.ends_line(place, content)}
    links = [atom for atom in atoms if atom.kind == "link"]
    found = [
        *(_as_code(content, shown, one, links) for one in finds(shown.text, rules, odd)),
        *_of_atoms(content, atoms, rules),
    ]
    found = _apart(found)
    found += _escapes(shown, found)
    return sorted(found)


def code(text: str) -> str:
    """A code span of some words on one line."""
    line = " ".join(text.split()) or " "
    ticks = "`" * (1 + max((len(run) for run in TICKS.findall(line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _shown(content: str, atoms: Sequence[Atom], rules: ExitRules) -> Shown:
    text: list[str] = []
    spans: list[tuple[int, int]] = []

    def add(told: str, start: int, end: int) -> None:
        text.extend(told)
        spans.extend([(start, end)] * len(told))

    def plain(start: int, end: int) -> None:
        text.extend(content[start:end])
        spans.extend((place, place + 1) for place in range(start, end))

    place = 0
    for start, end, told in sorted(_parts(content, atoms, rules)):
        plain(place, start)
        add(told, start, end)
        place = end
    plain(place, len(content))
    return Shown("".join(text), spans)


def _parts(content: str, atoms: Sequence[Atom], rules: ExitRules) -> Iterator[tuple[int, int, str]]:
    """What each atom shows, with its place. Of a link only the marks are one: its label is text."""
    for atom in atoms:
        if atom.kind == "link":
            stays = may_link(atom.told, rules) or quiet_form(behind(atom.told), rules)
            yield atom.start, atom.start + 1, LINK if stays else HOLE
            yield atom.label_end, atom.end, HOLE
        elif atom.kind == "autolink":
            yield atom.start, atom.end, LINK
        elif _breaks(content, atom):
            yield atom.start, atom.end, "\n"
        elif atom.kind in ("escape", "entity"):
            yield atom.start, atom.end, visible(atom.told)[0]
        else:
            raised = atom.kind == "html" and ALLOWED_TAG.fullmatch(content[atom.start : atom.end])
            yield atom.start, atom.end, "*" if raised else HOLE  # as emphasis, which parts words too


def _breaks(content: str, atom: Atom) -> bool:
    """Does a new line of the rendered text begin here?"""
    if atom.kind == "escape":
        return content[atom.start + 1] == "\n"
    return atom.kind == "break" or (atom.kind == "html" and content[atom.start : atom.start + 3].lower() == "<br")


def _beside_text(content: str, atom: Atom) -> bool:
    """A tag that has a line to itself may begin a block of HTML."""
    before = content[: atom.start].rpartition("\n")[2]
    after = content[atom.end :].partition("\n")[0]
    return bool(before.strip() or after.strip())


def _as_code(content: str, shown: Shown, one: Find, links: Sequence[Atom]) -> Edit:
    start, end = one.start, one.end
    while shown.text[end - 1].isspace():
        end -= 1
    first, last = shown.spans[start][0], shown.spans[end - 1][1]
    in_link = any(link.start < first < link.end for link in links)
    text = one.instead if one.instead and not in_link else code(shown.text[start:end])
    before = " " if content[first - 1 : first] == "`" else ""
    after = " " if content[last : last + 1] == "`" else ""
    return Edit(first, last, f"{before}{text}{after}", one.kind)


def _of_atoms(content: str, atoms: Sequence[Atom], rules: ExitRules) -> Iterator[Edit]:
    for atom in atoms:
        told = content[atom.start : atom.end]
        if atom.kind == "link":
            yield from _of_link(content, atom, rules)
        elif atom.kind == "autolink":
            yield from _of_address(told[1:-1], atom, rules)
        elif atom.kind == "image":
            yield Edit(atom.start, atom.start + 1, "image ", "image")
        elif atom.kind == "html" and not (ALLOWED_TAG.fullmatch(told) and _beside_text(content, atom)):
            yield Edit(atom.start, atom.start + 1, "&lt;", "HTML")
        elif atom.kind == "code" and "\n" in told:
            yield Edit(atom.start, atom.end, re.sub(r"[ \t]*\n[ \t]*", " ", told), "line break in code")
        elif atom.kind == "entity" and (seen := visible(atom.told))[1]:
            yield Edit(atom.start, atom.end, seen[0], "unseen character")


def _of_address(url: str, atom: Atom, rules: ExitRules) -> Iterator[Edit]:
    if may_link(url, rules):
        return
    named = behind(url)
    quiet = quiet_form(named, rules)
    if named and quiet:
        yield Edit(atom.start, atom.end, f"[`{named.reference}`]({quiet})", "reference")
    else:
        yield Edit(atom.start, atom.end, code(url), "reference" if named else "link")


def _of_link(content: str, atom: Atom, rules: ExitRules) -> Iterator[Edit]:
    named = behind(atom.told)
    kind = "reference" if named else "link"
    href = atom.told if may_link(atom.told, rules) else quiet_form(named, rules)
    if href:
        if content[atom.label_end : atom.end] != f"]({href})":
            yield Edit(atom.label_end, atom.end, f"]({href})", kind)
        return
    spelled = named.reference if named else atom.told[:LONGEST_ADDRESS]
    label = content[atom.start + 1 : atom.label_end]
    if label.strip("` \n") in (spelled, atom.told, ""):
        yield Edit(atom.start, atom.end, code(spelled), kind)
    else:
        yield Edit(atom.start, atom.start + 1, "", kind)
        yield Edit(atom.label_end, atom.end, f" ({code(spelled)})", kind)


def _apart(found: list[Edit]) -> list[Edit]:
    """Of edits that overlap the one that begins first and reaches furthest; the others wait for the next round."""
    apart: list[Edit] = []
    for one in sorted(found, key=lambda edit: (edit.start, -edit.end)):
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return apart


def _escapes(shown: Shown, taken: Sequence[Edit]) -> list[Edit]:
    """Marks that a parser other than ours might read as the start of something.

    A backtick that nothing closes is one: after it GitHub's parser misses code spans that ours sees, and where one
    sees a table and the other none it would pair with another.
    """
    text = shown.text
    wanted: dict[int, tuple[str, str]] = {}
    for one in TAG_START.finditer(text):
        wanted[one.start()] = ("&lt;", "HTML")
    for one in CHARACTER_REFERENCE.finditer(text):
        wanted[one.start()] = ("&amp;", "character reference")
    for one in re.finditer(r"\](?=\()", text):
        wanted[one.start()] = ("\\]", "link")
    for one in re.finditer(r"\[(?=\^)", text):
        wanted[one.start()] = ("\\[", "footnote")
    if definition := DEFINITION.match(text):
        wanted[definition.end() - 1] = ("\\[", "link definition")
    for one in re.finditer("`", text):
        wanted[one.start()] = ("\\`", "backtick")
    free = _free(shown, taken)
    return [
        Edit(*shown.spans[place], instead, kind)
        for place, (instead, kind) in wanted.items()
        if shown.raw(place) and place in free
    ]


def _free(shown: Shown, taken: Sequence[Edit]) -> set[int]:
    """Places of the shown text that no edit covers."""
    free: set[int] = set()
    waiting = iter(taken)
    one = next(waiting, None)
    for place, (start, end) in enumerate(shown.spans):
        while one and one.end <= start:
            one = next(waiting, None)
        if not one or end <= one.start:
            free.add(place)
    return free
