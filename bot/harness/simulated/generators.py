"""Random numbers of the simulated device: a sequence of its own, as a real device has."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch._ops import OpOverload

from .device import XPU, is_xpu

_CPU_GENERATOR = torch.default_generator
_NATIVE: Any = torch.Generator


class _Kind(type(_NATIVE)):  # type: ignore[misc]
    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _NATIVE)


class Generator(_NATIVE, metaclass=_Kind):
    """`torch.Generator(device)`; one for the device is a CPU generator that says xpu:0."""

    def __new__(cls, device: Any = "cpu") -> Any:
        """One for the device, or torch's own."""
        if not is_xpu(device):
            return _NATIVE(device=device)
        return _NATIVE.__new__(cls)

    @property
    def device(self) -> torch.device:
        """xpu:0."""
        return XPU


DEFAULT: Any = Generator("xpu")
DEFAULT.manual_seed(_CPU_GENERATOR.initial_seed())


@contextmanager
def drawing(func: OpOverload, kwargs: dict[str, Any]) -> Iterator[None]:
    """Within it the CPU's default generator is at the device's place in its sequence, if the call may draw."""
    if torch.Tag.nondeterministic_seeded not in func.tags or kwargs.get("generator") is not None:
        yield
        return
    kept = _CPU_GENERATOR.get_state()
    _CPU_GENERATOR.set_state(DEFAULT.get_state())
    try:
        yield
    finally:
        DEFAULT.set_state(_CPU_GENERATOR.get_state())
        _CPU_GENERATOR.set_state(kept)
