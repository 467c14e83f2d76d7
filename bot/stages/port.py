"""port: a script for one device becomes the same script for another, and nothing else changes.

The syntax tree only finds the places; the edits are made in the text. So whatever is not listed as an edit is the
same to the byte, CPU arms included, and a second port finds nothing to do.
"""

from collections.abc import Sequence

from bot.model import Change, Edit, Leftover, Port, Stays, Target
from bot.registry import Rule
from bot.stages.sites import Place, PortError, places

SOURCES = ("cuda", "mps")
"""Devices whose scripts are carried over."""

__all__ = ["SOURCES", "PortError", "port"]


def port(code: str, target: Target, rules: Sequence[Rule]) -> Port:
    """Carry `code` over to `target`. Raises PortError when it isn't Python."""
    sources = tuple(source for source in SOURCES if source != target.name)
    edits: list[tuple[Place, Edit]] = []
    leftovers: list[Leftover] = []
    for place in places(code, target, sources):
        answers = [(rule.name, answer) for rule in rules if (answer := rule.apply(place.site)) is not None]
        for name, answer in sorted(answers, key=lambda pair: (isinstance(pair[1], Change), pair[0]))[:1]:
            site = place.site
            if isinstance(answer, Stays):
                leftovers.append(Leftover(line=site.line, text=site.text, why=answer.why))
            elif answer.after != site.text:
                edits.append((place, Edit(line=site.line, before=site.text, after=answer.after, rule=name)))
    return Port(
        device=target.name,
        code=_edited(code, edits),
        edits=tuple(edit for _, edit in edits),
        leftovers=tuple(leftovers),
    )


def _edited(code: str, edits: Sequence[tuple[Place, Edit]]) -> str:
    """The text with each edit in its place, last one first so that positions hold."""
    content = code.encode()
    for place, edit in sorted(edits, key=lambda pair: -pair[0].start):
        content = content[: place.start] + edit.after.encode() + content[place.end :]
    return content.decode()
