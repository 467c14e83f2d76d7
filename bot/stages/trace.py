"""trace: of an issue or pull request of the tracker only what tells whether it is about a finding.

Made once for each, so that thousands of them need no texts in memory. Everything here is a stranger's text: of a long
one only the beginning is read, but for our own marker, which may stand at its end.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from bot.model import ItemKind, TrackedItem
from bot.stages.defect_words import kinds_of
from bot.stages.kin import FIXES_HERE
from bot.stages.references import bare_title, declared, references
from bot.stages.vocabulary import WORD, Vocabulary
from bot.windows.landing import MENTION

TITLE, READ = 300, 20_000
"""Characters of a title and of a text that are read."""
HEAD = 80
"""Characters of a title in which the upstream number stands by which it begins."""
MARKER = re.compile(r"^<!-- alignbot:finding=(?P<fingerprint>[0-9a-f]{16})\b", re.M)
MARKERS = 8
FILE = re.compile(r"\b([A-Za-z]\w{2,80})\.(?:cpp|hpp|h|cuh|cu|sycl|mm|metal)\b", re.A)
FILE_ENDS = re.compile(r"_?kernels?$")
ERROR = re.compile(r"Error\b|\berror:|[Aa]ssert|\bfault\b")
NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
ERRORS, SHORTEST, LONGEST = 50, 24, 300
"""Lines of errors that are kept of a text, and their lengths: a short one says nothing."""
LINES = 2_000
BACKWARD = frozenset(("backward", "gradient", "gradients", "grad"))


@dataclass(frozen=True, slots=True)
class Trace:
    """What tells whether an item is about a finding."""

    item: TrackedItem
    """Without its text."""
    aligned: bool
    """Do its tags or its first words say that it is the tracker of an upstream item?"""
    markers: frozenset[str]
    """Fingerprints."""
    declared: frozenset[str]
    """References before the colon of its title, else all of it, and what its text gives as its source."""
    mentioned: frozenset[str]
    titled: frozenset[str]
    """Operators that the title names."""
    named: frozenset[str]
    """Operators that the text names."""
    backward: bool
    """Does the title speak of a gradient alone?"""
    kinds: frozenset[str]
    """Kinds of defect that the title speaks of."""
    spoken: frozenset[str]
    """The same of the text."""
    files: frozenset[str]
    errors: frozenset[str]
    closes: frozenset[int]

    @property
    def is_pull(self) -> bool:
        """Is it a pull request?"""
        return self.item.kind is ItemKind.PULL


def trace(item: TrackedItem, vocabulary: Vocabulary) -> Trace:
    """What is kept of an item."""
    title, aligned = bare_title(item.title[:TITLE])
    text = item.body[:READ]
    headed = references(title[:HEAD].partition(":")[0], item.number)
    titled = references(title, item.number)
    words = set(WORD.findall(title))
    head = vocabulary.headed(title)
    return Trace(
        item=item.model_copy(update={"body": "", "files": (), "title": item.title[:TITLE]}),
        aligned=aligned or bool(headed),
        markers=frozenset(one["fingerprint"] for one in islice(MARKER.finditer(item.body), MARKERS)),
        declared=(headed or titled) | declared(text, item.number),
        mentioned=references(text, item.number) | titled,
        titled=vocabulary.named(title) | ({head} if head else frozenset()),
        named=vocabulary.named(text),
        backward=_backward({word.lower() for word in words}),
        kinds=frozenset[str]().union(*map(kinds_of, words)),
        spoken=frozenset[str]().union(*map(kinds_of, set(WORD.findall(text)))),
        files=frozenset(file_stem(one) for one in (*item.files[:100], *FILE.findall(text))),
        errors=error_lines(text),
        closes=frozenset(item.closes) | _closed(text),
    )


def _backward(words: set[str]) -> bool:
    both = any("forward" in word for word in words)
    return not both and (not BACKWARD.isdisjoint(words) or any("backward" in word for word in words))


def error_lines(text: str) -> frozenset[str]:
    """The lines of a text that tell of an error, in a form in which two runs of one fault are the same."""
    lines = (line for line in text.split("\n", LINES)[:LINES] if ERROR.search(line[:LONGEST]))
    found = (NUMBER.sub("0", " ".join(line[:LONGEST].lower().split())).strip("` ") for line in lines)
    return frozenset(islice((line for line in found if len(line) >= SHORTEST), ERRORS))


@lru_cache(maxsize=1 << 14)
def file_stem(path: str) -> str:
    """`gridsampler` for `src/GridSampler.cpp` and for `GridSamplerKernels.cpp`."""
    return FILE_ENDS.sub("", path.rpartition("/")[2].partition(".")[0].lower())


def _closed(text: str) -> frozenset[int]:
    """Numbers of the own tracker behind a closing keyword."""
    found = (
        int(one["number"])
        for one in islice(MENTION.finditer(text), 100)
        if FIXES_HERE.search(text[max(0, one.start() - 14) : one.start()])
    )
    return frozenset(found)
