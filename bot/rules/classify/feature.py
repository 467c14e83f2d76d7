"""What was never there is a feature, not a defect."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, in_title, words

LABELS = ("feature", "enhancement", "topic: new features", "module: rfc", "function request")
TITLE = re.compile(
    r"\bfeature requests?\b|\[RFC\]|\[feature\b|\bproposal\b|\bsupports? for\b|^\s*(?:\[[^]]*\]\s*)*(?:add|implement|expose|introduce|port|enable|support)(?:s|ed|ing)?\b"
    r"|\b(?:not|isn't) (?:yet )?(?:implemented|supported|available)\b|\badd(?:s|ing)? (?:\S+ ){0,4}support\b|\brequest\b",
    re.IGNORECASE,
)
CHECK = words(
    r"checks?", r"bounds?", r"valid\w+", r"asserts?", r"errors?", r"guards?", r"tests?", r"overflow", r"NaNs?"
)


def rule(item: Item) -> Iterable[Claim]:
    """Adding a check is a fix, whatever the verb; adding anything else is a feature."""
    asked = in_title(item, TITLE)
    if asked and not in_title(item, CHECK):
        yield Claim(
            why="the title asks for or adds something new", item_class=ItemClass.FEATURE, weight=3.0, span=asked
        )
    labelled = among_labels(item, LABELS)
    if labelled:
        yield Claim(why="a label says so", item_class=ItemClass.FEATURE, weight=3.0, span=labelled)
