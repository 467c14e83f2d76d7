"""The line's parts: what the stages need from outside."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from jinja2 import Environment

from bot.model import FaultPlan, Target
from bot.pipeline.register import Register
from bot.registry import Rule
from bot.seams import Clock, Executor, Reader, Store
from bot.stages.owner import Owner, owner


@dataclass(frozen=True, slots=True)
class Line:
    """What the stages need from outside, chosen once in `wire`."""

    target: Target
    executor: Executor
    store: Store
    clock: Clock
    templates: Environment
    classify_rules: Sequence[Rule]
    extract_rules: Sequence[Rule]
    port_rules: Sequence[Rule]
    repeats: int
    timeout_s: float
    memory_bytes: int
    reader: Reader | None = None
    """Reads the kernels' source; None: nobody does."""
    register: Register | None = None
    """What findings are looked for in; None: no tracker is searched."""
    unsandboxed: bool = False
    """Scripts run outside the sandbox; what they showed then holds only for scans that do the same."""
    simulate: FaultPlan | None = None
    """Scripts run on a simulated device: what is kept of it is kept apart from what the device itself showed."""
    owner: Owner = field(init=False)
    """Tells whose code a case is about; made of the target."""

    @property
    def device(self) -> str:
        """What scans and cases are kept under: `xpu`, `simulated-xpu`."""
        return self.target.name if self.simulate is None else f"simulated-{self.target.name}"

    def __post_init__(self) -> None:
        object.__setattr__(self, "owner", owner(self.target))  # frozen: a part that is made of another one
