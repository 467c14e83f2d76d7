"""context: what a thread says around a script: its outputs, the prose before and after, and headed blocks of output."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from bot.model import Block
from bot.stages.join import Script
from bot.stages.markdown import Prose
from bot.stages.value import is_value
from bot.stages.wording import ABOUT_THE_MACHINE, MACHINE

LONGEST = 6_000
"""Characters of prose on each side."""


class Context(NamedTuple):
    """The surroundings of one script."""

    block: str
    """The text of its blocks as they stand."""
    outputs: tuple[str, ...]
    """What stands as printed, in a session or behind the code."""
    answers: tuple[tuple[str, str], ...]
    """Statements of a session with what they gave."""
    before: str
    after: str
    blocks: tuple[tuple[tuple[str, ...], str], ...]
    """Blocks that are no code, each with the prose above it."""


def around(script: Script, pieces: Sequence[Block | Prose], code: Collection[int]) -> Context:
    """What stands between the code before a script and the code after it; `code`: places of blocks that are code."""
    places = {number for number, piece in enumerate(pieces) if any(piece is part.block for part in script.parts)}
    first, last = min(places), max(places)
    begin = max((one + 1 for one in code if one < first), default=0)
    end = min((one for one in code if one > last), default=len(pieces))
    after: list[str] = []
    before: list[str] = []
    blocks: list[tuple[tuple[str, ...], str]] = []
    above: list[str] = []
    about_machine = False
    for number in range(begin, end):
        piece = pieces[number]
        if number in places or number in code:
            above = []
        elif isinstance(piece, Prose):
            about_machine = bool(ABOUT_THE_MACHINE.match(piece.text)) if piece.heading else about_machine
            if number > first and above and not about_machine and is_value(piece.text):
                blocks.append((tuple(above[-2:]), piece.text.strip("`* \n")))
            above.append(piece.text)
            if not about_machine:
                (before if number < first else after).append(piece.text)
        elif not about_machine and not MACHINE.search(piece.text):
            if number > first:
                blocks.append((tuple(above[-2:]), piece.text))
                after.append(piece.text)
            above = []
    found = [part.found for part in script.parts]
    return Context(
        block="\n".join(part.block.text for part in script.parts),
        outputs=tuple(one for each in found for one in each.outputs),
        answers=tuple(pair for each in found for pair in zip(each.answers, each.outputs, strict=False)),
        before="\n".join(before)[-LONGEST:],
        after="\n".join(after)[:LONGEST],
        blocks=tuple(blocks),
    )
