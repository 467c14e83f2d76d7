"""A question is answered in the forum; nothing is broken."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, in_body, in_title

TITLE = re.compile(
    r"^\s*(?:\[\w*\s*question\w*\]|how (?:to|do|can|should)|why|what|when|where|is it|is there|can (?:I|we|you)|should|does|do )\b"
    r"|\bneed clarification\b|\bhow to\b|\bquestion\b|\bconfus\w+",
    re.IGNORECASE,
)
BODY = re.compile(
    r"\bany (?:help|idea|suggestion|hint)s?\b|\bI(?:'m| am) (?:new to|confused)\b|\bam I (?:doing|missing)\b",
    re.IGNORECASE,
)


def rule(item: Item) -> Iterable[Claim]:
    """The form of the title decides."""
    for why, span, weight in (
        ("the title is a question", in_title(item, TITLE), 3.0),
        ("a label says so", among_labels(item, ("question", "topic: question")), 3.0),
        ("the author asks for help", in_body(item, BODY), 1.5),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.QUESTION, weight=weight, span=span)
