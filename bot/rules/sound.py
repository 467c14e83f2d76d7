"""The last look at what a rule takes for a script: it does something, with a tensor, and no output stands behind it."""

import re

from bot.rules.shown import is_output, without_output
from bot.rules.surroundings import asks_the_machine
from bot.syntax import parsed

CALL = re.compile(r"\w\s*\(")
PROMPT = re.compile(r"^[ \t]*(?:In|Out) ?\[[\d ]+\]:", re.MULTILINE)
"""IPython's prompt reads as an annotation: such a session may parse."""
UNSURE = 0.1
"""The score of a block that is worth something only beside another one: it calls nothing."""


def sound(code: str) -> tuple[str, str] | None:
    """The code without the output behind it, and that output; None for what is output or asks the machine alone."""
    tree = parsed(code)
    if tree is None or PROMPT.search(code) or not tree.body or is_output(tree) or asks_the_machine(tree):
        return None
    return without_output(code, tree)
