"""What is asked of an executor: one script with its limits, or calls that were written down."""

import hashlib
from typing import Literal

from pydantic import Field

from bot.model.base import Value
from bot.model.faults import FaultPlan
from bot.model.names import OpName


class CallPlace(Value):
    """One call of a script: the nth of this operator."""

    name: OpName
    """`aten::op.overload`."""
    nth: int = Field(ge=1)


class Job(Value):
    """One script to run, with its limits."""

    script: str
    device: str
    repeats: int = Field(default=2, ge=1, le=100)
    timeout_s: float = Field(default=120.0, gt=0)
    memory_bytes: int = Field(default=8 << 30, ge=256 << 20)
    output_bytes: int = Field(default=1 << 20, ge=1024)
    """What is kept of each output stream: its head and its tail."""
    tmp_bytes: int = Field(default=512 << 20, ge=1 << 20)
    max_processes: int = Field(default=64, ge=1)
    form: Literal["script", "calls", "smallest", "probe"] = "script"
    """What the script is: Python, or a JSON list of calls that were written down. `calls` makes each again by itself,
    `smallest` looks for its smallest form. `probe`: nothing; a small computation shows whether the device is well.
    """
    smallest: bool = False
    """Look for the smallest form of what diverges, and for its relatives."""
    write_down: CallPlace | None = None
    """The call whose arguments are to be written down before it is made."""
    observe: bool = True
    """False runs it without the shadow oracle, which a script that measures time can't bear: nothing is compared."""
    simulate: FaultPlan | None = None
    """Run on a simulated device with these faults; None: on the device itself."""

    @property
    def script_sha256(self) -> str:
        """Digest of the script as UTF-8."""
        return hashlib.sha256(self.script.encode()).hexdigest()
