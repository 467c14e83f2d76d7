"""A session at IPython's `In [1]:` prompt: the prompts go, the outputs say what was seen."""

import re

from bot.model import Block, Found
from bot.rules.session import Prompts, session

PROMPTS = Prompts(
    re.compile(r"^[ \t]*In ?\[[\d* ]{1,6}\]:[ ]?"),
    re.compile(r"^[ \t]*\.{3,}:(?: |$)?"),
    re.compile(r"^[ \t]*Out ?\[[\d ]{1,6}\]:[ \t]*\n?", re.MULTILINE),
)


def rule(block: Block) -> Found | None:
    """Cells in their order, one script; earlier ones may be missing."""
    return session(block.text, PROMPTS)
