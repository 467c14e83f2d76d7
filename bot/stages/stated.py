"""stated: the values that a thread says are right, and those that it shows to come out instead."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.stages.phrases import told
from bot.stages.value import value_at
from bot.stages.wording import (
    BEHIND,
    BELOW,
    EXPECTED,
    EXPECTED_BEHIND,
    EXPECTS,
    LABEL,
    LINK,
    LISTED,
    LOOSE,
    MESSAGE,
    NOT_BEFORE,
    NOT_SO,
    ON_DEVICE,
    RELEASE,
    SEEN,
    SHOWS,
    SPEAKS,
    SPENT,
    SURE,
    VERSIONED,
)

AT_ONCE = ("output",)
"""The prose above a block that follows the code at once: it is what came out."""
LINES = 600
"""Lines of a context in which values are looked for."""
LINE = 1_500
TAKEN_BACK = re.compile(r"\b(?:not|never|but|fail\w{0,3}|instead|wrong\w{0,2}|incorrect\w{0,2})\b|n't\b", re.IGNORECASE)
BOTH_WRONG = re.compile(
    r"\b(?:both|all|each|also|equally)(?: are| is)? (?:wrong|incorrect)\b"
    r"|#[^\n\d]{0,200}\b(?:wrong|incorrect)\b[^\n\d]{0,200}$",
    re.IGNORECASE,
)


class Stated(NamedTuple):
    """What a text says of values, each with its line."""

    expected: str | None = None
    observed: str | None = None
    source: str | None = None


def stated(texts: Iterable[str], sentences: Iterable[str] = ()) -> Stated:
    """The first right value that the texts state, and the first one that they show to come out.

    Where no words tell at once, those around each value of the `sentences` do.
    """
    sure = seen = free = None
    for text in texts:
        short = "\n".join(line[:LINE] for line in text.split("\n")[:LINES])
        sure = sure or next(_all(short, SURE, "sure"), None)
        seen = seen or next(_all(short, SEEN, "seen"), None)
    for text in sentences:
        said = None if free else told(text)
        free = (said, _line(text, said.at)) if said else free
    if free and (sure is None or sure[0] == free[0].expected):
        sure = sure or (free[0].expected or "", free[1])
        seen = (free[0].observed, free[1]) if free[0].observed else seen
    expected, source = sure or (None, None)
    observed, place = seen or (None, None)
    return Stated(expected, None if observed == expected else observed, source or place)


def _all(text: str, cues: re.Pattern[str], kind: str) -> Iterator[tuple[str, str]]:
    """Values of a kind with their lines: labelled ones, those behind a cue, and those before one."""
    for label in LABEL.finditer(text):
        value = value_at(text, label.end()) if label[kind] else None
        if value and not (VERSIONED.match(label[0]) and value[:1].isdigit()):
            yield value, _line(text, label.start("sure" if label["sure"] else "seen"))
    for cue in cues.finditer(text):
        value = _behind(text, cue)
        line = _line(text, cue.start())
        spent = value is not None and value[0].isdigit() and SPENT.search(line)
        taken = value is not None and kind == "sure" and _taken_back(text, cue.end(), value)
        if value and not spent and not taken and not _before_a_not(text, cue.start()):
            yield value, line
    for found in EXPECTED_BEHIND.finditer(text) if kind == "sure" else ():
        yield found["value"], _line(text, found.start())
    wanted = ("cpu", "sure") if kind == "sure" else ("gpu", "not")
    for verb in SPEAKS.finditer(text):
        value = value_at(text, verb.end())
        behind = BEHIND.match(text, verb.end() + len(value)) if value else None
        if value and behind and any(behind[one] for one in wanted):
            yield value, _line(text, verb.start())


def _behind(text: str, cue: re.Match[str]) -> str | None:
    """The value behind a cue: at once, after a few words, or below it where the line is the cue alone."""
    link = LINK.match(text, cue.end())
    value = value_at(text, link.end()) if link else None
    if value and value[0].isdigit() and RELEASE.search(text, cue.start(), link.end() if link else cue.end()):
        return None
    if value is None and cue[0].lower().startswith("expect"):
        links = (LOOSE.match(text, cue.end()), LISTED.match(text, cue.end()))
        value = next((one for link in links if link and (one := value_at(text, link.end()))), None)
    if value is None and not text[text.rfind("\n", 0, cue.start()) + 1 : cue.start()].strip("*_# -"):
        below = BELOW.match(text, cue.end())
        value = value_at(text, below.end()) if below else None
    return value


def _before_a_not(text: str, start: int) -> bool:
    """Is it said of what is not so: `not expected`; or by an error's message, `RuntimeError: Expected ...`?"""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return bool(NOT_BEFORE.search(before[-8:]) or MESSAGE.search(before))


def _taken_back(text: str, start: int, value: str) -> bool:
    """Do the words up to the value, or behind it, say that it is none to expect: `expected to fail but prints 5`?"""
    place = text.find(value, start)
    behind = text[place + len(value) :].split("\n", 1)[0]
    return bool(TAKEN_BACK.search(text[start:place]) or BOTH_WRONG.search(behind))


def _line(text: str, position: int) -> str:
    """The whole line in which something stands."""
    start = text.rfind("\n", 0, position) + 1
    return text[start:].split("\n", 1)[0].strip()


def headed(prose: Sequence[str], content: str) -> Stated:
    """A block of output below a heading or a sentence that says what it is."""
    lines = [line.strip() for text in reversed(prose) for line in reversed(text.split("\n")) if line.strip()]
    value = content.strip()[:LINE]
    for head in lines[:2] if value else ():
        if len(head) > 200:
            break
        expects = EXPECTS.search(head)
        if expects and not NOT_SO.search(head) and (EXPECTED.search(head) or not ON_DEVICE.search(head)):
            return Stated(expected=value, source=head)
        if ON_DEVICE.search(head) or SHOWS.search(head):
            return Stated(observed=value, source=value.split("\n")[0] if prose == AT_ONCE else head)
    return Stated()
