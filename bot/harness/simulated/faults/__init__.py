"""The fault plan: which calls go wrong on the simulated device, and how.

A kind of fault is a function of a call and of the computation itself; it does something before, instead or after.
"""

from typing import Any

from torch._ops import OpOverload

from .call import Call, Compute
from .kinds import KINDS
from .names import ALIASES

_planned: dict[str, list[dict[str, Any]]] = {}


def plan(faults: list[dict[str, Any]]) -> None:
    """Take the plan; each has `op`, `kind`, and optionally `dtypes` and `when`. Replaces an earlier one."""
    _planned.clear()
    for fault in faults:
        for op in (fault["op"], *ALIASES.get(fault["op"], ())):
            for name in {op, op if op.endswith("_") else f"{op}_"}:  # in place it is the same kernel
                _planned.setdefault(name, []).append(fault)


def run(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The results of a call on the device's numbers, with its faults."""
    planned = _planned.get(func._schema.name.partition("::")[2])
    if planned is None:
        return func(*args, **kwargs)
    call = Call(func, args, kwargs)
    compute: Compute = lambda one: one.func(*one.args, **one.kwargs)  # noqa: E731
    for fault in planned:
        if call.is_of(fault.get("dtypes")) and call.has(fault.get("when") or {}):
            compute = _faulty(KINDS[fault["kind"]], compute)
    return compute(call)


def _faulty(kind: Any, compute: Compute) -> Compute:
    return lambda call: kind(call, compute)
