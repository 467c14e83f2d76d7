"""Which kernels of the device a call starts, as torch's profiler names them: proof that it ran there."""

from collections.abc import Callable, Iterable
from typing import Any

import torch

MOST = 16
"""Names kept of one call."""


def kernels_of(call: Callable[[], object], device: str) -> list[str]:
    """Names of the kernels that `call` starts on the device, in order, each once; none where no profiler tells."""
    activity = getattr(torch.profiler.ProfilerActivity, device.partition(":")[0].upper(), None)
    if activity is None or device.startswith("cpu") or activity not in torch.profiler.supported_activities():
        return []
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU, activity]) as profile:
        call()
    return names_on_device(profile.events() or [])


def names_on_device(events: Iterable[Any]) -> list[str]:
    """The names of those that are not the CPU's, copies and fills of memory left out."""
    cpu = torch.autograd.DeviceType.CPU
    names = (str(one.name) for one in events if one.device_type != cpu)
    kept = dict.fromkeys(name for name in names if not name.lower().startswith(("memcpy", "memset")))
    return [name[:300] for name in kept][:MOST]
