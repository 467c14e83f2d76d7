"""Whoever opens a thread picks a form, and its heading says what they came for."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import claim, span

READ = 160
"""Characters of a body in which the form's first heading stands."""
FORMS = (
    ("\U0001f680", "it is written on the form for features", ItemClass.FEATURE),
    ("\U0001f4da", "it is written on the form for documentation", ItemClass.DOCS_CI_BUILD),
    ("\u2753", "it is written on the form for questions", ItemClass.QUESTION),
    ("The feature, motivation and pitch", "it is written on the form for features", ItemClass.FEATURE),
    ("The doc issue", "it is written on the form for documentation", ItemClass.DOCS_CI_BUILD),
    ("Questions and Help", "it is written on the form for questions", ItemClass.QUESTION),
)
"""What the first heading of a form has in it, by the years' forms: signs first, for words were translated and cut."""


def rule(item: Item) -> Iterable[Claim]:
    """The form for bugs says nothing: features and questions are told on it too."""
    head = item.body[:READ]
    if "#" not in head:
        return
    for mark, why, item_class in FORMS:
        if mark in head:
            yield claim(why, item_class, 3.0, span("body", mark))
            return
