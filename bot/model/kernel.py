"""What reading a kernel's source gives: a hit of a rule, what it hangs on, and the finding that is left of it."""

from bot.model.base import Value


class Parameter(Value):
    """A template's type parameter; what it is bound to is known where the template is used."""

    template: str
    """The function or class."""
    position: int
    name: str


class Hit(Value):
    """One rule's word on one place of one file."""

    symbol: str
    """The functor or function around it."""
    line: int
    end_line: int
    why: str
    parameter: Parameter | None = None
    """The fault is there only if this type may be half precision."""
    guarded_by: tuple[str, ...] = ()
    """The fault is there only if not every caller asks one of these first, e.g. `canUse32BitIndexMath`."""
    unfilled: tuple[str, int] | None = None
    """The fault is there only if somebody hands this function unfilled memory as this argument, from 0."""
    lines: tuple[int, ...] = ()
    """Where else to look: the updates of an accumulator."""
    right: bool = False
    """No fault: the same thing done right, the style to follow."""
    excerpt: str = ""
    """The lines themselves, filled in by whoever has the file."""


class Check(Value):
    """A check of a host function."""

    unit: str
    """The function that it stands in."""
    path: str
    line: int
    name: str
    """What checks: `TORCH_CHECK`, `checkAllSameGPU`, a function that checks."""
    condition: str = ""
    message: str = ""
    under: str = ""
    """What is asked around it: conditions and cases, the innermost last."""
    steps: int = 0
    """Calls from the host function to the one that it stands in."""


class HostSide(Value):
    """A host function, with all that it reaches."""

    unit: str
    path: str
    line: int
    end_line: int
    """The end of its head."""
    checks: tuple[Check, ...] = ()
    names: frozenset[str] = frozenset()
    """Everything that is mentioned on the way."""
    elsewhere: frozenset[str] = frozenset()
    """Of these, what the tree that was read does not define."""
    dtypes: frozenset[str] = frozenset()
    """Element types that the dispatches on the way let through."""
    structured: bool = False
    """Does code of every device check its arguments and where they are?"""
    asks_empty: bool = False
    """Is it asked on the way whether there is any element?"""
    launches: bool = True
    """Does it come to a kernel of its own? What is made of other operators alone leaves the checks to them."""


class HostPair(Value):
    """A target's host function and its counterpart for CUDA."""

    target: HostSide
    upstream: HostSide


class Place(Value):
    """Lines of a kernel."""

    symbol: str
    path: str
    line: int
    end_line: int


class KernelFinding(Value):
    """A hit that stands, with what else is known of it."""

    rule: str
    op: str | None = None
    """The operator that comes to it by the fewest calls."""
    ops: tuple[str, ...] = ()
    """All operators that do."""
    symbol: str
    path: str
    line: int
    end_line: int
    excerpt: str
    why: str
    permalink: str | None = None
    lines: tuple[int, ...] = ()
    siblings: tuple[Place, ...] = ()
    """Other kernels of the file with the same shape of fault."""
    right: tuple[Place, ...] = ()
    """Kernels of the file that do it right: the style to follow."""
