"""Python that a shell is given: `python -c '...'`, or a document that is written to a file or to Python itself."""

import re
from collections.abc import Iterator, Sequence

from bot.model import Block, Found
from bot.rules.mending import mended
from bot.rules.sound import sound

ONE_LINE = re.compile(
    r"""\bpython3?(?:\.\d+)?(?:[ ]-[A-Za-z]{1,3}){0,3}[ ]-c[ ]*(?:'(?P<one>[^']{1,8000})'|"(?P<two>(?:[^"\\]|\\.){1,8000})")"""
)
DOCUMENT = re.compile(r"<<-?[ ]?(?P<quote>['\"]?)(?P<mark>\w{1,30})(?P=quote)")
SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "text"})


def rule(block: Block) -> Found | None:
    """The longest such text that is Python and calls torch."""
    if block.tag not in SHELLS:
        return None
    scripts = [one["one"] or re.sub(r'\\(["\\$`])', r"\1", one["two"]) for one in ONE_LINE.finditer(block.text)]
    scripts += _documents(block.text.split("\n"))
    done = [one for one in map(mended, scripts) if one and "torch" in one.code and "(" in one.code]
    done = [one._replace(code=kept[0]) for one in done if (kept := sound(one.code))]
    if not done:
        return None
    best = max(done, key=lambda one: len(one.code))
    code = best.code if best.code.endswith("\n") else best.code + "\n"
    return Found(code=code, language="python", score=0.55, changes=("taken out of a shell command", *best.changes))


def _documents(lines: Sequence[str]) -> Iterator[str]:
    """What stands between `<<EOF` and the next line that is nothing but `EOF`; within it nothing opens another one."""
    last = {line.strip(): number for number, line in enumerate(lines)}
    number = 0
    while number < len(lines):
        opened = DOCUMENT.search(lines[number])
        number += 1
        if opened and last.get(opened["mark"], 0) >= number:
            end = next(at for at in range(number, len(lines)) if lines[at].strip() == opened["mark"])
            yield "".join(f"{line}\n" for line in lines[number:end])
            number = end + 1
