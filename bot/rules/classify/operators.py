"""Which operators the item names: what has no operator can't be compared."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from bot.model import Claim, Item, ItemClass, Span
from bot.rules.spans import TITLE_READ, told

CODE = re.compile(
    r"(?:torch\.ops\.aten|torch(?:\.\w+)*|F|nn\.functional|aten|at)(?:\.|::)(\w+)|`(?:\w+\.)*(\w+)(?:\([^`\n]*\))?`|\.(\w+)\("
)
WORD = re.compile(r"[A-Za-z_]\w+")
BACKWARD = re.compile(r"\s*(?:\([^)]*\)\s*)?backward", re.IGNORECASE)
MIN_PLAIN = 5
"""Shorter names without an underscore (`var`, `mm`, `pad`) count only as code."""
SHOWN = 5


@cache
def listed(name: str) -> frozenset[str]:
    """The words of a list beside this file: `operators`, `operator_words`, `operator_factories`."""
    lines = (files(__package__) / f"{name}.txt").read_text("utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


def known() -> frozenset[str]:
    """Base names of all aten operators."""
    return listed("operators")


def is_plain(name: str) -> bool:
    """Is it a word of everyday language, or so short that it may be one?"""
    return name in listed("operator_words") or ("_" not in name and len(name) < MIN_PLAIN)


def rule(item: Item) -> Iterable[Claim]:
    """Operators by place (title, then how often named); those of the title weigh most."""
    titled = _named(item.title[:TITLE_READ])
    counted = _named(told(item.body))
    ranked = sorted({*titled, *counted}, key=lambda op: (op not in titled, -counted.get(op, 0), op))
    ranked = [op for op in ranked if not any(op in other and op != other for other in titled)]
    if not ranked:
        return
    span = Span(field="title" if titled else "body", text=ranked[0])
    yield Claim(
        why=f"it names the operator {ranked[0]}",
        item_class=ItemClass.CANDIDATE,
        weight=1.0 if titled else 0.5,
        ops=tuple(ranked[:SHOWN]),
        span=span,
    )


def _named(text: str) -> dict[str, int]:
    """Operator -> number of mentions. Everyday words count only as code."""
    counts: dict[str, int] = {}
    for match in WORD.finditer(text):
        name = match.group()
        if name in known() and not is_plain(name):
            if f"{name}_backward" in known() and BACKWARD.match(text, match.end()):
                name = f"{name}_backward"
            counts[name] = counts.get(name, 0) + 1
    for match in CODE.finditer(text):
        name = next(group for group in match.groups() if group)
        if is_plain(name) and name in known() and match.group(3) is None:
            counts[name] = counts.get(name, 0) + 1
    return {name: count for name, count in counts.items() if name not in listed("operator_factories")}
