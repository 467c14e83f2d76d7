"""What the configuration says of filing, as the gate reads it."""

from datetime import timedelta
from enum import StrEnum

from pydantic import Field

from bot.model.base import UtcTime, Value
from bot.model.words import DefectKind


class Mode(StrEnum):
    """What the filer may do."""

    OFF = "off"
    DRY_RUN = "dry-run"
    DRAFT = "draft"
    """What a person approved."""
    AUTO = "auto"
    """What the gate lets through, too."""


class ParityKind(StrEnum):
    """How the target stands to its reference backend."""

    PARITY = "parity"
    """The reference is right, the target is not."""
    BOTH = "both"
    """Both have the fault."""
    HARDENING = "hardening"
    """No device refuses such arguments yet."""


class Parity(Value):
    """That, and how it is known."""

    kind: ParityKind
    why: str


class Policy(Value):
    """What may leave, and when."""

    mode: Mode = Mode.OFF
    kinds: dict[DefectKind, Mode] = Field(default_factory=dict)
    """Modes of single defect kinds; `mode` holds for all others, and none may do more than `mode`."""
    muted: tuple[str, ...] = ()
    """Operators, and patterns of kernel paths, of which nothing is filed."""
    quiet: timedelta = timedelta(hours=1)
    """How long a finding waits for a person's word before it leaves by itself."""
    hardening: bool = False
    """File by itself what no other device checks yet."""
    most_a_window: int = 3
    """More than that in one window, and all of them wait for a person."""
    near: float = Field(default=0.5, ge=0, le=1)
    """From this likeness of a known issue on, a person looks first."""
    rehearsal: bool = False

    def mode_of(self, defect: DefectKind) -> Mode:
        """The mode of a kind of defect."""
        chosen = self.kinds.get(defect, self.mode)
        order = list(Mode)
        return min(chosen, self.mode, key=order.index)


class Moment(Value):
    """What the gate needs to know beside the case."""

    now: UtcTime
    found_at: UtcTime | None = None
    """When the finding was first in the store."""
    in_window: int = 1
    """Findings of its window that might leave by themselves."""
