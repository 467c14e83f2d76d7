"""subject: what a title is about, to see that an issue and a fix filed apart are the same thing.

A merge that is wrong hides a fault for good, a split costs one more run: hence two like titles are not enough. Issue
and pull request must be close, of one author or one naming the other, name the same operator, and have nobody else as
near.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

TOKEN = re.compile(r"[A-Za-z_][\w.]*")
TAG = re.compile(r"^(?:\s*\[[^\]\n]{1,40}\])+|^\s*(?:fix|bug|feat|revert|reland)[^\w]{1,3}", re.I)
QUOTED = re.compile(r"`([\w.:]{2,80})")
OPERATOR = re.compile(r"[a-z]\w*_\w+|[a-z]+(?:\d+d|\d+p|1p)\w*$")
NO_OPERATOR = re.compile(
    r"(?:b?float|u?int|complex|fp|bf|e\dm)\d|(?:sm|gfx|h|a|b|mi|rtx|compute)_?\d|\w*_(?:t|type|dim|size|bit)$|grad_\w+$"
)
PLAIN = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "does", "for", "from", "has", "in", "into",
        "is", "it", "its", "no", "not", "of", "on", "or", "so", "than", "that", "the", "their", "then", "this",
        "to", "too", "was", "when", "where", "which", "while", "with", "without", "add", "avoid", "bug", "cuda",
        "error", "fail", "fails", "failing", "fix", "fixed", "fixes", "gpu", "handle", "hip", "incorrect",
        "incorrectly", "issue", "make", "pytorch", "rocm", "support", "torch", "use", "using", "wrong",
    }
)  # fmt: skip
BACKWARD = frozenset({"backward", "grad", "gradient"})
LOOKED_AT = 8
"""Neighbours of one author that a pull request is compared with, to either side."""
SHARED = 3
SHARED_WITHOUT_OPERATOR = 4


@dataclass(frozen=True, slots=True)
class Subject:
    """The words of a title that tell it from others."""

    words: frozenset[str]
    operators: frozenset[str]


@dataclass(frozen=True, slots=True)
class Filed:
    """An issue or pull request as far as matters for pairing it."""

    key: str
    number: int
    is_issue: bool
    author: str
    created_s: float | None
    subject: Subject
    mentions: frozenset[str]


def subject(title: str) -> Subject:
    """Its telling words, cut to a stem, and those of them that look like operators."""
    rest = TAG.sub("", title[:300])
    named = {_last(name) for name in QUOTED.findall(rest)}
    tokens = {_last(token) for token in TOKEN.findall(rest)} | named
    operators = frozenset(one for one in tokens if _operator(one) or (one in named and one not in PLAIN))
    words = (one if one in operators else _stem(one) for one in tokens - PLAIN)
    return Subject(frozenset(word for word in words if len(word) > 1), operators)


def pairs(filed: Sequence[Filed]) -> Iterator[tuple[str, str]]:
    """Pull request and issue that are each other's one best match."""
    by_key = {one.key: one for one in filed}
    scores: dict[tuple[str, str], float] = {}
    for pull, issue, named in (*_of_one_author(filed), *_named(by_key)):
        likeness = _alike(pull, issue, named=named)
        if likeness:
            pair = pull.key, issue.key
            scores[pair] = max(likeness, scores.get(pair, 0.0))
    best: dict[str, list[tuple[float, str]]] = {}
    for (pull_key, issue_key), likeness in scores.items():
        best.setdefault(pull_key, []).append((likeness, issue_key))
        best.setdefault(issue_key, []).append((likeness, pull_key))
    for pull_key, issue_key in sorted(scores):
        if _only(best[pull_key]) == issue_key and _only(best[issue_key]) == pull_key:
            yield pull_key, issue_key


def _only(scored: Sequence[tuple[float, str]]) -> str | None:
    """The best match; None where another is as good."""
    first, *others = sorted(scored, reverse=True)
    return None if others and others[0][0] == first[0] else first[1]


def _of_one_author(filed: Sequence[Filed]) -> Iterator[tuple[Filed, Filed, bool]]:
    by_author: dict[str, list[Filed]] = {}
    for one in sorted(filed, key=lambda one: (one.number, one.key)):
        if one.author:
            by_author.setdefault(one.author, []).append(one)
    for many in by_author.values():
        for place, one in enumerate(many):
            for other in islice(many, place + 1, place + 1 + LOOKED_AT):
                if one.is_issue != other.is_issue:
                    yield (other, one, False) if one.is_issue else (one, other, False)


def _named(by_key: Mapping[str, Filed]) -> Iterator[tuple[Filed, Filed, bool]]:
    for one in by_key.values():
        for key in one.mentions & by_key.keys():
            other = by_key[key]
            if one.is_issue != other.is_issue:
                yield (other, one, True) if one.is_issue else (one, other, True)


def _alike(pull: Filed, issue: Filed, *, named: bool) -> float:
    """How much of the shorter title is in the other one; 0 where that is not enough, or they are far apart."""
    first, second = pull.subject, issue.subject
    apart_s = abs(pull.created_s - issue.created_s) if pull.created_s and issue.created_s else 0.0
    if abs(pull.number - issue.number) > (3_000 if named else 500) or apart_s > (21 if named else 4) * 86_400:
        return 0.0
    if bool(first.words & BACKWARD) != bool(second.words & BACKWARD):
        return 0.0
    common = first.words & second.words
    part = len(common) / max(1, min(len(first.words), len(second.words)))
    if first.operators or second.operators:
        same = bool(first.operators & second.operators)
        return part if same and len(common) >= SHARED and part >= (0.5 if named else 0.6) else 0.0
    return part if len(common) >= SHARED_WITHOUT_OPERATOR and part >= 0.8 else 0.0


@lru_cache(maxsize=50_000)
def _operator(token: str) -> bool:
    return bool(OPERATOR.match(token)) and not NO_OPERATOR.match(token)


def _last(token: str) -> str:
    return token.rstrip(".:").replace("::", ".").rpartition(".")[2].lower()


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ating", "ates", "ated", "ate", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
