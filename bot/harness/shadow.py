"""The shadow oracle: a dispatch mode that sees every aten call and has it computed a second time, independently.

It sees what reaches the dispatcher below autograd, forward and backward. It does not see inside compiled functions,
nor calls made by threads that the script starts. Whatever goes wrong in here is counted, never raised: the script's
own result must not depend on being watched.
"""

import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from .calls import dtype_name, op_name, script_line, spelled
from .channel import Channel
from .compare import compare
from .control import control_of
from .exceptions import is_random, why_unchecked
from .reference import FLOATING, NoReferenceError, call, nudged, results, tensors_in, widened

MAX_ELEMENTS = 1 << 26
"""Largest number of tensor elements in one call that is computed again: 512 MiB in float64."""
MAX_SHOWN = 4
"""Divergences told for one operator, overload, dtype, kind and output; further ones are only counted."""
NUDGES = {torch.float32: (16, 16.0)}
"""(tries, half units in the last place): float32 sits at discontinuities (floor, borders) that one nudge misses."""


class Shadow(TorchDispatchMode):
    """Compares the calls that touch the device under test with a float64 reference on the CPU."""

    def __init__(self, job: dict[str, Any], channel: Channel) -> None:
        super().__init__()
        self._device = job["device"].partition(":")[0]
        self._key = job["dispatch_key"]
        self._script = job["name"]
        self._seconds_left = float(job.get("check_seconds", 60.0))
        self._fallback = re.compile(job["fallback_pattern"]) if job.get("fallback_pattern") else None
        self._channel = channel
        self._ran: Counter[tuple[str, str, str, str]] = Counter()
        self._unchecked: Counter[str] = Counter()
        self._told: Counter[tuple[str, str, str, str, int]] = Counter()
        self._fell_back: set[str] = set()
        self._checked = 0

    def __torch_dispatch__(
        self, func: OpOverload, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run the call as it stands, then again in float64 if it can be judged."""
        kwargs = kwargs or {}
        reason = self._why_not(func, args, kwargs)
        before = None
        if reason is None:
            before = self._guarded(lambda: self._snapshot(func, args, kwargs))
        returned = func(*args, **kwargs)
        found = results(func, args, kwargs, returned)
        self._count(func, [*tensors_in((args, kwargs)), *tensors_in(found)])
        if reason is not None:
            self._unchecked[reason] += 1
        elif before is not None:
            started = time.monotonic()
            self._guarded(lambda: self._check(func, before, found))
            self._seconds_left -= time.monotonic() - started
        return returned

    def account(self) -> dict[str, Any]:
        """What ran and what was compared: fields of the `end` event."""
        ops = [
            {"op": op, "dtype": dtype, "device": device, "count": count, "native": self._native(full, device)}
            for (op, dtype, device, full), count in sorted(self._ran.items())
        ]
        return {"ops": ops, "checked": self._checked, "unchecked": dict(sorted(self._unchecked.items()))}

    def warned(self, shown: Callable[..., Any]) -> Callable[..., Any]:
        """A `warnings.showwarning` that also notes which operators fell back to the CPU."""

        def show(message: Any, category: Any, filename: Any, lineno: Any, file: Any = None, line: Any = None) -> None:
            match = self._fallback.search(str(message)) if self._fallback else None
            if match:
                self._fell_back.add(match["op"])
            shown(message, category, filename, lineno, file, line)

        return show

    def _why_not(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        """Why this call is not compared, or None."""
        given = tensors_in((args, kwargs))
        if not any(tensor.device.type == self._device for tensor in given):
            return "not on the device" if given else "factory"
        reason = why_unchecked(func) or ("random" if is_random(func, args, kwargs) else None)
        if reason is not None:
            return reason
        if not any(tensor.dtype in FLOATING for tensor in given) and self._device == "cpu":
            return "no wider reference"
        if sum(tensor.numel() for tensor in given) > MAX_ELEMENTS:
            return "too large"
        return "time budget spent" if self._seconds_left <= 0 else None

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Do the observer's own work; a failure of it is counted by its kind and answers None."""
        try:
            return work()
        except NoReferenceError as reason:
            self._unchecked[str(reason)] += 1
        except Exception as error:  # noqa: BLE001  the script must not notice the observer
            self._unchecked[f"observer: {type(error).__name__}"] += 1
        return None

    def _snapshot(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The arguments as they are now: copies where the call writes, since it writes before we look."""
        if not any(argument.is_write for argument in func._schema.arguments):
            return args, kwargs
        return widened((args, kwargs), to=torch.float64, device="cpu"), (args, kwargs)

    def _check(self, func: OpOverload, before: tuple[Any, Any], found: list[torch.Tensor | None]) -> None:
        """Compute the reference, compare each output, tell what is off."""
        writes = any(argument.is_write for argument in func._schema.arguments)
        original = before[1] if writes else before
        wide = before[0] if writes else widened(before, to=torch.float64, device="cpu")
        kept = widened(wide, to=torch.float64, device="cpu") if writes else wide
        want = call(func, *wide)
        if len(want) != len(found):
            raise NoReferenceError("another number of outputs")
        self._checked += 1
        moved = self._sensitivity(func, kept, original, want)
        for position, (got, exact) in enumerate(zip(found, want, strict=True)):
            fields = compare(position, got, exact, moved) if got is not None and exact is not None else None
            if got is not None and fields is not None:
                self._tell(func, original, kept, got, fields)

    def _sensitivity(
        self, func: OpOverload, wide: Any, original: Any, want: list[torch.Tensor | None]
    ) -> Callable[[], list[torch.Tensor] | None]:
        """A function that says once, on demand, how far each output moves when the inputs do."""
        kept: list[list[torch.Tensor] | None] = []

        def moved() -> list[torch.Tensor] | None:
            if not kept:
                kept.append(self._moves(func, wide, original, want))
            return kept[0]

        return moved

    def _moves(
        self, func: OpOverload, wide: Any, original: Any, want: list[torch.Tensor | None]
    ) -> list[torch.Tensor] | None:
        """Largest movement of each output over a few nudges of the inputs, float64; None when it can't be told."""
        narrowest = max((t.dtype for t in tensors_in(original) if t.dtype in FLOATING), key=_eps, default=None)
        tries, half_ulps = NUDGES.get(narrowest or torch.float32, (3, 1.0))
        generator = torch.Generator().manual_seed(0)
        moves = [torch.zeros(() if exact is None else exact.shape, dtype=torch.float64) for exact in want]
        for _ in range(tries):
            args, kwargs = nudged(wide, original, generator, half_ulps)
            for position, (shifted, exact) in enumerate(zip(call(func, args, kwargs), want, strict=True)):
                if shifted is None or exact is None:
                    continue
                if shifted.shape != exact.shape or shifted.is_complex():
                    return None
                step = (shifted.to(torch.float64) - exact.to(torch.float64)).abs()
                moves[position] = torch.maximum(moves[position], torch.where(shifted == exact, 0.0, step))
        return moves

    def _tell(self, func: OpOverload, original: Any, wide: Any, got: torch.Tensor, fields: dict[str, Any]) -> None:
        """Emit one divergence, unless its like has been told often enough."""
        dtype = dtype_name(got.dtype)
        alike = (op_name(func), func._overloadname, dtype, fields["kind"], fields["output"])
        self._told[alike] += 1
        if self._told[alike] > MAX_SHOWN:
            self._unchecked["divergence like one told"] += 1
            return
        fields["control"] = control_of(func, wide, got, fields, device=self._device)
        self._channel.emit(
            "divergence",
            divergence={
                "op": alike[0],
                "overload": alike[1],
                "dtype": dtype,
                "calls": spelled(func, *original),
                "line": script_line(sys._getframe(), self._script),
                **fields,
            },
        )

    def _count(self, func: OpOverload, touched: list[torch.Tensor]) -> None:
        """Book the call under the dtype and device of what it worked on."""
        chief = next((t for t in touched if t.device.type == self._device), touched[0] if touched else None)
        floating = next((t for t in touched if t.dtype.is_floating_point), chief)
        dtype = dtype_name(floating.dtype) if floating is not None else "none"
        device = str(chief.device) if chief is not None else "none"
        self._ran[op_name(func), dtype, device, func.name()] += 1

    def _native(self, full_name: str, device: str) -> bool | None:
        """Own kernel of the device under test (True), CPU fallback (False), composite or elsewhere (None)."""
        if device.partition(":")[0] != self._device:
            return None
        if full_name in self._fell_back or full_name.partition(".")[0] in self._fell_back:
            return False
        return True if torch._C._dispatch_has_kernel_for_dispatch_key(full_name, self._key) else None


def _eps(dtype: torch.dtype) -> float:
    return float(torch.finfo(dtype).eps)
