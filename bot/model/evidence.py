"""What a device did: runs, divergences, judgements, evidence."""

from typing import Annotated, Any, Literal

from pydantic import Field

from bot.model.base import Reason, Value
from bot.model.job import CallPlace
from bot.model.names import DeviceName, DtypeName, OpName
from bot.model.words import Bucket, DivergenceKind, OracleKind, RunStatus, Verdict

Numbers = Annotated[tuple[bool | int | float, ...], Field(max_length=64)]
"""Values as the device gave them; in JSON NaN and infinities are the strings `NaN`, `Infinity`, `-Infinity`."""


class DeviceFacts(Value):
    """The device under test, as the run saw it."""

    type: str
    name: str | None = None
    simulated: bool = False


class OpCount(Value):
    """How often an operator ran, and whether in the device's own kernel."""

    op: OpName
    dtype: DtypeName
    device: DeviceName
    count: int = Field(ge=0)
    checked: int = Field(default=0, ge=0)
    """How many of these calls were compared with a reference: silence about the others means nothing."""
    native: bool | None = None
    """True: own kernel. False: CPU fallback. None: composite code that calls other operators."""


class Control(Value):
    """The same call on the same device with its inputs widened to `dtype`."""

    dtype: DtypeName
    observed: Numbers
    exact: bool
    """Its whole output equals the reference once both are rounded to the dtype under test."""
    agrees: bool = False
    """Its whole output is within the budget of the dtype under test."""


class Divergence(Value):
    """One call whose result a correctly rounded computation does not explain."""

    op: OpName
    overload: str = Field(pattern=r"^\w{0,100}$")
    dtype: DtypeName
    kind: DivergenceKind
    observed: Numbers | None = None
    expected: Numbers | None = None
    max_abs_err: float | None = None
    ulps: float | None = None
    """Error of the worst element in units in the last place of `dtype` at its expected value; None where that is 0."""
    expected_representable: bool | None = None
    control: Control | None = None
    output: int = 0
    """Which output of the operator (0 = first)."""
    shape: tuple[int, ...] = Field(default=(), max_length=64)
    wrong: int | None = None
    """Number of elements of this output that are off."""
    total: int | None = None
    where: tuple[int, ...] = Field(default=(), max_length=64)
    """Index of the first value shown: values are shown from the worst element's row."""
    budget: float | None = None
    """The error that a correctly rounded computation explains, at the worst element (absolute)."""
    sibling: str = Field(default="", pattern=r"^[\w=,. -]{0,100}$")
    """Which kernel of an operator that has several: `interpolation_mode=2`."""
    calls: str | None = Field(default=None, max_length=600)
    """The call as `aten.op.overload(arguments)`, tensors as dtype, shape and device."""
    line: int | None = None
    """Line of the script that made the call, where known."""
    kernels: tuple[str, ...] = Field(default=(), max_length=64)
    """Kernels of the device that the call started, as torch's profiler names them; none where it names none."""
    raised: str | None = Field(default=None, max_length=500)
    """Of an exception that is missing or too many: its name and first line. Of a form: what it is and should be."""

    @property
    def kin(self) -> tuple[str, str, str, str, int, str | None]:
        """What is equal where one call is made twice, whatever the numbers are."""
        return (self.op, self.overload, self.dtype, self.kind.value, self.output, self.calls)

    @property
    def signature(self) -> tuple[str, str, str, int, str]:
        """What must be equal for two repeats to show the same."""
        moves = self.kind is DivergenceKind.NONDETERMINISTIC
        return (self.op, self.dtype, self.kind.value, self.output, "" if moves else repr(self.observed))


class Relative(Value):
    """A call that differs from a diverging one in one thing, and what it showed."""

    what: str = Field(max_length=200)
    """`dtype float16`, `interpolation_mode 2`, `channels last`, `operator cumprod`."""
    shows: Literal["wrong", "right", "absent"]
    """`absent`: the device or the reference has no such call."""
    observed: Numbers | None = None
    expected: Numbers | None = None
    starts_at: int | None = None
    """The smallest size of the largest dimension that is wrong."""
    why: str = Field(default="", max_length=300)


class Smallest(Value):
    """A diverging call in its smallest form."""

    op: OpName
    overload: str = Field(pattern=r"^\w{0,100}$")
    dtype: DtypeName
    kind: DivergenceKind
    output: int = 0
    sibling: str = ""
    calls: str = Field(max_length=600)
    """The call as it is now."""
    script: str | None = Field(default=None, max_length=20_000)
    """Stands alone: exit code 0 right, 1 wrong. It was run by itself and showed the divergence again."""
    relatives: tuple[Relative, ...] = Field(default=(), max_length=200)


class LastCall(Value):
    """The call that a run did not come back from, made again by itself in clean processes."""

    op: OpName
    calls: str = Field(max_length=600)
    how: str
    """`signal 11`, or `hang`."""
    shown: int = Field(ge=0)
    """In so many clean processes it ended the same way,"""
    tried: int = Field(ge=0)
    """of so many."""
    native: bool | None = None


class Ending(Value):
    """How a process ended, and what it printed."""

    status: RunStatus
    exit_code: int | None = None
    """None where a signal or the watchdog ended it."""
    signal: int | None = None
    duration_s: float = 0.0
    stdout: str = ""
    stderr: str = ""
    truncated: bool = False
    ops: tuple[OpCount, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    why: str = ""


class RunRecord(Ending):
    """One repeat, in a process of its own."""

    raised: str | None = None
    """The exception that ended the script: `AssertionError: ...`."""
    observed: bool = False
    """The observer reported to its end: silence means something only then."""
    checked: int = 0
    """Calls compared with a reference."""
    unchecked: dict[str, int] = Field(default_factory=dict)
    """Calls that were not compared, by reason."""
    warm: bool = False
    """Forked from a process that had torch loaded; the first run of a job never is."""
    underway: CallPlace | None = None
    """The call that a crash or the time limit interrupted, as the run itself left word."""


class Judgement(Value):
    """What a run showed, and what follows for the target."""

    bucket: Bucket
    verdict: Verdict
    oracle: OracleKind
    why: str
    reasons: tuple[Reason, ...] = ()


class RunEvidence(Ending):
    """All repeats of a job. The first repeat's facts stand at the top; `runs` holds every one."""

    device: DeviceFacts
    environment: dict[str, Any] = Field(default_factory=dict)
    sandboxed: bool = True
    bucket: Bucket | None = None
    verdict: Verdict | None = None
    oracle: OracleKind | None = None
    runs: tuple[RunRecord, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    """Divergences of the runs that the same call in a clean process did not show, or that could not be made again:
    they count for nothing, and are not among `divergences`.
    """
    void: str | None = None
    """Why the runs count for nothing: the device was not well after them."""
    last_call: LastCall | None = None
    smallest: tuple[Smallest, ...] = ()
    """Of each operator, kernel and kind of divergence, where it was looked for."""
    script_sha256: str = ""
