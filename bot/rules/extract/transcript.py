"""A session at the `>>>` prompt: the prompts go, the outputs say what was seen."""

import doctest
import re

from bot.model import Block, Found
from bot.syntax import mended

CHANGES = ("prompts and outputs taken out",)
LONGEST = 2_000
"""Lines of a session; a longer one is a log."""
PREFIX = re.compile(r"^\([\w.-]+\) ?(?=>>> |\.\.\. )", re.MULTILINE)
"""What some shells write before the prompt: `(ins)>>> `."""


def rule(block: Block) -> Found | None:
    """Statements in their order, one script; what Python answered becomes the outputs."""
    if ">>> " not in block.text or block.text.count("\n") > LONGEST:
        return None
    try:
        steps = doctest.DocTestParser().get_examples(PREFIX.sub("", block.text))
    except ValueError:
        return None
    code = mended("".join(step.source for step in steps))
    if not code:
        return None
    outputs = tuple(step.want.strip() for step in steps if step.want.strip())
    return Found(code=code, language="python", score=0.6 if "torch" in code else 0.3, outputs=outputs, changes=CHANGES)
