"""port: a script for one device becomes the same script for another, and nothing else changes.

The syntax tree only finds the places; the edits are made in the text. So whatever is not listed as an edit is the
same to the byte, CPU arms included, and a second port finds nothing to do.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeVar

from bot.model import Change, Edit, Leftover, Port, Site, Stays, Target
from bot.registry import Rule
from bot.stages.sites import Place, PortError, places
from bot.syntax import parses

SOURCES = ("cuda", "mps")
"""Devices whose scripts are carried over; where a script is for the first one, the other is an arm that stays."""

__all__ = ["SOURCES", "PortError", "port"]

Edits = list[tuple[Place, Edit]]
Leftovers = list[tuple[Place, Leftover]]
Note = TypeVar("Note", Edit, Leftover)


def port(code: str, target: Target, rules: Sequence[Rule]) -> Port:
    """Carry `code` over to `target`. Raises PortError when it isn't Python, or no longer would be."""
    sources = tuple(source for source in SOURCES if source != target.name)
    if len(sources) > 1 and not target.stands_in_for:
        named = re.compile(rf"\b{re.escape(target.name)}\b")
        done = _ported(code, target, rules, sources[:1])
        # What was carried over once names the target from then on: a second time finds the same source.
        first = named.search(code) or any(map(named.search, (edit.after for edit in done.edits)))
        if first or not any(source in code for source in sources[1:]):
            return done
    return _ported(code, target, rules, sources)


def _ported(code: str, target: Target, rules: Sequence[Rule], sources: tuple[str, ...]) -> Port:
    content = code.encode(errors="surrogatepass")
    edits: Edits = []
    left: Leftovers = []
    for place in places(code, target, sources):
        site = place.site
        name, answer = _answer(site, rules)
        if answer is not None and place.arguments and edits and edits[-1][0].start >= place.start:
            site = _with_arguments(place, content, edits)
            name, answer = _answer(site, rules)
        if answer is None:
            continue
        again = answer.why if isinstance(answer, Stays) else None
        left += [one for one in _cut(left, place) if not (answer.whole or again == one[1].why or _own(place, one[0]))]
        if isinstance(answer, Stays):
            edits += [one for one in _cut(edits, place) if not (answer.whole or _own(place, one[0]))]
            matters = not (place.dead or (place.printed and answer.harmless))
            left.append((place, Leftover(line=site.line, text=site.text, why=answer.why, matters=matters)))
        elif answer.after != site.text:
            _cut(edits, place)  # this edit holds them
            after = answer.after.replace('"', "'") if place.quote == '"' else answer.after
            edits.append((place, Edit(line=site.line, before=site.text, after=after, rule=name)))
    ported = _edited(content, edits, 0, len(content))
    if edits and not parses(ported):
        raise PortError("the ported text would be no Python")
    return Port(
        device=target.name,
        code=ported,
        edits=tuple(edit for _, edit in edits),
        leftovers=tuple(sorted((one for _, one in left), key=lambda one: one.line)),
    )


def _answer(site: Site, rules: Sequence[Rule]) -> tuple[str, Change | Stays | None]:
    """What is said of a site: a change rather than that it stays, else by the rules' names."""
    answers = [(rule.name, answer) for rule in rules if (answer := rule.apply(site)) is not None]
    return min(answers, key=lambda pair: (isinstance(pair[1], Stays), pair[0]), default=("", None))


def _cut(found: list[tuple[Place, Note]], place: Place) -> list[tuple[Place, Note]]:
    """Take away the last ones, those inside a place: they come in the order of their ends."""
    count = len(found)
    while count and found[count - 1][0].start >= place.start:
        count -= 1
    inside = found[count:]
    del found[count:]
    return inside


def _own(place: Place, other: Place) -> bool:
    """Is a place inside another one none of its arguments'?"""
    before = bisect_right(place.arguments, other.start, key=lambda span: span[0])
    return before == 0 or other.end > place.arguments[before - 1][1]


def _with_arguments(place: Place, content: bytes, edits: Edits) -> Site:
    """The site with what was edited inside its arguments."""
    first = len(edits)
    while first and edits[first - 1][0].start >= place.start:
        first -= 1
    arguments = []
    for start, end in place.arguments:
        low = bisect_left(edits, start, lo=first, key=lambda pair: pair[0].start)
        high = bisect_right(edits, end, lo=low, key=lambda pair: pair[0].end)
        arguments.append(_edited(content, edits[low:high], start, end).strip())
    return place.site.model_copy(update={"arguments": tuple(arguments)})


def _edited(content: bytes, edits: Edits, start: int, end: int) -> str:
    """The text from `start` to `end` with the edits in it; they are in order and don't overlap."""
    parts: list[bytes] = []
    for place, edit in edits:
        if start <= place.start:
            parts += [content[start : place.start], edit.after.encode()]
            start = place.end
    return b"".join([*parts, content[start:end]]).decode()
