"""The shadow oracle: a dispatch mode that sees every aten call and has it computed a second time, independently.

It sees what reaches the dispatcher below autograd, forward and backward. It does not see inside compiled functions,
nor calls made by threads that the script starts. A script's own result must not depend on being watched.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from .calls import dtype_name, op_name
from .channel import Outlet
from .check import Check
from .crumb import CHECKING, IDLE, Crumb
from .exceptions import REPEATABLE, is_random, why_unchecked
from .notices import Notices
from .reference import FLOATING, results, tensors_in
from .simulated.device import shown as simulated_arguments


class Shadow(TorchDispatchMode):
    """Compares the calls that touch the device under test with a float64 reference on the CPU."""

    supports_higher_order_operators = True

    def __init__(self, job: dict[str, Any], channel: Outlet) -> None:
        super().__init__()
        self._device = job["device"].partition(":")[0]
        simulated = job.get("simulate") is not None
        self._shown = simulated_arguments if simulated else None
        self._key = "CPU" if simulated else job["dispatch_key"]
        self._notices = Notices(job.get("fallback_pattern"))
        self._check = Check(
            channel,
            device="xpu:0" if simulated else self._device,
            script=job["name"],
            seconds=float(job.get("check_seconds", 60.0)),
        )
        self._crumb = Crumb(job.get("crumb"))
        self._write_down: dict[str, Any] = job.get("write_down") or {}
        self._capturing: Callable[[], bool] | None = getattr(
            getattr(torch, self._device), "is_current_stream_capturing", None
        )
        self._ran: Counter[tuple[str, str, str, str]] = Counter()
        self._compared: Counter[tuple[str, str, str, str]] = Counter()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """True would import the compiler before the first call: as slow as torch itself."""
        return False

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """True lets compiled functions run compiled, as they would without the observer."""
        return True

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run the call as it stands, then again in float64 if it can be judged."""
        kwargs = kwargs or {}
        if not isinstance(func, OpOverload):
            self._check.unchecked["higher-order operator"] += 1
            return func(*args, **kwargs)
        if self._shown is not None:
            args, kwargs = self._shown((args, kwargs))
        special = [
            kind
            for kind in types
            if kind.__torch_dispatch__ is not torch._C._disabled_torch_dispatch_impl
            and not hasattr(kind, "simulated_device")
        ]
        if any(not kind.__module__.startswith("torch._subclasses.") for kind in special):
            return NotImplemented  # the class takes the call apart, and its parts come back here
        self._notices.listen()
        reason = "traced" if special else self._why_not(func, args, kwargs)
        kept = self._check.keep(func, args, kwargs) if reason is None else None
        started = time.monotonic()
        self._enter(func, args, kwargs)
        try:
            with torch._C.DisableTorchFunction() if func.namespace in REPEATABLE else nullcontext():
                returned = func(*args, **kwargs)  # a function mode of the script has seen this call once already
        except Exception as error:
            if kept is not None:
                self._check.raised(func, kept, error, self._chief(tensors_in((args, kwargs)))[0])
            raise
        finally:
            self._crumb.state(CHECKING)
        took_s = time.monotonic() - started
        found = results(func, args, kwargs, returned)
        booked = self._book(func, [*tensors_in((args, kwargs)), *tensors_in(found)])
        if reason is not None:
            self._check.unchecked[reason] += 1
        elif kept is not None:
            self._compared[booked] += self._check.compare(func, kept, found, took_s)
        self._crumb.state(IDLE)
        return returned

    def at(self, place: int) -> None:
        """The calls that follow belong to this call of a replay."""
        self._check.tell.place = place

    def tell_of(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], *, whole: bool = False) -> None:
        """Say which call begins; `whole`: with its arguments written down."""
        native = self._native(func.name(), self._chief(tensors_in((args, kwargs)))[1])
        self._check.tell.before(func, args, kwargs, native, whole=whole)

    def _enter(self, func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Leave word of the call that begins; write down the one that a run before this did not come back from."""
        nth = self._crumb.enter(func.name())
        if (func.name(), nth) == (self._write_down.get("name"), self._write_down.get("nth")):
            self.tell_of(func, args, kwargs, whole=True)

    def account(self) -> dict[str, Any]:
        """What ran and what was compared: fields of the `end` event."""
        ops = [
            {
                "op": op,
                "dtype": dtype,
                "device": device,
                "count": count,
                "checked": self._compared[op, dtype, device, full],
                "native": self._native(full, device),
            }
            for (op, dtype, device, full), count in sorted(self._ran.items())
        ]
        return {"ops": ops, "checked": self._check.checked, "unchecked": dict(sorted(self._check.unchecked.items()))}

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
        if self._capturing is not None and self._capturing():
            return "captured in a graph"
        return "time budget spent" if self._check.seconds_left <= 0 else None

    def _book(self, func: OpOverload, touched: list[torch.Tensor]) -> tuple[str, str, str, str]:
        """Count the call under the dtype and device of what it worked on, and say under which key."""
        dtype, device = self._chief(touched)
        booked = (op_name(func), dtype, device, func.name())
        self._ran[booked] += 1
        return booked

    def _chief(self, touched: list[torch.Tensor]) -> tuple[str, str]:
        """Dtype and device of the tensor that a call is about: the first floating one, the first on the device."""
        chief = next((t for t in touched if t.device.type == self._device), touched[0] if touched else None)
        floating = next((t for t in touched if t.dtype.is_floating_point), chief)
        dtype = dtype_name(floating.dtype) if floating is not None else "none"
        return dtype, str(chief.device) if chief is not None else "none"

    def _native(self, full_name: str, device: str) -> bool | None:
        """Own kernel of the device under test (True), CPU fallback (False), composite or elsewhere (None)."""
        if device.partition(":")[0] != self._device:
            return None
        fell_back = self._notices.fell_back
        if full_name in fell_back or full_name.partition(".")[0] in fell_back:
            return False
        return True if torch._C._dispatch_has_kernel_for_dispatch_key(full_name, self._key) else None
