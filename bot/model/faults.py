"""What goes wrong on a simulated device: a plan of faults by operator and dtype."""

import hashlib
import json
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from bot.model.base import Value
from bot.model.names import DtypeName, OpName


class FaultKind(StrEnum):
    """How an operator goes wrong; docs/simulated.md tells what each does."""

    NARROW_ACCUMULATOR = "narrow-accumulator"
    MISSING_CHECK = "missing-check"
    INT32_WRAP = "int32-wrap"
    NAN_DROPPED = "nan-dropped"
    WRONG_STRIDE = "wrong-stride"
    CRASH = "crash"
    HANG = "hang"
    CPU_FALLBACK = "cpu-fallback"
    NONDETERMINISM = "nondeterminism"


class Fault(Value):
    """One defect of one operator."""

    op: OpName
    """Without namespace; it holds for the operator in place and with out= too."""
    kind: FaultKind
    dtypes: Annotated[tuple[DtypeName, ...], Field(min_length=1)] | None = None
    """None: all."""
    when: dict[str, Any] | None = None
    """Argument -> value that it must have for the fault to show."""


class FaultPlan(Value):
    """All defects of a simulated device; without one it has only those of the CPU's own kernels."""

    faults: tuple[Fault, ...] = Field(default=(), max_length=10_000)

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that tell two plans apart; `none` for an empty one."""
        if not self.faults:
            return "none"
        text = json.dumps(self.as_json()["faults"], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
