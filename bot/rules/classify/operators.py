"""Which operators the item names: what has no operator can't be compared."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files

from bot.model import Claim, Item, ItemClass, Span
from bot.rules.phrases import Lexicon, Text
from bot.rules.spans import reading

MODULES = ("torch.", "F.", "functional.", "aten.", "aten::", "at::", "Tensor.", "linalg.", "special.", "_C._nn.")
KERNEL = re.compile(r"(?:_kernel\w*|_cuda\w*|_out|_gpu\w*|_impl\w*)+$")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
BACKWARD = frozenset(("backward", "gradient", "gradients", "grad"))
MIN_PLAIN = 5
"""Shorter names without an underscore (`var`, `mm`, `pad`) count only as code."""
UNMISTAKABLE = frozenset(("bmm", "celu", "gelu", "selu", "silu", "topk"))
SHOWN = 6
LONGEST = 60
KINDS = {
    "gpu": ("an operator with a GPU kernel of its own", ItemClass.CANDIDATE, 1.4),
    "shared": ("an operator made of others", ItemClass.CANDIDATE, 1.0),
    "cpu": ("an operator that only the CPU computes", ItemClass.CPU_ONLY, 2.0),
    "vendor": ("an operator that a vendor's library computes", ItemClass.PLATFORM_EXCLUSIVE, 4.5),
}


@cache
def listed(name: str) -> Mapping[str, str]:
    """A list beside this file, name -> what stands behind it: `operators`, `operator_words`, `operator_names`, …"""
    lines = (files(__package__) / f"{name}.txt").read_text("utf-8").splitlines()
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in lines if line and not line.startswith("#")}


@cache
def is_plain(name: str) -> bool:
    """Is it a word of everyday language, or so short that it may be one?"""
    short = "_" not in name and len(name) < MIN_PLAIN and name not in UNMISTAKABLE
    return short or name in listed("operator_words")


Names = tuple[str, ...]
"""An aten operator by the name that was used, then by that of the operator behind it, where that is another."""


def operator_of(word: str) -> Names:
    """The operator that a word names: `cumsum`, `MaxPool2d`, `grid_sample`, a kernel; empty for none."""
    if not 1 < len(word) <= LONGEST:
        return ()
    behind = listed("operator_names")
    for name in dict.fromkeys((word, CAMEL.sub("_", word).lower(), KERNEL.sub("", word))):
        named = name in listed("operators") and name not in listed("operator_factories")
        if named and not (name != word and is_plain(name)):
            return (name, behind[name]) if name in behind else (name,)
        if name in behind:
            return (behind[name],)
    return ()


OPERATORS = Lexicon(operator_of)


@cache
def kind_of(operator: str) -> str:
    """Who computes it: `gpu` also where a private operator with the same name in it does."""
    known = listed("operators")
    own = known.get(operator, "shared")
    if own != "shared":
        return own
    private = (
        f"_{operator}",
        f"native_{operator}",
        f"{operator}_forward",
        f"_{operator}_forward",
        f"{operator}_with_indices",
    )
    return "gpu" if any(known.get(name) == "gpu" for name in private) else own


def rule(item: Item) -> Iterable[Claim]:
    """Operators by place (title, text, code, then how often named); those of the title weigh most."""
    read = reading(item)
    titled = _named(read.title)
    told = _named(read.lead)
    called = _called(read.code)
    ranked = sorted(titled, key=lambda op: (-titled[op] - told.get(op, 0), op))
    ranked += sorted([op for op in told if op not in titled], key=lambda op: (-told[op], op))
    ranked += sorted([op for op in called if op not in titled and op not in told])
    within = [op for other in titled for op in ranked if op[0] in other[0] and op != other]
    ranked = [op for op in ranked if op not in within]
    if ranked:
        place = "title" if titled else "text" if told else "code"
        yield _claim(place, tuple(dict.fromkeys([name for names in ranked for name in names]))[:SHOWN])


@lru_cache(maxsize=1 << 12)
def _claim(place: str, ranked: tuple[str, ...]) -> Claim:
    told, item_class, weight = KINDS[kind_of(ranked[0])]
    return Claim(
        why=f"the {place} names {told}",
        item_class=item_class,
        weight=weight if place == "title" else weight / 2,
        ops=ranked,
        span=Span(field="title" if place == "title" else "body", text=ranked[0]),
    )


def _named(text: Text) -> dict[Names, int]:
    """Operator -> number of mentions. Everyday words count only as code."""
    counts: dict[Names, int] = {}
    words = text.words
    for names, word in text.hits.get(OPERATORS, ()):
        if names[0] == word and is_plain(word) and not _as_code(word, text.source):
            continue
        place = -1
        for _ in range(words.count(word)):
            place = words.index(word, place + 1)
            told = names if BACKWARD.isdisjoint(words[place + 1 : place + 3]) else _backward(names)
            counts[told] = counts.get(told, 0) + 1
    return counts


def _backward(names: Names) -> Names:
    wanted = (f"{prefix}{name}_backward" for name in names for prefix in ("", "_"))
    return next(((each, *names) for each in wanted if each in listed("operators")), names)


def _as_code(name: str, source: str) -> bool:
    return f"`{name}" in source or f".{name}(" in source or _of_module(name, source)


def _of_module(name: str, source: str) -> bool:
    """Does it stand after the name of a module: `torch.sum`, `F.pad`, `aten::add`?"""
    for joined in (f".{name}", f":{name}"):
        place = source.find(joined)
        while place >= 0:
            if source.endswith(MODULES, 0, place + 1):
                return True
            place = source.find(joined, place + 1)
    return False


def _called(text: Text) -> set[Names]:
    """Operators that code names: everyday words only after a module's name."""
    return {
        names
        for names, word in text.hits.get(OPERATORS, ())
        if names[0] != word or not is_plain(word) or _of_module(word, text.source)
    }
