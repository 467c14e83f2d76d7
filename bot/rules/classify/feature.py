"""What was never there is a feature, not a defect."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals

LABELS = frozenset((
    "feature", "enhancement", "topic: new features", "module: rfc", "function request", "new features",
    "topic: improvements",
))  # fmt: skip
ASKED = Phrases(
    "support for", "supports", "not implemented|supported|available", "not yet implemented|supported|available",
    "isn t implemented|supported", "add|adds|adding ..4 support", "request to", "new argument|api|operator|op|overload", "not working with cuda tensor", "stable sort*|torch",
    "please add|support|implement", "would be nice|great", "initial support", "enable support", "support", "allow", "missing operator|op", "unsupported", "no cuda kernel",
)  # fmt: skip
VERBS = frozenset((
    "add", "adds", "added", "adding", "implement", "implements", "implemented", "expose", "exposes", "introduce", "introduces", "port", "ports", "enable",
    "enables", "support", "supports", "create", "allow", "allows", "move", "migrate", "refactor", "rename", "remove", "extend", "make", "register",
))  # fmt: skip
EXPLICIT = Phrases("feature request*", "rfc", "feature", "proposal", "function request")
CHECK = Phrases(
    "check*", "bound*", "valid*", "assert*", "error*", "guard*", "test*", "overflow*", "nan", "nans", "missing",
    "determinis*", "nondeterminis*", "alert", "path",
)  # fmt: skip
PROSE = Phrases("feature request", "feature", "new op|operator|argument|api|dtype|mode|backend", "no cuda kernel", "missing op", "port", "support", "asks for", "enablement", "would like",
                "it would be", "motivation", "proposal", "pitch", "new features")  # fmt: skip
SIGNALS = Signals(
    ItemClass.FEATURE,
    Signal("verb", VERBS, 3.0, "the title begins with what it adds", unless=CHECK),
    Signal("verb", VERBS, 0.0, "the title begins with a check that it adds", only=CHECK),
    Signal("title", EXPLICIT, 3.5, "the title calls itself a request"),
    Signal("title", ASKED, 3.0, "the title asks for something new", unless=CHECK),
    Signal("tags", ASKED, 2.0, "the title's tag asks for something new"),
    Signal("labels", LABELS, 3.0, "a label says so"),
    Signal("lead", PROSE, 1.0, "the text speaks of something new"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Adding a check is a fix, whatever the verb; adding anything else is a feature."""
    return SIGNALS.claims(item)
