"""rank: which of the scripts of a thread is tried first."""

import ast
import re
from collections.abc import Iterable, Sequence

from bot.model import Comment, Item, Origin, Reproducer
from bot.stages.needs import barring
from bot.stages.wording import BETTER, BOTS, COMMON, CURES, MAINTAINERS
from bot.syntax import parsed

LACKING = 0.4
"""What a need costs that bars a run."""


def scored(score: float, needs: Iterable[str]) -> float:
    """A script that can't run as it stands comes after those that can."""
    return round(max(score - LACKING * bool(barring(needs)), 0.01), 2)


def ranked(found: Iterable[Reproducer]) -> list[Reproducer]:
    """Best first; of equal ones the earlier (bodies before comments)."""
    return sorted(found, key=lambda one: (-one.score, *_place(one.origin)))


def by_a_bot(comment: Comment) -> bool:
    """Did a program write it?"""
    return comment.author.endswith("[bot]") or comment.author.lower() in BOTS


def preferred(comment: Comment, item: Item, found: Sequence[Reproducer], best: Reproducer | None) -> list[Reproducer]:
    """A comment's scripts; one that a maintainer boiled down comes before the best one so far."""
    known = comment.author_association in MAINTAINERS
    if not (known or BETTER.search(comment.body)) or CURES.search(comment.body):
        return list(found)
    return [_lifted(one, item, best) for one in found]


def _lifted(one: Reproducer, item: Item, best: Reproducer | None) -> Reproducer:
    if one.language != "python" or "torch" not in one.code or barring(one.needs) or one.score < 0.45:
        return one
    if best is None:
        return one
    if not barring(best.needs) and (
        _length(one.code) >= _length(best.code) or not _alike(one.code, best.code, item.title)
    ):
        return one
    return one.model_copy(update={"score": min(1.0, round(max(one.score, best.score + 0.01), 2))})


def _length(code: str) -> int:
    """Lines that say something."""
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in code.split("\n"))


def _alike(code: str, other: str, title: str) -> bool:
    """Do both call something that not every script calls?"""
    rare = _called(code) - COMMON
    return bool(rare & (_called(other) | set(re.findall(r"\w+", title))))


def _called(code: str) -> set[str]:
    tree = parsed(code)
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree else ()
    return {str(getattr(func, "attr", getattr(func, "id", ""))) for func in calls}


def _place(origin: Origin) -> tuple[int, int, str, int]:
    """The body first, then comments by number, then files by name."""
    kind, _, rest = origin.where.partition(" ")
    number = int(rest) if kind == "comment" else 0
    return (("body", "comment", "file").index(kind), number, rest, origin.index)
