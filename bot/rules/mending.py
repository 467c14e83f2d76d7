"""What copying, word processors and notebooks do to Python, undone only as far as Python then accepts the text."""

import html
import re
import textwrap
from collections.abc import Callable
from typing import NamedTuple

from bot.syntax import BOM, broken_at, parses

LONGEST = 65_536
"""Characters of a block that is read as code: GitHub takes no longer text."""
CUTS = 8
"""Places at which a tail is looked for."""
UNSEEN = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u00ad]")
TYPESET = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\uff07", "'"),
    }
)
"""What word processors and web pages write for a blank and for quotes."""
SIGNS = str.maketrans(
    {**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"), "\u2026": "...", "\u00d7": "*"}
)
WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3001: ",", 0x3002: "."}
MAGIC = re.compile(r"^[ \t]*(?:%{1,2}|!{1,2}|\?)[A-Za-z_?][^\n]*(?:\n|\Z)|^[ \t]*[\w.]+\?{1,2}[ \t]*(?:\n|\Z)", re.M)
FETCHES = re.compile(
    r"^[ \t]*%{1,2}(?:load|run|loadpy|macro|bash|sh|cpp|cu|writefile|file|script|js|html|cython)\b", re.M
)
"""Magics that bring in code from elsewhere, or whose cell is no Python: without them nothing is whole."""
PLUS = re.compile(r"^\+ ?(?=\S)|^\+[ \t]*$|^\+(?=[ \t])", re.M)
DOLLAR = re.compile(r"^\$ ", re.M)
NUMBERED = re.compile(r"^[ \t]*\d{1,4}(?:[:.|)]|[ \t]{2,}|[ \t]?\u2502)[ \t]?", re.M)
NAME_LINE = re.compile(r"\A\s*(?:`{0,3}(?:python3?|py|[\w./-]{1,80}\.py):?`?|copy code)[ \t]*\n", re.I)
"""A line above the code that names the language or the file."""
FIRST = re.compile(r"^(?:import |from [\w.]+ import )", re.M)
OUTPUT = re.compile(
    r"""\s*(?:
    (?:tensor|array|Parameter|torch\.Size|torch\.return_types\.\w+|Traceback|Segmentation\ fault|Aborted|Killed|terminate\ called|Collecting\ environment)\b
    | [\w.]*(?:Error|Exception|Warning|Interrupt)\b
    | [-+]?\d | -?inf\b | nan\b | (?:True|False|None)\s*$ | [\[({]\s*[-\d\[\]'"tT] | [=\-*#_~]{3,} | >>> | Out\s?\[ | \$\ | /[\w./-]+:\d+ | File\ " | torch\.\w+\s+[\[\d(]
    | (?:python3?|pip|conda)\ [\w.-]
    | (?:\#+\s*)?(?:(?:the|my|here\ is\ the|current|actual|expected|sample|console|program|cpu|gpu|cuda)\ ){0,3}(?:outputs?|results?|logs?|prints?|error|stdout)\b[^\n=(]{0,40}:?\s*$
    | (?:\S+\ ){0,5}\S{1,40}\s*[:=]\s*(?:[-+]?\d|tensor\(|array\(|\[|\(|True|False|nan|-?inf|torch\.\w+\b(?!\())
    | [A-Za-z][\w\ /%-]{0,40}\s[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*(?:ms|us|s|%|GB|MB)?\s*$
    | (?:Mismatched\ elements|Greatest|CUDA\ error|Expected|Tensor-likes|Max|Mean|Difference)\b
    )""",
    re.X,
)  # fmt: skip
"""How a line begins that a program printed."""

CODE = re.compile(
    r"^[ \t]*(?:import \w|from \w+[\w.]* import |(?:def|class|for|with|if|while) .*:\s*$|print\(|assert )|=\s*(?:torch|F|nn|np)\.\w+[\w.]*\(",
    re.M,
)
TRACE = re.compile(r"^Traceback |^\s*File \"", re.M)
"""A traceback quotes lines of code."""


