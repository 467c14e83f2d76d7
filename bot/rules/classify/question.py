"""A question is answered in the forum; nothing is broken."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, span

OPENERS = frozenset(
    (
        "how",
        "why",
        "questions",
        "what",
        "when",
        "where",
        "is",
        "can",
        "should",
        "does",
        "do",
        "question",
        "which",
        "are",
    )
)
TITLE = Phrases(
    "need clarification", "clarification", "how to", "question*", "confus*", "strange", "weird", "loss ..2 not|doesn ..2 decreas*|chang*|converg*|updat*", "please", "numpy",
    "unexpected behavior|behaviour", "am i", "help", "misunderst*",
)  # fmt: skip
PROSE = Phrases("any help|idea|suggestion|hint", "any ideas|suggestions", "i am|m new to", "i am|m confused", "am i doing|missing", "user thinks|misunderstands|expects|error", "setup question",
                "clarification", "question", "suspects", "not guaranteed", "documented", "user has", "expects", "what am i", "hello everyone", "please help", "help form", "discussion forum", "i don t understand", "can someone|anyone|anybody", "i have created|written a|my",
                "my own loss|dataset|network|model|code", "appreciate any|very|it", "am i wrong", "how do|can|should i", "is this|it expected|intended|normal")  # fmt: skip
SETUP = Phrases(
    "is_available", "unable to initialize cuda", "can t use|find|see gpu|cuda", "using cpu instead", "not using|detecting|recognizing gpu|my",
    "install|installed|installing|installation ..3 cuda|pytorch|torch", "which version", "found no nvidia driver", "no gpu|cuda gpus found|available",
)  # fmt: skip
"""A machine on which nothing runs yet."""
LABELS = frozenset(("question", "topic: question", "needs discussion", "module: forum"))
SIGNALS = Signals(
    ItemClass.QUESTION,
    Signal("verb", OPENERS, 2.0, "the title begins as a question"),
    Signal("title", TITLE, 2.0, "the title asks or wonders"),
    Signal("title", SETUP, 4.0, "the title asks why a machine isn't used"),
    Signal("lead", SETUP, 1.0, "the text asks why a machine isn't used"),
    Signal("labels", LABELS, 3.0, "a label says so"),
    Signal("lead", PROSE, 1.5, "the author asks for help"),
)


def rule(item: Item) -> Iterable[Claim]:
    """The form of the title decides."""
    yield from SIGNALS.claims(item)
    if item.title.rstrip().endswith("?"):
        yield claim("the title ends in a question mark", ItemClass.QUESTION, 1.5, span("title", "?"))
