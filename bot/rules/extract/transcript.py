"""A session at the `>>>` prompt: the prompts go, the outputs say what was seen."""

import re

from bot.model import Block, Found
from bot.rules.session import Prompts, session

SHELL = r"^[ \t]*(?:\([\w.\- ]{1,30}\)[ \t]?)?"
"""What some shells write before the prompt: `(ins)>>> `."""
PROMPTS = Prompts(
    re.compile(SHELL + r">>>(?: |(?=[\w#@(\[{])|[ \t]*$)"),
    re.compile(SHELL + r"\.\.\.(?: |[ \t]*$|(?=[ \t\w#@)\]}]))"),
)


def rule(block: Block) -> Found | None:
    """Statements in their order, one script; what Python answered becomes the outputs."""
    return session(block.text, PROMPTS)
