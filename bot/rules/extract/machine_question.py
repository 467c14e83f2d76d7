"""A script that prints versions and devices asks about the machine, and shows no fault."""

from bot.model import Block, Passed
from bot.rules.surroundings import asks_the_machine
from bot.syntax import parsed


def rule(block: Block) -> Passed | None:
    """By what it uses of torch."""
    tree = parsed(block.text) if "torch" in block.text and len(block.text) < 4000 else None
    return Passed(why="it asks about versions and devices alone") if tree and asks_the_machine(tree) else None
