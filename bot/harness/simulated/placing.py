"""Puts the simulated device in place, once, for the rest of the process."""

import threading
import warnings
from typing import Any

import torch
import torch.utils._device
import torch.utils._foreach_utils

from . import faults, functions, generators, runtime, saving, tensor
from .dispatch import DeviceMode


def install(simulate: dict[str, Any], name: str) -> None:
    """Enter the modes on this thread and on all that it starts; `simulate` has `faults`, a list. Call it once."""
    warnings.filterwarnings("ignore", message="Sparse .* support is in beta")
    faults.plan(simulate.get("faults") or [])
    runtime.put_in_place(name)
    saving.put_in_place()
    compiled: Any = torch._C
    compiled._xpu_getCurrentRawStream = lambda index: 0
    changed: Any = torch
    changed.Generator = generators.Generator
    changed.compile = _not_compiled
    torch._C._set_only_lift_cpu_tensors(True)
    _default_device()
    _foreach()
    _threads()
    _enter()


def _enter() -> None:
    functions.FunctionMode().__enter__()
    DeviceMode().__enter__()


def _not_compiled(model: Any = None, **_: Any) -> Any:
    """`torch.compile` that compiles nothing: there is no compiler for a device that does not exist."""
    return model if model is not None else _not_compiled


def _default_device() -> None:
    """`torch.set_default_device` and `with torch.device(...)` name the device that stands for the XPU."""
    context: Any = torch.utils._device.DeviceContext
    made = context.__init__

    def named(self: Any, device: Any) -> None:
        made(self, functions.constructor(torch.device(device)))

    context.__init__ = named
    asked = torch.get_default_device
    changed: Any = torch

    def default() -> torch.device:
        from .device import XPU, is_xpu

        return XPU if is_xpu(asked()) else asked()

    changed.get_default_device = default


def _foreach() -> None:
    """Optimisers take their many-tensor form for the device's tensors, as they do on a real one."""
    torch.utils._foreach_utils._foreach_supported_types.append(tensor.Tensor)


def _threads() -> None:
    thread: Any = threading.Thread
    started = thread._bootstrap_inner

    def bootstrap(self: threading.Thread) -> None:
        _enter()
        started(self)

    thread._bootstrap_inner = bootstrap
