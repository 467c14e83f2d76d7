"""A session at a prompt, line by line: what was typed, and what was answered."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from bot.model import Found
from bot.rules.mending import FETCHES, MAGIC, mended
from bot.rules.shown import is_output
from bot.rules.sound import CALL, UNSURE, sound
from bot.syntax import parsed, parses

CHANGE = "prompts and outputs taken out"
LONGEST = 2_000
"""Lines of a session; a longer one is a log."""
UNPROMPTED = 12
"""Lines without a prompt that may belong to a statement that is not complete."""
LEAVES = re.compile(r"^(?:exit|quit)\(?\)?$|^help\(|^clear$")


class Prompts(NamedTuple):
    """How a shell begins the first line of a statement, and the further ones."""

    first: re.Pattern[str]
    further: re.Pattern[str]
    answer: re.Pattern[str] | None = None
    """What it writes before an answer."""


class Step(NamedTuple):
    """One statement and what came of it."""

    code: str
    answer: str


def session(text: str, prompts: Prompts) -> Found | None:
    """The statements in their order as one script, or None for what is no session or can't be read as one."""
    if text.count("\n") > LONGEST or not any(map(prompts.first.match, text.splitlines())):
        return None
    before, steps = _steps(text, prompts)
    told = [CHANGE]
    kept: list[Step] = []
    for step in steps:
        if FETCHES.match(step.code):
            return None
        if MAGIC.match(step.code):
            told.append("notebook magics taken out")
        elif "SyntaxError" not in step.answer and not LEAVES.match(step.code.strip()):
            kept.append(step)
    head = mended(before) if before.strip() else None
    code = "".join(f"{step.code.rstrip()}\n".lstrip("\n") for step in kept if step.code.strip())
    typed = parsed(code)
    if typed and is_output(typed) and head and "(" in head.code:
        return None
    script = mended((f"{head.code.rstrip()}\n" if head and "(" in head.code else "") + code)
    kept_code = sound(script.code) if script and not script.tail else None
    if script is None or kept_code is None:
        return None
    answered = [step for step in kept if step.answer]
    return Found(
        code=kept_code[0],
        language="python",
        score=(0.6 if "torch" in kept_code[0] else 0.3) if CALL.search(kept_code[0]) else UNSURE,
        outputs=tuple(step.answer for step in answered),
        answers=tuple(step.code.strip() for step in answered),
        changes=tuple(dict.fromkeys((*told, *script.changes))),
    )


def _steps(text: str, prompts: Prompts) -> tuple[str, list[Step]]:
    """What stands before the first prompt, and the statements with their answers."""
    before: list[str] = []
    steps: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        first = prompts.first.match(line)
        further = prompts.further.match(line)
        if first:
            steps.append(([line[first.end() :]], []))
        elif not steps:
            before.append(line)
        elif further and not steps[-1][1]:
            steps[-1][0].append(line[further.end() :])
        else:
            steps[-1][1].append(line)
    return "\n".join(before), list(_completed(steps, prompts.answer))


def _completed(steps: list[tuple[list[str], list[str]]], mark: re.Pattern[str] | None) -> Iterator[Step]:
    """Lines that were pasted without a prompt go to the statement that they complete."""
    for typed, answered in steps:
        code = "\n".join(typed)
        more = 0
        if not parses(code) and not MAGIC.match(code):
            ends = range(1, min(UNPROMPTED, len(answered)) + 1)
            more = next((end for end in ends if parses("\n".join((code, *answered[:end])))), 0)
        answer = "\n".join(answered[more:]).strip("\n")
        yield Step("\n".join((code, *answered[:more])), mark.sub("", answer).strip() if mark else answer.strip())
