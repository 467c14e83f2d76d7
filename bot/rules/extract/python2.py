"""Python 2 is refused: besides the print statement its integer division gives other values."""

import re

from bot.model import Block, Passed
from bot.syntax import parses

STATEMENT = re.compile(
    r"^[ \t]*(?:>>> )?(?:print[ \t]+(?=[\w\"'-])[^\n=]*$|exec[ \t]+[\"']|except [\w.]+, ?\w+:|raise \w+, )", re.M
)
TORCH = re.compile(r"\bimport torch|\bfrom torch|\btorch\.\w+\(")


def rule(block: Block) -> Passed | None:
    """A print statement beside torch, in a text that Python 3 does not accept."""
    found = STATEMENT.search(block.text)
    if found is None or not TORCH.search(block.text) or parses(block.text):
        return None
    return Passed(why=f"it is Python 2 ({' '.join(found[0].split())[:60]})")
