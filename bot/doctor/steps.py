"""Takes one check after the other, each within its deadline, whatever becomes of the others."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.doctor.check import Check, Said, State, skipped, wrong
from bot.errors import AlignbotError, LimitedError


@dataclass(frozen=True, slots=True)
class Step:
    """A check to be made."""

    name: str
    look: Callable[[], Said]
    """May raise an AlignbotError: its sentence is then what is wrong."""
    deadline_s: float
    needs: tuple[str, ...] = ()
    """Earlier steps without which this one has nothing to look at."""


def take(steps: Iterable[Step]) -> Iterator[Check]:
    """Each step's check as soon as it is there."""
    failed: set[str] = set()
    for step in steps:
        first = next((need for need in step.needs if need in failed), None)
        said = _within_deadline(step) if first is None else skipped(f"{first} comes first")
        if said.state in (State.WRONG, State.SKIPPED):
            failed.add(step.name)
        yield Check(step.name, said.state, _line(said.told), _line(said.cure))


def _within_deadline(step: Step) -> Said:
    """What it says. A look that does not end is left to itself: its thread ends with the process."""
    answer: queue.SimpleQueue[Said] = queue.SimpleQueue()
    threading.Thread(target=lambda: answer.put(_said(step)), name=step.name, daemon=True).start()
    try:
        return answer.get(timeout=step.deadline_s)
    except queue.Empty:
        return wrong(f"no answer within {step.deadline_s:g} s", "try again; if it stays so, see what holds it up")


def _said(step: Step) -> Said:
    try:
        return step.look()
    except LimitedError as error:
        return skipped(str(error))
    except AlignbotError as error:
        return wrong(str(error))
    except Exception as error:  # noqa: BLE001  a doctor who falls over one patient must still see the others
        return wrong(f"the check itself failed: {type(error).__name__}: {error}", "report this as a bug of alignbot")


def _line(text: str) -> str:
    """The text on one line, whoever wrote it."""
    return " ".join(text.split())