class Mended(NamedTuple):
    """Text that Python accepts, what was done to it, and the output that stood behind it."""

    code: str
    changes: tuple[str, ...] = ()
    tail: str = ""


def _shown_marks(pattern: re.Pattern[str]) -> Callable[[str], str]:
    """Takes a mark away that every line has which is not blank."""

    def step(text: str) -> str:
        lines = [line for line in text.splitlines() if line.strip()]
        return pattern.sub("", text) if len(lines) > 1 and all(map(pattern.match, lines)) else text

    return step


def _without_magics(text: str) -> str:
    return text if FETCHES.search(text) else MAGIC.sub("", text)


def _from_first_import(text: str) -> str:
    """Prose above the first import goes; anything that may be code stays."""
    first = FIRST.search(text)
    if first is None or first.start() == 0 or re.search(r"[=(\[]|^\s*@", text[: first.start()], re.M):
        return text
    return text[first.start() :]


def _first_line_moved(text: str) -> str:
    """What is copied from the middle of a line on begins further left than the rest."""
    first, _, rest = text.lstrip("\n").partition("\n")
    moved = textwrap.dedent(rest)
    return f"{first.lstrip()}\n{moved}" if moved != rest else text


STEPS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("moved to the margin", textwrap.dedent),
    ("the first line moved to the others' margin", _first_line_moved),
    ("characters replaced that copying put in", lambda text: UNSEEN.sub("", text).translate(TYPESET)),
    ("typeset signs replaced", lambda text: text.translate(SIGNS)),
    ("wide characters replaced", lambda text: text.translate(WIDE)),
    ("HTML entities replaced", html.unescape),
    ("the marks of a patch taken away", _shown_marks(PLUS)),
    ("the marks of a shell taken away", _shown_marks(DOLLAR)),
    ("line numbers taken away", _shown_marks(NUMBERED)),
    ("notebook magics taken out", _without_magics),
    ("the text above the first import left out", _from_first_import),
)
"""What is tried, each alone and then one after the other."""


def mended(text: str) -> Mended | None:
    """The text as Python accepts it: as it stands, else with the fewest repairs, else without the output behind it."""
    whole = text.removeprefix(BOM)
    if len(whole) > LONGEST:
        return None
    named = NAME_LINE.sub("", whole, count=1)
    changes: tuple[str, ...] = ("the line above the code left out",) if named != whole else ()
    if parses(named):
        return Mended(named, changes)
    done = _alone(named, changes) or _cut(named, changes) or _cut(textwrap.dedent(named), (*changes, STEPS[0][0]))
    if done is not None:
        return done
    text, changes = _together(named, changes)
    return Mended(text, changes) if parses(text) else _cut(text, changes)


def _alone(text: str, changes: tuple[str, ...]) -> Mended | None:
    for why, step in STEPS:
        other = step(text)
        if other != text and parses(other):
            return Mended(other, (*changes, why))
    return None


def _together(text: str, changes: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The text as far as the steps bring it, one after the other until Python accepts it, and what they did."""
    for why, step in STEPS:
        other = textwrap.dedent(step(text))
        if other == text:
            continue
        text, changes = other, (*changes, why)
        if parses(text):
            break
    return text, changes


def _cut(text: str, changes: tuple[str, ...]) -> Mended | None:
    cut = _without_tail(text)
    return Mended(cut[0], (*changes, "output behind the code left out"), cut[1]) if cut else None


def _without_tail(text: str) -> tuple[str, str] | None:
    """Code and the output behind it; None where what stands behind is no output: half a script is not run."""
    lines = text.splitlines(keepends=True)
    end = len(lines)
    for _ in range(CUTS):
        line = broken_at("".join(lines[:end]))
        if line is None:
            break
        end = min(line - 1, end - 1)
        while end > 0 and not lines[end - 1].strip():
            end -= 1
    head, tail = "".join(lines[:end]), "".join(lines[end:])
    first = next((line for line in lines[end:] if line.strip()), "")
    if not head.strip() or not OUTPUT.match(first) or not parses(head):
        return None
    if CODE.search(tail) and not TRACE.search(tail):
        return None
    return head, tail.strip()
