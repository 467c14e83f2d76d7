"""One call computed again: arguments kept, reference, comparison, and the divergence told.

Whatever goes wrong in here is counted by its reason, never raised.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import torch
from torch._ops import OpOverload

from .apart import apart
from .calls import dtype_name, op_name, script_line, sibling, spelled
from .channel import Channel
from .compare import compare
from .control import control_of
from .exceptions import why_undefined, workspace
from .nudge import movement
from .reference import NoReferenceError, call, dense, tensors_in, widened, written

MAX_ELEMENTS = 1 << 26
"""Largest number of tensor elements in one call that is computed again: 512 MiB in float64."""
MAX_SHOWN = 4
"""Divergences told for one operator, overload, dtype, kind and output; further ones are only counted."""
SHARE = 0.25
"""A call that took more than this share of the seconds left would spend them all when computed again."""

Answer = TypeVar("Answer")


class Kept(NamedTuple):
    """The arguments of a call as they were before it."""

    given: Any
    """The script's own, which the call may have written to since."""
    wide: Any | None
    """A copy in float64 on the CPU where the call writes, since it writes before anybody looks."""


class Check:
    """Computes calls again and tells what is off."""

    def __init__(self, channel: Channel, *, device: str, script: str, seconds: float) -> None:
        self._channel, self._device, self._script = channel, device, script
        self.seconds_left = seconds
        self.checked = 0
        self.unchecked: Counter[str] = Counter()
        self._told: Counter[tuple[str, str, str, str, int]] = Counter()

    def keep(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Kept | None:
        """What `compare` needs later, or None when this call can't be judged."""
        return self._guarded(lambda: self._keep(func, args, kwargs))

    def compare(self, func: OpOverload, kept: Kept, found: list[torch.Tensor | None], took_s: float) -> bool:
        """Judge the results of a call that took so long; whether they could be compared."""
        return self._guarded(lambda: self._compare(func, kept, found, took_s)) is True

    def _guarded(self, work: Callable[[], Answer]) -> Answer | None:
        """Do the observer's own work apart from the script; a failure of it is counted by its kind."""
        started = time.monotonic()
        try:
            return apart(work)
        except NoReferenceError as reason:
            self.unchecked[str(reason)] += 1
        except Exception as error:  # noqa: BLE001  the script must not notice the observer
            self.unchecked[f"observer: {type(error).__name__}"] += 1
        finally:
            self.seconds_left -= time.monotonic() - started
        return None

    def _keep(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Kept:
        if sum(tensor.numel() for tensor in tensors_in((args, kwargs))) > MAX_ELEMENTS:
            raise NoReferenceError("too large")
        reason = why_undefined(func, args, kwargs)
        if reason is not None:
            raise NoReferenceError(reason)
        targets = written(func, args, kwargs)
        if not targets:
            return Kept((args, kwargs), None)
        _refuse_overlap(targets, tensors_in((args, kwargs)))
        return Kept((args, kwargs), widened((args, kwargs), to=torch.float64, device="cpu"))

    def _compare(self, func: OpOverload, kept: Kept, found: list[torch.Tensor | None], took_s: float) -> bool:
        """Compute the reference, compare each output, tell what is off."""
        if sum(dense(tensor).numel() for tensor in found if tensor is not None) > MAX_ELEMENTS:
            raise NoReferenceError("too large")
        if took_s > self.seconds_left * SHARE:
            raise NoReferenceError("time budget spent")
        wide = widened(kept.wide or kept.given, to=torch.float64, device="cpu")
        args, kwargs = widened(wide, to=torch.float64, device="cpu") if kept.wide else wide
        want = call(func, args, kwargs)
        if len(want) != len(found):
            raise NoReferenceError("another number of outputs")
        moved = movement(func, wide, kept.given, want)
        for position, (got, exact) in enumerate(zip(found, want, strict=True)):
            if got is None or exact is None or workspace(func, position):
                continue
            fields = compare(position, got, dense(exact), moved)
            if fields is not None:
                self._tell(func, kept, wide, got, exact, fields)
        self.checked += 1
        return True

    def _tell(
        self, func: OpOverload, kept: Kept, wide: Any, got: torch.Tensor, want: torch.Tensor, fields: dict[str, Any]
    ) -> None:
        """Emit one divergence, unless its like has been told often enough."""
        given, dtype = kept.given, dtype_name(got.dtype)
        alike = (op_name(func), func._overloadname, dtype, fields["kind"], fields["output"])
        self._told[alike] += 1
        if self._told[alike] > MAX_SHOWN:
            self.unchecked["divergence like one told"] += 1
            return
        self._channel.emit(
            "divergence",
            divergence={
                "op": alike[0],
                "overload": alike[1],
                "dtype": dtype,
                "calls": spelled(func, *given),
                "sibling": sibling(func, *given),
                "line": script_line(sys._getframe(), self._script),
                **fields,
                "control": control_of(func, wide, got, want, fields, device=self._device),
            },
        )


def _refuse_overlap(targets: list[torch.Tensor], given: list[torch.Tensor]) -> None:
    """Copies of arguments don't share memory. Raises NoReferenceError where a call may read what it wrote elsewhere.

    The same elements in the same order are harmless: `x[1:] += 1` ends in a copy of a view to itself.
    """
    for target in targets:
        first, last = _extent(target)
        for tensor in given:
            start, end = _extent(tensor)
            same = (start, tensor.shape, tensor.stride()) == (first, target.shape, target.stride())
            if tensor is not target and not same and start < last and first < end:
                raise NoReferenceError("overlapping arguments")


def _extent(tensor: torch.Tensor) -> tuple[int, int]:
    """Addresses from the first to past the last element; equal for an empty tensor."""
    start = dense(tensor).data_ptr()
    steps = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return start, start + ((steps + 1) * tensor.itemsize if tensor.numel() else 0)
