"""The two names of the simulated device: what scripts see, and what stands for it inside torch.

Inside torch a simulated tensor is on `meta:1`: C++ code then takes it for no CPU tensor, asks no XPU runtime, and its
backward pass runs on the calling thread. Nobody else uses this index; a script's own meta tensors have none.
"""

from typing import Any

import torch

from .nest import mapped

XPU = torch.device("xpu", 0)
STAND_IN = torch.device("meta", 1)


def is_xpu(device: Any) -> bool:
    """Does this argument name the simulated device, under either name?"""
    if isinstance(device, str):
        return device == "xpu" or device.startswith("xpu:")
    return isinstance(device, torch.device) and (device.type == "xpu" or device == STAND_IN)


def stand_in(argument: Any) -> Any:
    """`meta:1` for an argument that says xpu, everything else as it is. Raises RuntimeError for `xpu:1`."""
    if not is_xpu(argument):
        return argument
    index = torch.device(argument).index
    if index not in (None, 0) and torch.device(argument) != STAND_IN:
        raise RuntimeError(f"device index {index} is out of range: the simulated XPU is the only one, xpu:0")
    return STAND_IN


def shown(tree: Any) -> Any:
    """Arguments of a call as they would be on the real device."""
    return mapped(lambda leaf: XPU if isinstance(leaf, torch.device) and leaf == STAND_IN else leaf, tree)
