"""A block that is Python, by its tag or because it parses and does something."""

import re

from bot.model import Block, Found
from bot.rules.mending import mended
from bot.rules.sound import CALL, PROMPT, UNSURE, sound

TAGS = frozenset(
    {
        "python",
        "py",
        "python3",
        "python2",
        "py3",
        "ipython",
        "ipython3",
        "pycon",
        "pytorch",
        "python-repl",
        "jupyter",
        "torch",
    }
)
TORCH = re.compile(r"\b(?:import torch|from torch|torch\.\w+|th\.\w+\()")
DEVICE = re.compile(r"""["'](?:cuda|mps|hip|xpu)\b|\.cuda\(|\btorch\.(?:cuda|mps|xpu)\.""")
SHOWS = re.compile(r"\bassert\b|\bprint\(|assert_close|allclose|assert[A-Z]\w+|assert_\w+\(")


def rule(block: Block) -> Found | None:
    """Tagged or not, it must parse; a block without a call, or an untagged one without torch, counts with others only."""
    tagged = block.tag in TAGS
    if (block.tag and not tagged) or PROMPT.search(block.text):
        return None
    done = mended(block.text)
    kept = sound(done.code) if done else None
    if done is None or kept is None:
        return None
    code, tail = kept
    cut = ("output behind the code left out",) if tail else ()
    return Found(
        code=code,
        language="python",
        score=_score(code, tagged) if CALL.search(code) and (tagged or TORCH.search(code)) else UNSURE,
        outputs=tuple(one for one in (f"{tail}\n{done.tail}".strip(),) if one),
        changes=tuple(dict.fromkeys((*done.changes, *cut))),
    )


def _score(code: str, tagged: bool) -> float:
    score = 0.2 + 0.15 * tagged + 0.3 * bool(TORCH.search(code))
    return round(score + 0.15 * bool(DEVICE.search(code)) + 0.1 * bool(SHOWS.search(code)), 2)
