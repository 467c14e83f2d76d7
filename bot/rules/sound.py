"""The last look at what a rule takes for a script: it does something, with a tensor, and no output stands behind it."""

from bot.rules.shown import is_output, without_output
from bot.rules.surroundings import asks_the_machine
from bot.syntax import parsed


def sound(code: str) -> tuple[str, str] | None:
    """The code without the output behind it, and that output; None for what is output or asks the machine alone."""
    tree = parsed(code)
    if tree is None or not tree.body or is_output(tree) or asks_the_machine(tree):
        return None
    return without_output(code, tree)
