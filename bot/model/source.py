"""What was read of source: how an operator is dispatched, what a fix changed, what the target's kernels show."""

from bot.model.base import Value
from bot.model.kernel import KernelFinding, Place
from bot.model.words import ChangeKind, DispatchHow, Still


class Commit(Value):
    """Which source was read."""

    repo: str
    sha: str | None = None
    """None where a folder was read that is no checkout of it."""
    frozen: bool = False
    """Is it the head that was frozen for the window?"""
    read_from: str = ""
    """What was read where it is no commit: the installed torch, a folder, a checkout that is not as its commit."""


class Dispatched(Value):
    """Where the dispatcher sends an operator on the target, and how that is known."""

    op: str
    """Base name."""
    how: DispatchHow
    key: str
    """Dispatch key of the target."""
    kernel: str | None = None
    """The host function."""
    delegate: str | None = None
    """The structured operator whose entry decides."""
    overloads: tuple[str, ...] = ()
    """Those of which this holds, where others are dispatched otherwise."""
    path: str | None = None
    line: int | None = None
    """Where it is said, 1-based."""
    in_target: bool = False
    """Is `path` one of the target's repository, not upstream's?"""
    structured: bool = False
    """Are its arguments checked by code of every device?"""
    why: str


class Derivative(Value):
    """The operators that a forward operator's gradient is made of."""

    op: str
    calls: tuple[str, ...]
    line: int


class UpstreamChange(Value):
    """One thing that an upstream fix changed in kind, and whether the target still has the old form."""

    kind: ChangeKind
    rule: str
    """The kernel rule that finds the old form; empty where none does."""
    item: str = ""
    """Key of the pull request or commit."""
    path: str
    line: int
    """On the new side, 1-based."""
    symbol: str = ""
    """What git shows above the hunk."""
    names: tuple[str, ...] = ()
    """What was changed: variables, the words of a check."""
    before: str = ""
    after: str = ""
    covers: str = ""
    """Why the fix reaches the target too, where it does: the file is built for it."""
    still: Still = Still.UNKNOWN
    places: tuple[Place, ...] = ()
    """Where the target has the old form, or has it right."""
    ops: tuple[str, ...] = ()
    """Operators that come there, the nearest first."""
    why: str = ""


class SourceEvidence(Value):
    """What source says of a case's operators. Only what was read is in it."""

    target: Commit
    upstream: Commit | None = None
    """Of the dispatch tables and of the counterparts."""
    files: int
    """How many kernel files of the target were read."""
    dispatch: tuple[Dispatched, ...] = ()
    derivatives: tuple[Derivative, ...] = ()
    hosts: tuple[Place, ...] = ()
    """The host functions of the operators."""
    kernels: tuple[KernelFinding, ...] = ()
    """What the kernel rules say of what the operators come to."""
    changes: tuple[UpstreamChange, ...] = ()
    unread: tuple[tuple[str, int, int, str], ...] = ()
    """Path, first and last line and why, of what could not be parsed in the files that matter here."""
    includes: tuple[str, ...] = ()
    """Upstream headers that those files include: what is shared with other devices."""
