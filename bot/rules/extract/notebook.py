"""A session at IPython's `In [1]:` prompt: the prompts go, the outputs say what was seen."""

import re

from bot.model import Block, Found
from bot.syntax import mended

CHANGES = ("prompts and outputs taken out",)
CELL = re.compile(r"^In ?\[\d+\]: ?(?P<code>.*(?:\n *\.{3}: ?.*)*)", re.MULTILINE)
CONTINUED = re.compile(r"\n *\.{3}: ?")
SEEN = re.compile(r"^Out ?\[\d+\]: ?(?P<text>.*(?:\n(?!In ?\[).+)*)", re.MULTILINE)


def rule(block: Block) -> Found | None:
    """Cells in their order, one script; earlier ones may be missing."""
    code = mended("".join(CONTINUED.sub("\n", cell["code"]) + "\n" for cell in CELL.finditer(block.text)))
    if not code or code.isspace():
        return None
    outputs = tuple(seen["text"].strip() for seen in SEEN.finditer(block.text))
    return Found(code=code, language="python", score=0.6 if "torch" in code else 0.3, outputs=outputs, changes=CHANGES)
