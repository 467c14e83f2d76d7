"""port: a script for one device becomes the same script for another, and nothing else changes.

The syntax tree only finds the places; the edits are made in the text. So whatever is not listed as an edit is the
same to the byte, CPU arms included, and a second port finds nothing to do.
"""

from collections.abc import Sequence
from itertools import takewhile

from bot.model import Change, Edit, Leftover, Port, Site, Stays, Target
from bot.registry import Rule
from bot.stages.sites import Place, PortError, places
from bot.syntax import parses

SOURCES = ("cuda", "mps")
"""Devices whose scripts are carried over."""

__all__ = ["SOURCES", "PortError", "port"]


def port(code: str, target: Target, rules: Sequence[Rule]) -> Port:
    """Carry `code` over to `target`. Raises PortError when it isn't Python, or no longer would be."""
    sources = tuple(source for source in SOURCES if source != target.name)
    content = code.encode(errors="surrogatepass")
    edits: list[tuple[Place, Edit]] = []
    left: list[tuple[Place, Leftover]] = []
    for place in places(code, target, sources):
        site = _with_arguments(place, content, edits)
        answers = [(rule.name, answer) for rule in rules if (answer := rule.apply(site)) is not None]
        for name, answer in sorted(answers, key=lambda pair: (isinstance(pair[1], Stays), pair[0]))[:1]:
            left = [one for one in left if not _settles(place, answer, *one)]
            if isinstance(answer, Stays):
                edits = [one for one in edits if not _inside(place, one[0])]
                matters = not (place.dead or (place.printed and answer.harmless))
                left.append((place, Leftover(line=site.line, text=site.text, why=answer.why, matters=matters)))
            elif answer.after != site.text:
                edits = [one for one in edits if one[0].start < place.start]  # this edit holds the others
                after = answer.after.replace('"', "'") if place.quote == '"' else answer.after
                edits.append((place, Edit(line=site.line, before=site.text, after=after, rule=name)))
    ported = _edited(content, edits, 0, len(content))
    if not parses(ported):
        raise PortError("the ported text would be no Python")
    return Port(
        device=target.name,
        code=ported,
        edits=tuple(edit for _, edit in edits),
        leftovers=tuple(sorted((one for _, one in left), key=lambda one: one.line)),
    )


def _settles(place: Place, answer: Change | Stays, other: Place, left: Leftover) -> bool:
    """Does an answer for a place stand for what was said of another one as well?"""
    within = place.start <= other.start and other.end <= place.end
    again = left.why == answer.why if isinstance(answer, Stays) else answer.whole
    return within and (again or _inside(place, other))


def _inside(place: Place, other: Place) -> bool:
    """Is a place in another one, and not in its arguments?"""
    within = place.start <= other.start and other.end <= place.end
    return within and not any(start <= other.start and other.end <= end for start, end in place.arguments)


def _with_arguments(place: Place, content: bytes, edits: Sequence[tuple[Place, Edit]]) -> Site:
    """The site with what was edited inside its arguments."""
    if not place.arguments or not edits or edits[-1][0].start < place.start:
        return place.site
    inside = list(takewhile(lambda pair: pair[0].start >= place.start, reversed(edits)))[::-1]
    arguments = tuple(_edited(content, inside, *span).strip() for span in place.arguments)
    return place.site.model_copy(update={"arguments": arguments})


def _edited(content: bytes, edits: Sequence[tuple[Place, Edit]], start: int, end: int) -> str:
    """The text from `start` to `end` with the edits in it; they are in order and don't overlap."""
    parts: list[bytes] = []
    for place, edit in edits:
        if start <= place.start and place.end <= end:
            parts += [content[start : place.start], edit.after.encode()]
            start = place.end
    return b"".join([*parts, content[start:end]]).decode()
