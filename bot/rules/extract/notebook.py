"""A session at IPython's `In [1]:` prompt: the prompts go, the outputs say what was seen."""

import re

from bot.model import Block, Found
from bot.rules.session import Prompts, session

PROMPTS = Prompts(
    re.compile(r"^[ \t]*In ?\[[\d* ]{1,6}\]:[ ]?"),
    re.compile(r"^[ \t]*\.{3,}:(?: |$)?"),
    re.compile(r"^[ \t]*Out ?\[[\d ]{1,6}\]:[ \t]*\n?", re.MULTILINE),
)

BARE = re.compile(
    r"^(?P<prompt>[ \t]*In ?\[[\d* ]{1,6}\]:)[ \t]*\n(?P<code>(?:(?![ \t]*(?:In|Out) ?\[)(?![ \t]*\.{3,}:)[^\n]*\n?)+)",
    re.MULTILINE,
)


def rule(block: Block) -> Found | None:
    """Cells in their order, one script; earlier ones may be missing."""
    return session(BARE.sub(_prompted, block.text), PROMPTS)


def _prompted(cell: re.Match[str]) -> str:
    """A cell whose code begins on the line below its prompt, as it stands in a terminal."""
    return cell["prompt"] + "".join(f"\n...: {line}" for line in cell["code"].splitlines()) + "\n"
