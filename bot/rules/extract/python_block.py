"""A block that is Python, by its tag or because it parses and works with torch."""

import re

from bot.model import Block, Found
from bot.syntax import parses

TAGS = frozenset({"python", "py", "python3", "ipython", "pycon"})
TORCH = re.compile(r"\b(?:import torch|from torch|torch\.\w+)")
DEVICE = re.compile(r"""["'](?:cuda|mps|hip)\b|\.cuda\(""")
SHOWS = re.compile(r"\bassert\b|\bprint\(|assert_close|allclose|assertEqual")
CALL = re.compile(r"\w\s*\(")


def rule(block: Block) -> Found | None:
    """Tagged or not, it must parse; untagged, it must also call torch."""
    tagged = block.tag in TAGS
    if not tagged and (block.tag or not TORCH.search(block.text)):
        return None
    if not CALL.search(block.text) or not parses(block.text):
        return None
    score = 0.2 + 0.2 * tagged
    score += 0.25 * bool(TORCH.search(block.text)) + 0.2 * bool(DEVICE.search(block.text))
    score += 0.15 * bool(SHOWS.search(block.text))
    return Found(code=block.text, language="python", score=round(score, 2))
