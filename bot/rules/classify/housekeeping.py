"""Pin updates, trackers, reverts and drafts bring no fix of their own; environment reports are about a machine."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals

PINS = Phrases(
    "commit pin", "pin update", "update torch xpu ops", "cherry pick*", "submodule", "update pin", "pin bump",
    "release 2|1", "release only",
)  # fmt: skip
TRACKERS = Phrases(
    "tracker", "tracking", "umbrella", "meta issue", "roadmap", "master issue", "tracking issue", "task list"
)
GATHERS = Phrases(
    "this issue|thread tracks", "umbrella issue", "tracking issue", "list of issues|ops|operators|failures"
)
DRAFTS = Phrases(
    "wip", "ignore", "do not merge|review|land", "don t merge|review|land", "dnm", "draft", "test only", "scratch",
    "reproducer for", "poc", "experiment*", "debug", "just for", "not for land*|review|merge",
)  # fmt: skip
MESSAGES = Phrases(
    "error message*",
    "wrong error message*",
    "warning message*",
    "error messages",
    "typo*",
    "spelling",
    "better error",
    "warning*",
    "misleading",
)
ONLY_TEXT = Phrases(
    "fix|fixes|fixed|correct|improve|improves|better|update|clarify|wrong|misleading|confusing|incorrect|opposite|typo ..3 error|warning|assert|exception message*|text",
    "misleading|confusing|unclear|uninformative|cryptic ..2 error*|message*|warning*",
)  # fmt: skip
ELSEWHERE = Phrases("mps", "metal", "xla", "hpu", "mtia", "cudnn*", "miopen*", "cublas*")  # fmt: skip
INSTALL = Phrases(
    "import error", "importerror", "modulenotfounderror", "pip install", "conda install", "install*", "undefined symbol", "cannot open shared object file", "dll load failed", "no module named",
    "driver version", "version mismatch", "not compatible", "no kernel image",
)  # fmt: skip
UNDO = frozenset(("revert", "reverts", "reverted", "backout", "back"))
STALE = frozenset(("stale", "invalid", "duplicate", "wontfix", "bot-mislabeled"))
SIGNALS = Signals(
    ItemClass.OTHER,
    Signal("title", PINS, 4.0, "it moves a pin or a branch", veto=True),
    Signal("title", TRACKERS, 3.0, "it gathers other items"),
    Signal("tags", TRACKERS, 3.0, "the title's tag gathers other items", veto=True),
    Signal("lead", GATHERS, 2.0, "the text gathers other items"),
    Signal("tags", DRAFTS, 3.0, "it is marked as a draft"),
    Signal("title", DRAFTS, 1.0, "the title calls it a trial"),
    Signal("verb", UNDO, 6.0, "it takes a change back"),
    Signal("title", MESSAGES, 3.0, "it is about the text of a message"),
    Signal("title", ONLY_TEXT, 3.5, "the title corrects the text of a message", unless=ELSEWHERE),
    Signal("title", INSTALL, 3.5, "it reports an installation"),
    Signal("lead", INSTALL, 1.0, "the text reports an installation"),
    Signal("labels", STALE, 1.0, "a label closes it"),
)


def rule(item: Item) -> Iterable[Claim]:
    """None of these is an upstream fix that XPU could lack."""
    return SIGNALS.claims(item)
