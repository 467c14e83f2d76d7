"""context: what a thread says around a script: its outputs, the prose before and after, and headed blocks of output."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from bot.model import Block
from bot.stages.join import Script
from bot.stages.markdown import Prose
from bot.stages.stated import AT_ONCE
from bot.stages.value import is_value
from bot.stages.wording import ABOUT_THE_MACHINE, MACHINE

LONGEST = 6_000
"""Characters of prose on each side."""
ERROR = re.compile(r"^(?:\w+(?:Error|Exception)\b|Traceback )", re.MULTILINE)


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
    prose: tuple[str, ...] = ()
    """What is written after the script, and before it, without the blocks."""
    logs: tuple[str, ...] = ()
    """Blocks before it that are no code."""
    title: str = ""


def around(script: Script, pieces: Sequence[Block | Prose], code: Collection[int], title: str = "") -> Context:
    """What stands between the code before a script and the code after it; `code`: places of blocks that are code."""
    own = {id(part.block) for part in script.parts}
    places = {number for number, piece in enumerate(pieces) if id(piece) in own}
    first, last, begin, end = _bounds(places, code, len(pieces))
    after, before, prose, logs = [list[str]() for _ in range(4)]
    blocks: list[tuple[tuple[str, ...], str]] = []
    above: list[str] = []
    about_machine = behind = False
    for number in range(begin, end):
        piece = pieces[number]
        if number in places or number in code:
            above = []
            behind = number == last
        elif isinstance(piece, Prose):
            about_machine = bool(ABOUT_THE_MACHINE.match(piece.text)) if piece.heading else about_machine
            if number > first and (above or behind) and not about_machine and is_value(piece.text):
                blocks.append((tuple(above[-2:]) or AT_ONCE, piece.text.strip("`* \n")))
            behind = False
            above.append(piece.text)
            if not about_machine:
                (before if number < first else after).append(piece.text)
                prose += [piece.text] if number > first else []
        elif not about_machine and not MACHINE.search(piece.text):
            if number < first:
                logs.append(piece.text[:LONGEST])
            else:
                blocks.append(
                    (tuple(above[-2:]) or (AT_ONCE if behind and not ERROR.search(piece.text) else ()), piece.text)
                )
                after.append(piece.text)
            above, behind = [], False
    found = [part.found for part in script.parts]
    return Context(
        block="\n".join(part.block.text for part in script.parts),
        outputs=tuple(one for each in found for one in each.outputs),
        answers=tuple(pair for each in found for pair in zip(each.answers, each.outputs, strict=False)),
        before="\n".join(before)[-LONGEST:],
        after="\n".join(after)[:LONGEST],
        blocks=tuple(blocks),
        prose=("\n\n".join(prose)[:LONGEST], "\n\n".join(before)[-LONGEST:]),
        logs=tuple(logs[-3:]),
        title=title,
    )


def _bounds(places: Collection[int], code: Collection[int], whole: int) -> tuple[int, int, int, int]:
    """First and last place of a script, and those between which nothing else is code."""
    first, last = min(places), max(places)
    begin = max((one + 1 for one in code if one < first), default=0)
    return first, last, begin, min((one for one in code if one > last), default=whole)
