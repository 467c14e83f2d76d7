"""What was never there is a feature, not a defect."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass, ItemKind
from bot.rules.devices import DEVICE
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, in_lead, in_title, reading

LABELS = frozenset((
    "feature", "enhancement", "topic: new features", "module: rfc", "function request", "new features",
    "topic: improvements",
))  # fmt: skip
ASKED = Phrases(
    "support for", "supports", "not implemented|supported|available", "not yet implemented|supported|available",
    "isn t implemented|supported", "add|adds|adding ..4 support", "request to", "new argument|api|operator|op|overload", "not working with cuda tensor", "stable sort*|torch",
    "thc to aten", "to aten|structured", "bfloat16|float16|half|complex for", "does not|doesn t|don t ..2 have ..2 implementation", "doesn t|does not work with ..3 yet", "half|bfloat16|float16|complex dtype on|for", "please add|support|implement", "would be nice|great", "initial support", "enable support", "support", "allow", "missing operator|op", "unsupported", "no cuda kernel",
)  # fmt: skip
VERBS = frozenset((
    "add", "adds", "added", "adding", "implement", "implements", "implemented", "expose", "exposes", "introduce", "introduces", "port", "ports", "enable",
    "enables", "support", "supports", "create", "allow", "allows", "move", "migrate", "refactor", "rename", "remove", "extend", "make", "register", "enabling", "enabled", "supporting", "migrating", "porting", "moving", "migration"
))  # fmt: skip
EXPLICIT = Phrases("feature request*", "rfc", "feature", "proposal", "function request")
CHECK = Phrases(
    "check*", "bound*", "valid*", "assert*", "error*", "guard*", "test*", "overflow*", "nan", "nans", "missing",
    "determinis*", "nondeterminis*", "alert", "path", "64 bit", "64bit", "64bits", "32bit", "int64*", "large|larger tensor*|input*", "2 31", "2 32",
)  # fmt: skip
WISHES = Phrases(
    "work with cuda|gpu yet", "for bfloat16|half|float16|complex on cuda",
    "add|adds|adding|enable|enables|enabled|implement|implements|support|supports ..3 bfloat16|bf16|half|float16|fp16|complex|complexhalf",
    "bfloat16|bf16|half|float16|complex|complexhalf ..2 support",
)  # fmt: skip
DETERMINISM = Phrases("deterministic mode|support|version|option|implementation ..1 for|of")
MISSING = Phrases(
    "not implemented for", "notimplementederror", "not supported for", "not currently supported|implemented",
    "not yet supported|implemented", "has|have no cuda|gpu kernel|implementation|version|support", "no cuda|gpu kernel|implementation|version|support", "could not run ..6 backend", "does not have a deterministic implementation",
)  # fmt: skip
"""Messages of operators and dtypes that nobody has written."""
REPAIR = Phrases(
    "fix*", "bug*", "wrong*", "incorrect*", "crash*", "error*", "typo*", "regression*", "correct*", "nan", "silent*"
)
PROSE = Phrases("feature request", "feature", "new op|operator|argument|api|dtype|mode|backend", "no cuda kernel", "missing op", "port", "support", "asks for", "enablement", "would like",
                "it would be", "moved code", "motivation", "proposal", "pitch", "new features")  # fmt: skip
SIGNALS = Signals(
    ItemClass.FEATURE,
    Signal("verb", VERBS, 3.0, "the title begins with what it adds", unless=CHECK),
    Signal("verb", VERBS, 0.0, "the title begins with a check that it adds", only=CHECK),
    Signal("title", EXPLICIT, 3.5, "the title calls itself a request"),
    Signal("title", ASKED, 3.0, "the title asks for something new", unless=CHECK),
    Signal("title", WISHES, 5.5, "the title wishes for a mode or a dtype"),
    Signal("title", DETERMINISM, 7.0, "the title wishes for a deterministic way"),
    Signal("code", MISSING, 2.5, "a log says that something was never there"),
    Signal("lead", MISSING, 1.5, "the text says that something was never there"),
    Signal("title", MISSING, 2.0, "the title says that something was never there"),
    Signal("tags", ASKED, 2.0, "the title's tag asks for something new"),
    Signal("labels", LABELS, 3.0, "a label says so"),
    Signal("lead", PROSE, 1.0, "the text speaks of something new"),
)

BRINGS = Phrases(
    "implement|implements|implemented|implementing", "implementation of", "port|ports|ported|transpiled ..3 from|of|to",
    "add|adds|adding|enable|enables|introduce|introduces ..4 support|kernel*|op|operator*|backward|forward|dtype*",
    "requested", "feature request*", "new op*|kernel*|feature*", "a feature",
)  # fmt: skip
"""What a change says of itself that brings to a device what it had not."""


def rule(item: Item) -> Iterable[Claim]:
    """Adding a check is a fix, whatever the verb; adding anything else is a feature, also what another device lacked."""
    yield from SIGNALS.claims(item)
    if item.kind is ItemKind.ISSUE or in_title(item, REPAIR):
        return
    if reading(item).tags.found(DEVICE):
        brought = in_title(item, BRINGS) or in_lead(item, BRINGS)
        if brought:
            yield claim("it brings another device what it had not", ItemClass.FEATURE, 16.0, brought)
