"""loose: scripts and sessions that somebody put into a thread without a fence."""

import re
from collections.abc import Collection, Iterator, Sequence

BEGINS = re.compile(r"[ \t]{0,3}(?:import (?:torch|numpy)\b|from torch[\w.]* import )")
PROMPT = re.compile(r"[ \t]*(?:>>> ?\w|In ?\[\d+\]:)")
CONTINUES = re.compile(r"[ \t]*(?:>>>|\.\.\.|In ?\[\d+\]:|Out ?\[\d+\]:)")
CODE = re.compile(
    r"""[ \t]*(?:
    (?:import|from|def|class|for|if|elif|while|with|return|yield|raise|assert|del|global|except)\b.*(?:[:(=.]|\bimport\b|\w$)
    | (?:else|try|finally):  | (?:pass|break|continue)\s*$
    | @\w+ | \#(?!\#)\ ?\S
    | [\w.\[\], *()'":]+\s*(?:[-+*/|&@]|//|\*\*)?=\s*\S
    | [\w.]+(?:\[[^\]]*\])?\(.*  | [)\]}]+[.,)\]}:]*\s*$ | ["'(\[{-]?[\w."']+.*[,(\[{\\]\s*$
    )""",
    re.VERBOSE,
)  # fmt: skip
"""A line that looks like a statement, or like a part of one."""
SENTENCE = re.compile(r"[A-Z][\w']*,?(?: [\w'`-]+,?){3,}")
LEAST = 2
"""Lines; a lone import is prose."""


def loose(lines: Sequence[str], covered: Collection[int]) -> Iterator[tuple[int, int]]:
    """Runs of lines, [start, end), outside what is `covered` by fences and HTML."""
    line = 0
    while line < len(lines):
        text = lines[line]
        end = line
        if line not in covered and len(text) < 1000:
            if PROMPT.match(text):
                end = _session_end(lines, line, covered)
            elif BEGINS.match(text):
                end = _script_end(lines, line, covered)
        if end - line >= LEAST:
            yield line, end
        line = max(end, line + 1)


def _session_end(lines: Sequence[str], start: int, covered: Collection[int]) -> int:
    """After the answer to the last prompt: at a blank line that no prompt follows."""
    line = start
    while line < len(lines) and line not in covered:
        if not lines[line].strip():
            after = next((one for one in range(line, min(line + 3, len(lines))) if lines[one].strip()), None)
            if after is None or after in covered or not CONTINUES.match(lines[after]):
                break
        line += 1
    return line


def _script_end(lines: Sequence[str], start: int, covered: Collection[int]) -> int:
    """After the last line that looks like code."""
    end = line = start
    deep = 0
    while line < len(lines) and line not in covered:
        text = lines[line]
        if text.strip():
            inside = deep > 0 or (text[0] in " \t" and line > start)
            if len(text) > 1000 or not (inside or CODE.match(text)) or (SENTENCE.match(text) and deep <= 0):
                break
            deep += sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))
            end = line + 1
        line += 1
    return end
