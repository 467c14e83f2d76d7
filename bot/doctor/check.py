"""What a check says: one line, and what to do where something is wrong."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """How it stands."""

    OK = "ok"
    WARNING = "warning"
    """It works, and a person should know."""
    WRONG = "wrong"
    SKIPPED = "skipped"
    """Not looked at: another check comes first, or GitHub gives no more for now."""


class Said(NamedTuple):
    """A check's word without its name."""

    state: State
    told: str
    cure: str = ""
    """What to do; empty where nothing is to be done, or where `told` says it (an error's sentence does)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's."""

    name: str
    state: State
    told: str
    cure: str = ""


def ok(told: str) -> Said:
    """It is right."""
    return Said(State.OK, told)


def warning(told: str, cure: str = "") -> Said:
    """It works, but."""
    return Said(State.WARNING, told, cure)


def wrong(told: str, cure: str = "") -> Said:
    """A scan would fail, or be worth nothing."""
    return Said(State.WRONG, told, cure)


def skipped(told: str) -> Said:
    """It can't be looked at."""
    return Said(State.SKIPPED, told)


def worst(checks: Iterable[Check]) -> State:
    """The state of them all: wrong, warning or ok. What was skipped stands behind what is wrong."""
    states = {check.state for check in checks}
    return next((state for state in (State.WRONG, State.WARNING) if state in states), State.OK)
