"""A block that is Python, by its tag or because it parses and works with torch."""

import re

from bot.model import Block, Found
from bot.syntax import mended

TAGS = frozenset({"python", "py", "python3", "ipython", "pycon"})
TORCH = re.compile(r"\b(?:import torch|from torch|torch\.\w+)")
DEVICE = re.compile(r"""["'](?:cuda|mps|hip)\b|\.cuda\(""")
SHOWS = re.compile(r"\bassert\b|\bprint\(|assert_close|allclose|assertEqual")
CALL = re.compile(r"\w\s*\(")
PROMPT = re.compile(r"^(?:In|Out) ?\[\d+\]:", re.MULTILINE)
"""IPython's prompt reads as an annotation: such a session may parse."""


def rule(block: Block) -> Found | None:
    """Tagged or not, it must parse; untagged, it must also call torch."""
    tagged = block.tag in TAGS
    if not tagged and (block.tag or not TORCH.search(block.text)):
        return None
    code = mended(block.text) if CALL.search(block.text) and not PROMPT.search(block.text) else None
    if code is None:
        return None
    score = 0.2 + 0.2 * tagged
    score += 0.25 * bool(TORCH.search(code)) + 0.2 * bool(DEVICE.search(code))
    score += 0.15 * bool(SHOWS.search(code))
    changes = () if code == block.text else ("moved to the margin or rid of characters that copying put in",)
    return Found(code=code, language="python", score=round(score, 2), changes=changes)
