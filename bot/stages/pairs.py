"""pairs: the same call on the CPU and on a device: what the CPU answers is right."""

import re
from collections.abc import Sequence

from bot.model import Oracle, OracleKind, Reproducer
from bot.stages.stated import Stated
from bot.stages.wording import DEVICE, GPU

REFERENCE = re.compile(r"(?<![.\w])(?:\w{1,30}_)?(?:ref|reference|expected|cpu|golden|truth)(?:_\w{1,30})?\b")
"""A name that says what it holds."""
LONGEST = 400
"""Characters of a line that are looked at for both sides."""
ON_BOTH = re.compile(
    r"\b\w{0,30}(?:cpu|ref)\w{0,30}\b.{0,200}\b\w{0,30}(?:gpu|cuda|mps|xpu)|\b\w{0,30}(?:gpu|cuda|mps|xpu)\w{0,30}\b.{0,200}\b(?:cpu\w{0,30}|\w{0,30}_cpu|ref|\w{0,30}_ref)\b(?!\(\))"
)
"""Both sides in one line."""
STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")


def by_device(answers: Sequence[tuple[str, str]]) -> Stated:
    """Of statements with their answers, the CPU's answer to a call that a device answers otherwise."""
    on_cpu: dict[str, tuple[str, str]] = {}
    on_device: dict[str, tuple[str, str]] = {}
    for statement, answer in answers:
        last = statement.split("\n")[-1]
        there = GPU.search(last) or GPU.search(answer)
        (on_device if there else on_cpu).setdefault(DEVICE.sub("", last), (last.strip(), answer))
    for call, (statement, answer) in on_cpu.items():
        if call in on_device and len(answer) <= 2000 and _plain(answer) != _plain(on_device[call][1]):
            return Stated(expected=answer, observed=on_device[call][1], source=statement)
    return Stated()


def _plain(answer: str) -> str:
    """What it says, without where."""
    return re.sub(r"device='[\w:]+'|[\s,()]", "", answer)


def both_printed(prints: Sequence[str]) -> list[str]:
    """Of lines that print, the first that prints on the CPU, or of a reference, what another one prints of a device."""
    calls = {line: DEVICE.sub("", STRING.sub("", line.lower())).replace("(,", "(") for line in prints}
    on_device = {call for line, call in calls.items() if GPU.search(line)}
    same = [line for line in prints if not GPU.search(line) and calls[line] in on_device and "(" in calls[line][6:]]
    named = [line for line in prints if len(prints) > 1 and REFERENCE.search(STRING.sub("", line))]
    both = [line for line in prints if ON_BOTH.search(STRING.sub("", line[:LONGEST]))]
    return (same or both or ([] if len(named) == len(prints) else named))[:1]


def beside_the_cpu(found: Sequence[Reproducer]) -> list[Reproducer]:
    """Of scripts that differ in the device alone, what the one on the CPU is shown to print is right for the other."""
    on_cpu = {
        DEVICE.sub("", one.code): one.oracle
        for one in found
        if one.oracle.observed and one.oracle.kind is OracleKind.STATED and not GPU.search(one.code)
    }
    return [_told(one, on_cpu.get(DEVICE.sub("", one.code))) if on_cpu else one for one in found]


def _told(one: Reproducer, other: Oracle | None) -> Reproducer:
    own = one.oracle
    if other is None or own.expected or own.kind not in (OracleKind.STATED, OracleKind.NONE, OracleKind.CRASH):
        return one
    if not GPU.search(one.code) or _plain(own.observed or "") == _plain(other.observed or ""):
        return one
    sure = Oracle(kind=OracleKind.STATED, expected=other.observed, observed=own.observed, source=other.source)
    return one.model_copy(update={"oracle": sure})
