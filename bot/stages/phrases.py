"""phrases: which of the values in a sentence is right, told by the words on both sides of each."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.stages.cues import (
    AGAINST,
    ARGUMENT,
    BUT,
    CALLS,
    DEVICE,
    END,
    FIGURE,
    FORBIDS,
    LABELLED,
    NEGATES,
    POWER,
    REFERENCE,
    RELEASED,
    RESULT,
    RIGHTLY,
    SHOWS,
    SPLITS,
    STARTS,
    VERSION,
    WRONGLY,
)
from bot.stages.value import value_at
from bot.stages.wording import SPENT

MOST = 8
"""Values of a sentence; what holds more is a list of figures."""
LONGEST = 500
"""Characters of a sentence."""
SENTENCES = 300


class Side(NamedTuple):
    """A value and the words that belong to it."""

    value: str
    left: str
    right: str
    before: str
    """All of the sentence before it."""


class Told(NamedTuple):
    """What a sentence says of values; `at`: where in the text the right one stands."""

    expected: str | None
    observed: str | None
    at: int


def by_release(text: str) -> Told | None:
    """Of two lines that are labelled with releases, the earlier one is right."""
    found: dict[tuple[int, ...], tuple[str, int]] = {}
    for label, _ in zip(RELEASED.finditer(text), range(MOST), strict=False):
        value = value_at(text, label.end())
        if value:
            found.setdefault(tuple(map(int, label["version"].split("."))), (value, label.start("version")))
    ordered = [found[version] for version in sorted(found)]
    if len(ordered) < 2 or ordered[0][0] == ordered[-1][0]:
        return None
    return Told(ordered[0][0], ordered[-1][0], ordered[0][1])


def told(text: str) -> Told | None:
    """The first sentence that says which of its values is right; what comes out may stand in another one."""
    found: Told | None = None
    seen: str | None = None
    for at, sentence in _sentences(text):
        sides = _sides(sentence)
        roles = _roles(sides, sentence)
        right = next((one.value for one, role in zip(sides, roles, strict=True) if role == "right"), None)
        other = next((one.value for one, role in zip(sides, roles, strict=True) if role == "wrong"), None)
        other = other or next((one.value for one, role in zip(sides, roles, strict=True) if role == "shown"), None)
        found = found or (Told(right, other, at + sentence.find(right)) if right else None)
        seen = seen or other
    if found is None:
        return by_release(text)
    return found._replace(observed=found.observed or (seen if seen != found.expected else None))


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Sentences that may say something, each with its place; a line's end within one is a blank."""
    begin = 0
    ends = [*(one.end() for one, _ in zip(END.finditer(text), range(SENTENCES), strict=False)), len(text)]
    for end in ends:
        sentence = text[begin:end]
        cued = (
            RIGHTLY.search(sentence) or REFERENCE.search(sentence) or AGAINST.search(sentence) or SHOWS.search(sentence)
        )
        if len(sentence) <= LONGEST and "|" not in sentence and cued and not SPENT.search(sentence):
            yield begin, CALLS.sub(_blanked, sentence.replace("\n", " "))
        begin = end


def _blanked(found: re.Match[str]) -> str:
    return "_" * len(found[0])


def _sides(sentence: str) -> list[Side]:
    """The values of a sentence; the words between two go to one of them, by the last break between them."""
    spans: list[tuple[int, int, str]] = []
    powers = [range(one.start(), one.end()) for one in POWER.finditer(sentence)]
    place = 0
    while len(spans) <= MOST and (start := STARTS.search(sentence, place)):
        value = value_at(sentence, start.start())
        place = start.start() + max(len(value or ""), 1)
        if value and not any(start.start() in one or place - 1 in one for one in powers):
            spans.append((start.start(), place, value))
    results = [one for one in spans if _comes_out(sentence[: one[0]])]
    if len(spans) > MOST or not results:
        return []
    breaks: list[int] = []
    for number, (at, _, _) in enumerate(results):
        begin = results[number - 1][1] if number else 0
        splits = [begin, *(one.start() for one in SPLITS.finditer(sentence, begin, at))]
        labelled = len(splits) > 1 and LABELLED.fullmatch(sentence, splits[-2], at)
        breaks.append(splits[-2] if labelled else splits[-1])
    ends = [*breaks[1:], len(sentence)]
    return [
        Side(value, sentence[cut:at], sentence[end:until], sentence[:at])
        for (at, end, value), cut, until in zip(results, breaks, ends, strict=True)
    ]


def _comes_out(before: str) -> bool:
    return not ARGUMENT.search(before[-40:]) or bool(RESULT.search(before[-80:]))


def _roles(sides: Sequence[Side], sentence: str) -> list[str]:
    """`right`, `wrong`, `shown` (it comes out) or nothing, for each value."""
    if len(sides) == 2 and re.search(r"\brespectively\b", sentence, re.IGNORECASE):
        good, bad = REFERENCE.search(sentence), DEVICE.search(sentence)
        if good and bad:
            return ["right", "wrong"] if good.start() < bad.start() else ["wrong", "right"]
    roles: list[str] = []
    for number, side in enumerate(sides):
        role = _role(side, first=number == 0)
        before = roles[-1] if roles else ""
        if role == "against":
            role = "wrong" if before == "right" else "right" if roles else "against"
        elif role in ("", "shown") and before in ("against", "wrong") and BUT.match(side.left):
            roles[-1], role = ("right", "wrong") if before == "against" else ("wrong", "right")
        roles.append(role)
    return roles if "right" in roles else _by_version(sides) or roles


def _by_version(sides: Sequence[Side]) -> list[str] | None:
    """Of what two releases gave, the earlier one is right: what is told is that it has changed."""
    found = [VERSION.search(f"{side.left} {side.right}") for side in sides]
    first, second = found if len(found) == 2 else (None, None)
    if not first or not second or first[1] == second[1]:
        return None
    older = [int(part) for part in first[1].split(".")] < [int(part) for part in second[1].split(".")]
    return ["right", "wrong"] if older else ["wrong", "right"]


def _role(side: Side, *, first: bool) -> str:
    if FIGURE.search(side.left):
        return ""
    if FORBIDS.search(side.before[-60:]):
        return "wrong"
    words = f"{side.left}\0{side.right}"
    if AGAINST.search(side.left):
        rightly = RIGHTLY.search(words) or REFERENCE.search(words)
        lead = words[: rightly.start()].rpartition("\0")[2] if rightly else ""
        return "right" if rightly and not NEGATES.search(lead) else "against"
    for good, bad in ((RIGHTLY, WRONGLY), (REFERENCE, DEVICE)):
        role = _nearest(side.left, good, bad, last=True) or _nearest(side.right, good, bad, last=False)
        if role:
            return role
    if first and WRONGLY.search(side.before):
        return "wrong"
    named = _nearest(side.before, REFERENCE, DEVICE, last=True) if first else ""
    return named or ("shown" if SHOWS.search(side.left) else "")


def _nearest(words: str, good: re.Pattern[str], bad: re.Pattern[str], *, last: bool) -> str:
    """What the cue says that stands next to the value; a negated right one says wrong."""
    cues = [(one.start(), _unless_negated(words, one.start())) for one in good.finditer(words)]
    cues += [(one.start(), "wrong") for one in bad.finditer(words)]
    return (max(cues) if last else min(cues))[1] if cues else ""


def _unless_negated(words: str, start: int) -> str:
    return "wrong" if NEGATES.search(words[:start]) or re.search(r"\bunlike\b", words[:start], re.I) else "right"
