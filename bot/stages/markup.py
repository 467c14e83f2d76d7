"""markup: strangers' text inside Markdown, so that it stays text: fences longer than any within, code spans, cells."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_TICKS = re.compile(r"`+")
_MARKS = re.compile(r"[\\`*\[\]<>~|&]|(?<!\w)_|_(?!\w)")
_READ = re.compile(r"[<>&@#:`\\]")
_BREAKS = re.compile(r"[\r\n]+")
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Control and bidirectional characters, tab and newline apart, as `\\x1b` or `\\u202e`."""
    return _UNSEEN.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def on_one_line(text: str, most: int) -> str:
    """The same on one line, and of a longer one as many characters."""
    told = " ".join(text[: 2 * most].split())
    return visible(told if len(told) <= most and len(text) <= 2 * most else f"{told[: most - 1]}…")


def fence(text: str, language: str = "") -> str:
    """A fenced block that no fence inside can close."""
    clean = visible(text.replace("\r\n", "\n")).rstrip("\n")
    longest = max((len(run) for run in _TICKS.findall(clean)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{clean}\n{ticks}"


def code(content: object) -> str:
    """A code span on one line; in a table use `cell`."""
    clean = _BREAKS.sub(" ", visible(str(content).replace("\r\n", "\n"))).strip() or " "
    longest = max((len(run) for run in _TICKS.findall(clean)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if clean.startswith("`") or clean.endswith("`") else ""
    return f"{ticks}{pad}{clean}{pad}{ticks}"


def cell(content: object) -> str:
    """A code span for a table, where a pipe would end the cell: GitHub reads `\\|` as a pipe there, and only there."""
    return code(content).replace("|", "\\|")


def numbers(values: object) -> str:
    """Values as Python prints them, whole numbers without a fraction: `[2048, 0]`."""
    if isinstance(values, list | tuple):
        return f"[{', '.join(numbers(one) for one in values)}]"
    if isinstance(values, float) and values.is_integer() and abs(values) < 1e15:
        return str(int(values))
    if isinstance(values, float):
        return f"{values:.9g}"  # what tells any two float32 apart
    return str(values)


def sentence(text: str) -> str:
    """A sentence of ours with strangers' names in it, on one line, without a mark that Markdown would read."""
    return _MARKS.sub(r"\\\g<0>", _BREAKS.sub(" ", visible(text)).strip())


def bare(text: object) -> str:
    """A short text without anything that HTML or GitHub would read: for the title of what is folded."""
    return " ".join(_READ.sub(" ", visible(str(text))).split())


def install(environment: "Environment") -> "Environment":
    """Give an environment these filters."""
    environment.filters.update(
        bare=bare, fence=fence, code=code, cell=cell, numbers=numbers, sentence=sentence, visible=visible
    )
    return environment
