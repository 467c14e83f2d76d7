"""Strangers' text made safe to look at: nothing hidden, nothing reordered, nothing endless.

Titles, bodies and output come from anyone. Escaping is Jinja's work; this is about what escaping leaves: terminal
sequences, bidirectional overrides that show code in another order than it runs, and a megabyte in one line.
"""

import math
import unicodedata
from typing import Any

_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Printable by category, yet nothing is seen of them."""

INLINE_LIMIT = 600
LINE_LIMIT = 1_000
BLOCK_LIMIT = 20_000
_DEEPEST = 4
_ROW_LIMIT = 12


def visible(text: str) -> str:
    """The same text with every character that can't be seen written out: ESC as `⟨U+001B⟩`.

    Line feeds and tabs stay. Idempotent: what it writes is visible.
    """
    return "".join(map(_shown_character, text.replace("\r\n", "\n")))


def _shown_character(character: str) -> str:
    seen = character.isprintable() or character in "\n\t" or unicodedata.category(character) == "Zs"
    return character if seen and character not in _BLANK_LETTERS else f"⟨U+{ord(character):04X}⟩"


def inline(text: str, limit: int = INLINE_LIMIT) -> str:
    """At most `limit` characters of a text that stands in a sentence or a cell, with a count of the rest."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]} […{len(text) - limit:,} characters left out]"


def block(text: str, limit: int = BLOCK_LIMIT) -> str:
    """Head and tail of a long output: its cause is often at the top and its error at the end.

    Two thirds of `limit` go to the head. A line of more than LINE_LIMIT characters is cut by itself, so that one
    endless line hides none of the others.
    """
    if len(text) > LINE_LIMIT:
        text = "\n".join(inline(line, LINE_LIMIT) for line in text.split("\n"))
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}\n[…{len(text) - head - tail:,} characters left out…]\n{text[-tail:]}"


def quantity(content: Any, depth: int = 0) -> str:
    """A measured value as people write it: `[256, 0]`, `nan`, `1.5e-07`; nothing as `—`.

    Whole floats lose their `.0`, since the dtype stands beside them. Deep and long lists end in `…`.
    """
    if content is None:
        return "—" if depth == 0 else "none"
    if isinstance(content, bool):
        return str(content).lower()
    if isinstance(content, float):
        return repr(content).removesuffix(".0") if math.isfinite(content) else str(content)
    if isinstance(content, dict):
        content = [f"{name}: {quantity(member, depth + 1)}" for name, member in content.items()]
    if isinstance(content, list | tuple):
        return f"[{', '.join(_members(content, depth))}]"
    return inline(str(content))


def _members(content: list[Any] | tuple[Any, ...], depth: int) -> list[str]:
    if depth >= _DEEPEST:
        return ["…"]
    members = [quantity(member, depth + 1) for member in content[:_ROW_LIMIT]]
    return members if len(content) <= _ROW_LIMIT else [*members, f"…{len(content) - _ROW_LIMIT:,} more"]


def one_line(text: str) -> str:
    """The text with its line breaks and runs of spaces made single spaces, for a cell of a table."""
    return " ".join(text.split())
