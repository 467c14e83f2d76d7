"""One call computed again: arguments kept, reference, comparison.

Whatever goes wrong in here is counted by its reason, never raised.
"""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch._ops import OpOverload

from . import errors
from .again import Repeats
from .apart import apart
from .calls import dtype_name
from .channel import Outlet
from .compare import compare
from .exceptions import why_undefined, workspace
from .form import Forms
from .nudge import movement
from .reference import NoReferenceError, call, dense, narrowed, tensors_in, widened, written
from .tell import Kept, Tell

MAX_ELEMENTS = 1 << 26
"""Largest number of tensor elements in one call that is computed again: 512 MiB in float64."""
SHARE = 0.25
"""A call that took more than this share of the seconds left would spend them all when computed again."""

Answer = TypeVar("Answer")


class Check:
    """Computes calls again and tells what is off."""

    def __init__(self, channel: Outlet, *, device: str, script: str, seconds: float) -> None:
        self._device = device
        self.seconds_left = seconds
        self.checked = 0
        self.unchecked: Counter[str] = Counter()
        self.tell = Tell(channel, device=device, script=script, unchecked=self.unchecked)
        self._forms, self._repeats = Forms(device), Repeats()

    def keep(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Kept | None:
        """What `compare` needs later, or None when this call can't be judged."""
        return self._guarded(lambda: self._keep(func, args, kwargs))

    def compare(self, func: OpOverload, kept: Kept, found: list[torch.Tensor | None], took_s: float) -> bool:
        """Judge the results of a call that took so long; whether they could be compared."""
        return self._guarded(lambda: self._compare(func, kept, found, took_s)) is True

    def raised(self, func: OpOverload, kept: Kept, error: Exception, dtype: str) -> None:
        """The device raised: does the CPU, asked for the same?"""
        self._guarded(lambda: self._raised(func, kept, error, dtype))

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
        """Compare numbers, then forms and bits; what has no reference still has a form."""
        if sum(dense(tensor).numel() for tensor in found if tensor is not None) > MAX_ELEMENTS:
            raise NoReferenceError("too large")
        if took_s > self.seconds_left * SHARE:
            raise NoReferenceError("time budget spent")
        told: set[int] = set()
        try:
            self._compare_numbers(func, kept, found, told)
        finally:
            for place, fields in self._forms.off(func, kept.given, lambda: self._narrow(kept, "cpu"), found):
                self._tell_other(func, kept, found[place], fields)
                told.add(place)
        if self._repeats.wanted(func, found):
            given = kept.given if kept.wide is None else self._narrow(kept, self._device)
            skip = told | {place for place in range(len(found)) if workspace(func, place)}
            for place, fields in self._repeats.off(func, given, found, skip):
                self._tell_other(func, kept, found[place], fields)
        self.checked += 1
        return True

    def _compare_numbers(self, func: OpOverload, kept: Kept, found: list[torch.Tensor | None], told: set[int]) -> None:
        """Compute the reference, compare each output, tell what is off and note which output it was."""
        wide = widened(kept.source, to=torch.float64, device="cpu")
        args, kwargs = widened(wide, to=torch.float64, device="cpu") if kept.wide else wide
        want = self._reference(func, kept, args, kwargs, found)
        if len(want) != len(found):
            raise NoReferenceError("another number of outputs")
        moved = movement(func, wide, kept.given, want)
        for position, (got, exact) in enumerate(zip(found, want, strict=True)):
            if got is None or exact is None or workspace(func, position):
                continue
            fields = compare(position, got, dense(exact), moved)
            if fields is not None:
                told.add(position)
                self.tell.value(func, kept, wide, got, exact, fields)

    def _reference(
        self, func: OpOverload, kept: Kept, args: Any, kwargs: Any, found: list[torch.Tensor | None]
    ) -> list[torch.Tensor | None]:
        """The float64 results; where they can't be had because the call is wrong, that is told."""
        try:
            return call(func, args, kwargs)
        except NoReferenceError as error:
            if self._device != "cpu":
                fields = errors.missing(func, self._narrow(kept, "cpu"), error.__cause__)
                if fields is not None:
                    self._tell_other(func, kept, next((one for one in found if one is not None), None), fields)
                    raise NoReferenceError("the reference raises") from error
            raise

    def _raised(self, func: OpOverload, kept: Kept, error: Exception, dtype: str) -> None:
        if self._device == "cpu" or not errors.is_check(error):
            return
        fields = errors.needless(func, self._narrow(kept, "cpu"), error)
        if fields is not None:
            self.tell.other(func, kept, dtype, fields)

    def _tell_other(self, func: OpOverload, kept: Kept, got: torch.Tensor | None, fields: dict[str, Any]) -> None:
        self.tell.other(func, kept, "none" if got is None else dtype_name(got.dtype), fields)

    def _narrow(self, kept: Kept, device: str) -> Any:
        return narrowed(kept.source, kept.given, device)


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
