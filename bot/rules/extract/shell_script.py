"""Python that a shell is given: `python -c '...'`, or a document that is written to a file or to Python itself."""

import re

from bot.model import Block, Found
from bot.rules.mending import mended
from bot.rules.sound import sound

ONE_LINE = re.compile(
    r"""\bpython3?(?:\.\d+)?(?:[ ]-[A-Za-z]{1,3}){0,3}[ ]-c[ ]*(?:'(?P<one>[^']{1,8000})'|"(?P<two>(?:[^"\\]|\\.){1,8000})")"""
)
DOCUMENT = re.compile(r"<<-?[ ]?(?P<mark>['\"]?\w{1,30}['\"]?)[^\n]*\n")
SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "shell-session", "text"})


def rule(block: Block) -> Found | None:
    """The longest such text that is Python and calls torch."""
    if block.tag not in SHELLS:
        return None
    scripts = [one["one"] or re.sub(r'\\(["\\$`])', r"\1", one["two"]) for one in ONE_LINE.finditer(block.text)]
    for opened in DOCUMENT.finditer(block.text):
        end = re.compile(rf"^[ \t]*{opened['mark'].strip(chr(34) + chr(39))}[ \t]*$", re.M).search(
            block.text, opened.end()
        )
        scripts += [block.text[opened.end() : end.start()]] if end else []
    done = [one for one in map(mended, scripts) if one and "torch" in one.code and "(" in one.code]
    done = [one._replace(code=kept[0]) for one in done if (kept := sound(one.code))]
    if not done:
        return None
    best = max(done, key=lambda one: len(one.code))
    code = best.code if best.code.endswith("\n") else best.code + "\n"
    return Found(code=code, language="python", score=0.55, changes=("taken out of a shell command", *best.changes))
