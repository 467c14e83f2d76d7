"""Environment reports, pin updates, trackers and XPU's own items are somebody else's work already."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, in_text, in_title, words

PINS = re.compile(
    r"\bcommit pin\b|\bpin update\b|\bupdate torch-xpu-ops\b|\bcherry[- ]pick\b|^\s*\[release/", re.IGNORECASE
)
TRACKERS = re.compile(r"\btrack(?:er|ing)\b|\bumbrella\b|\bmeta[- ]issue\b|\broadmap\b", re.IGNORECASE)
INSTALL = words(
    r"import ?error", r"ModuleNotFoundError", r"pip install", r"conda install", r"install(?:ation|ing)?", r"undefined symbol",
    r"cannot open shared object file", r"DLL load failed", r"no module named \S+", r"is_available\(\) returns false",
    r"driver version", r"unable to initialize CUDA",
)  # fmt: skip
XPU = words(r"XPU", r"intel gpu")
TIES = words(r"ties?", r"equal values", r"order of (?:equal|duplicate)\w*", r"unspecified order")


def rule(item: Item) -> Iterable[Claim]:
    """None of these is an upstream fix that XPU could lack."""
    xpu = in_title(item, XPU) or among_labels(item, ("module: xpu",))
    for why, span, weight, veto in (
        ("it is XPU's own item already", xpu, 4.0, True),
        ("it moves a pin or a branch", in_title(item, PINS), 4.0, True),
        ("it gathers other items", in_title(item, TRACKERS), 3.0, False),
        ("it reports an installation", in_title(item, INSTALL), 3.5, False),
        ("the order of equal values is free", in_text(item, TIES), 2.0, False),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.OTHER, weight=weight, veto=veto, span=span)
