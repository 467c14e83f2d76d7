"""tree: the Markdown tree of a body with the place of each part in its source.

markdown-it keeps lines for blocks and nothing for what is inside them. Its inline rules are wrapped here: each says
from where to where it read. A body costs a bounded number of steps; what is too tangled for that says so.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

DEEPEST = 16
"""Levels of quotes and lists, each list counting two. Deeper ones are not read, and so not let out as they are."""
STEPS = 3_000_000
"""Characters that may be looked at in search of the ends of links."""


class Tangled(Exception):  # noqa: N818  caught in this package only
    """A text that no person writes; it is shown as code."""


class Atom(NamedTuple):
    """A part of inline content that is more than text: `start` and `end` are places in the content."""

    kind: str
    """`code`, `link`, `image`, `autolink`, `html`, `entity`, `escape`, `break`."""
    start: int
    end: int
    told: str = ""
    """The address of a link; the text of an entity or an escape."""
    label_end: int = 0
    """Of a link: where `]` stands."""


@dataclass
class Budget:
    """Steps that are left for one body."""

    left: int = STEPS

    def spend(self, steps: int) -> None:
        """Raises Tangled when nothing is left."""
        self.left -= steps
        if self.left < 0:
            raise Tangled


@dataclass
class Reading:
    """What the wrapped rules write down."""

    budget: Budget
    atoms: list[Atom] = field(default_factory=list)


def blocks(text: str) -> list[Token]:
    """The blocks, without what is inside paragraphs. Raises Tangled where they stand too deep in one another."""
    tokens = _blocks().parse(text)
    if any(token.level >= DEEPEST for token in tokens):
        raise Tangled
    return tokens


def definitions(text: str) -> dict[str, Any]:
    """What links by reference lead to, as markdown-it keeps it."""
    env: dict[str, Any] = {}
    if "]:" in text:
        _definitions().parse(text, env)
    return {"references": env.get("references", {})}


def atoms(content: str, env: dict[str, Any], budget: Budget) -> list[Atom]:
    """The atoms of one inline content in their order; a link stands before the atoms of its label."""
    budget.spend(len(content))
    parser = _inline()
    reading = Reading(budget)
    parser.inline.parse(content, parser, {**env, "reading": reading}, [])
    return sorted(reading.atoms, key=lambda atom: (atom.start, -atom.end))


@cache
def _blocks() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"linkify": False, "maxNesting": DEEPEST + 2})
    return parser.disable(["inline", "reference"])


@cache
def _definitions() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"linkify": False, "maxNesting": DEEPEST + 2}).disable("inline")
    return _all_links(parser)


@cache
def _inline() -> MarkdownIt:
    parser = _all_links(MarkdownIt("gfm-like", {"linkify": False, "maxNesting": DEEPEST}).disable("linkify"))
    for name, kind in KINDS.items():
        rule = next(one.fn for one in parser.inline.ruler.__rules__ if one.name == name)
        parser.inline.ruler.at(name, _recording(rule, kind))
    return parser


def _all_links(parser: MarkdownIt) -> MarkdownIt:
    """What GitHub refuses to link is seen as a link too: whether it stays one is decided here."""
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    parser.normalizeLink = lambda url: quote(url, safe="%/:=&?~#+!$,;@.-_")  # type: ignore[method-assign]
    return parser


KINDS = {
    "newline": "break",
    "escape": "escape",
    "backticks": "code",
    "link": "link",
    "image": "image",
    "autolink": "autolink",
    "html_inline": "html",
    "entity": "entity",
}
"""Rule of markdown-it -> kind of atom."""

Rule = Callable[[StateInline, bool], bool]


def _recording(rule: Rule, kind: str) -> Rule:
    def recorded(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        reading: Reading = state.env["reading"]
        label_end = 0
        if kind in ("link", "image") and state.src[start] in "[!":
            reading.budget.spend(state.posMax - start)
            if kind == "link" and not silent and state.src[start] == "[":
                label_end = state.md.helpers.parseLinkLabel(state, start, True)
        kept = len(reading.atoms)
        if not rule(state, silent):
            return False
        if kind == "image":  # what stands in its text was read at places of its own
            del reading.atoms[kept:]
        if not silent:
            new = state.tokens[before:]
            reading.atoms.extend(_atoms_of(kind, start, state.pos, label_end, new))
        return True

    return recorded


def _atoms_of(kind: str, start: int, end: int, label_end: int, new: Sequence[Token]) -> list[Atom]:
    if kind == "code" and not any(token.type == "code_inline" for token in new):
        return []  # a run of backticks that nothing closes
    if kind == "link":
        href = next(str(token.attrs["href"]) for token in new if token.type == "link_open")
        return [Atom(kind, start, end, href, label_end)]
    if kind in ("entity", "escape"):
        return [Atom(kind, start, end, "".join(token.content for token in new if token.type == "text_special"))]
    return [Atom(kind, start, end)]


def places(token: Token, lines: Sequence[str], starts: Sequence[int]) -> list[int] | None:
    """For each character of an inline content its place in the source; None where it can't be told for sure."""
    assert token.map is not None  # noqa: S101  markdown-it gives one to every block
    at: list[int] = []
    parts = token.content.split("\n")
    for number, part in enumerate(parts, token.map[0]):
        line = lines[number] if number < len(lines) else ""
        offset = line.rfind(part)
        if offset < 0 or not re.fullmatch(r"\s*#*\s*", line[offset + len(part) :]):
            return None
        base = starts[number] + offset
        at.extend(range(base, base + len(part) + 1))  # one more: the line's end
    return at


def cells(line: str) -> list[tuple[int, str]]:
    """The cells of a table's row as they stand in a line, each with its place: split at bars without a backslash."""
    bars = [found.start() for found in re.finditer(r"(?<!\\)\|", line)]
    edges = [-1, *bars, len(line)]
    return [(left + 1, line[left + 1 : right]) for left, right in pairwise(edges)]


def places_in_row(contents: Sequence[str], line: str, start: int) -> list[list[int]] | None:
    """The same for the cells of a row: `\\|` in the source is one character of the content."""
    found: list[list[int]] = []
    waiting = iter(cells(line))
    for content in contents:
        for left, raw in waiting:
            stripped = raw.strip(" \t")
            more = len(stripped.replace("\\|", "|")) - len(content)
            # marks of a quote or a list stand before the first cell
            if more >= 0 and (not more or not left) and stripped[more:].replace("\\|", "|") == content:
                found.append(_cell_places(stripped[more:], start + left + raw.index(stripped) + more))
                break
        else:
            found.append([])
    missed = any(content and not at for content, at in zip(contents, found, strict=True))
    left_over = any(raw.strip(" \t") for _, raw in waiting)  # one parser drops it, another may not
    return None if missed or left_over else found


def _cell_places(raw: str, start: int) -> list[int]:
    at = [start + place for place in range(len(raw)) if not (raw[place] == "\\" and raw[place + 1 : place + 2] == "|")]
    return [*at, start + len(raw)]
