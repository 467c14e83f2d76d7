"""The case: a form that the stages fill in, in order, and what comes out of it."""

import hashlib
from typing import Self

from pydantic import Field, model_validator

from bot.model.base import Absent, UtcTime, Value
from bot.model.change import Owned
from bot.model.evidence import Divergence, Judgement, RunEvidence
from bot.model.reproducer import Port, Reproducer
from bot.model.source import SourceEvidence
from bot.model.tracker import Matches
from bot.model.upstream import FrozenHeads, Item, Ruling, Window
from bot.model.words import DefectKind, ItemClass, OracleKind, OutcomeKind, Verdict


class Finding(Value):
    """A defect of a target, in words that don't move: see `fingerprint`."""

    target: str
    """Device type under test."""
    simulated: bool = False
    sandboxed: bool = True
    verdict: Verdict = Verdict.VERIFICATION_GAP
    op: str
    defect_kind: DefectKind
    symptom: str
    """Kind of the divergence, or `assertion`, `crash`, or `source` where nothing ran."""
    sibling: str = ""
    """Which kernel of an operator that has several: `interpolation_mode=2`."""
    also: tuple[str, ...] = ()
    """Further operators of the item that diverge in the same run."""
    dtypes: tuple[str, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    """One a dtype, the plainest: what the title and the summary quote."""

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits over what doesn't move: never lines, commits, values or times."""
        kernel = self.op.rstrip("_")  # in place or not, it is the same kernel
        parts = (
            "1",
            self.target,
            f"{self.simulated}{self.sandboxed}",
            kernel,
            self.defect_kind,
            self.symptom,
            self.sibling,
        )
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @property
    def fileable(self) -> bool:
        """Only what a real XPU showed in the sandbox, and what calls for a fix there, may become an issue."""
        real = self.target == "xpu" and not self.simulated and self.sandboxed
        return real and self.verdict is Verdict.NEEDS_XPU_FIX

    @property
    def strength(self) -> tuple[bool, bool]:
        """Which of two findings of one defect speaks for it: what may be filed, then what a run showed."""
        return self.fileable, self.symptom != OracleKind.SOURCE


class Draft(Value):
    """An issue as it would be filed."""

    title: str = Field(max_length=120)
    body: str = Field(max_length=65_536)
    reproducer: str
    """Empty where nothing can be run."""
    template_sha256: str
    fileable: bool


class Outcome(Value):
    """Where a case ended or waits, and why."""

    kind: OutcomeKind
    stage: str
    reason: str
    look_again_at: UtcTime | None = None
    """When a case that is not finished is asked again."""


class Drop(Value):
    """A stage's answer: the case ends here."""

    reason: str
    kind: OutcomeKind = OutcomeKind.DROPPED
    look_again_after_days: int | None = None


class Hold(Value):
    """A stage's answer: ask again at the next tick."""

    reason: str


class Case(Value):
    """One upstream change and all that was found out about it; the audit trail.

    A field that is filled is never redone; `Absent` says that its stage looked and found nothing.
    """

    window: Window
    heads: FrozenHeads
    device: str
    items: tuple[Item, ...]
    """The leader first, then the other members of its chain."""
    ruling: Ruling
    version: str = ""
    """The alignbot that opened the case."""
    linked: tuple[Item, ...] = ()
    """Other items of the window that the chain links to, that link to it or are about its operator; without texts."""
    ownership: Owned | None = None
    reproducer: Reproducer | Absent | None = None
    port: Port | Absent | None = None
    evidence: RunEvidence | Absent | None = None
    source: SourceEvidence | Absent | None = None
    judgement: Judgement | None = None
    finding: Finding | Absent | None = None
    matches: Matches | Absent | None = None
    """What the target's tracker has about it; Absent where none was searched."""
    draft: Draft | Absent | None = None
    outcome: Outcome | None = None

    @model_validator(mode="after")
    def _has_a_leader(self) -> Self:
        if not self.items:
            raise ValueError("a case needs at least one item")
        return self

    @property
    def leader(self) -> Item:
        """The item that speaks for the chain."""
        return self.items[0]

    @property
    def waits_for_build(self) -> bool:
        """Is it watched because upstream's change mends it for all devices, once a build has it?"""
        if self.outcome is None or self.outcome.kind is not OutcomeKind.WATCHED:
            return False
        shared = self.ruling.item_class is ItemClass.SHARED_UPSTREAM
        return self.outcome.stage == "own" or (self.outcome.stage == "classify" and shared)

    @property
    def key(self) -> str:
        """Identity in the store: window, device and leader."""
        return f"{self.window}|{self.device}|{self.leader.key}"
