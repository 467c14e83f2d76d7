"""Says what is off: the divergence, its control, and the call itself, so that a clean process can make it again."""

import sys
from collections import Counter
from typing import Any, NamedTuple

import torch
from torch._ops import OpOverload

from .calls import dtype_name, op_name, script_line, sibling, spelled
from .capture import LARGEST_PACKED, NotWritableError, written_down
from .channel import Outlet
from .control import control_of

MAX_SHOWN = 4
"""Divergences told for one operator, overload, dtype, kind and output; further ones are only counted."""
ALL_PACKED = 4 * LARGEST_PACKED
"""Characters of all calls that one run writes down."""


class Kept(NamedTuple):
    """The arguments of a call as they were before it."""

    given: Any
    """The script's own, which the call may have written to since."""
    wide: Any | None
    """A copy in float64 on the CPU where the call writes, since it writes before anybody looks."""

    @property
    def source(self) -> Any:
        """Where the numbers are as they were."""
        return self.given if self.wide is None else self.wide


class Tell:
    """Writes to the channel, and knows what it has written."""

    def __init__(self, channel: Outlet, *, device: str, script: str, unchecked: Counter[str]) -> None:
        self._channel, self._device, self._script, self._unchecked = channel, device, script, unchecked
        self._told: Counter[tuple[str, str, str, str, int]] = Counter()
        self._packed = 0
        self.place: int | None = None
        """Which call of a replay this is; None for a script, whose line is told."""

    def value(
        self, func: OpOverload, kept: Kept, wide: Any, got: torch.Tensor, want: torch.Tensor, fields: dict[str, Any]
    ) -> None:
        """A result whose numbers are off, with its control."""
        if self._often(func, dtype_name(got.dtype), fields):
            return
        control = control_of(func, wide, got, want, fields, device=self._device)
        self._emit(func, kept, dtype_name(got.dtype), fields | {"control": control})

    def other(self, func: OpOverload, kept: Kept, dtype: str, fields: dict[str, Any]) -> None:
        """A result of another form or other bits, an exception that is missing or too many."""
        if not self._often(func, dtype, fields):
            self._emit(func, kept, dtype, fields)

    def before(
        self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], native: bool | None, *, whole: bool
    ) -> None:
        """A call that begins; `whole`: written down as it is, since the run before did not come back from it."""
        call = self._call(func, Kept((args, kwargs), None)) if whole else None
        calls = spelled(func, args, kwargs)
        self._channel.emit("begins", op=op_name(func), calls=calls, native=native, call=call)

    def _often(self, func: OpOverload, dtype: str, fields: dict[str, Any]) -> bool:
        alike = (op_name(func), func._overloadname, dtype, fields["kind"], fields["output"])
        self._told[alike] += 1
        if self._told[alike] > MAX_SHOWN:
            self._unchecked["divergence like one told"] += 1
            return True
        return False

    def _emit(self, func: OpOverload, kept: Kept, dtype: str, fields: dict[str, Any]) -> None:
        self._channel.emit(
            "divergence",
            divergence={
                "op": op_name(func),
                "overload": func._overloadname,
                "dtype": dtype,
                "calls": spelled(func, *kept.given),
                "sibling": sibling(func, *kept.given),
                "line": script_line(sys._getframe(), self._script) if self.place is None else self.place,
                **fields,
            },
            call=self._call(func, kept) if self.place is None else None,
        )

    def _call(self, func: OpOverload, kept: Kept) -> dict[str, Any] | None:
        """The call written down, or None where it can't be: then nothing can bear the divergence out."""
        try:
            call = written_down(func, kept.given, kept.wide)
        except NotWritableError as reason:
            self._unchecked[f"not written down: {reason}"] += 1
            return None
        self._packed += sum(len(one["bytes"]) for one in call["tensors"])
        if self._packed > ALL_PACKED:
            self._unchecked["not written down: too many numbers in one run"] += 1
            return None
        return call
