"""`torch.xpu` and `torch.accelerator` as a machine with one XPU has them."""

import contextlib
from types import ModuleType, SimpleNamespace
from typing import Any

import torch

from . import memory, streams
from .device import is_xpu
from .generators import DEFAULT

_SEED_BITS = (1 << 63) - 1


class _Chosen:
    """`torch.xpu.device(...)`, `torch.xpu.device_of(...)`, `torch.accelerator.device_index(...)`: the one device."""

    def __init__(self, device: Any = None) -> None:
        if not isinstance(device, torch.Tensor):
            index_of(device)
        self.idx, self.prev_idx = 0, -1

    def __enter__(self) -> "_Chosen":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to restore."""


def index_of(device: Any = None) -> int:
    """0. Raises what torch raises for any other device."""
    if device is None or is_xpu(device):
        index = torch.device(device).index if device is not None and str(device) != "meta:1" else 0
    elif isinstance(device, int):
        index = max(device, 0)
    else:
        raise ValueError(f"Expected a xpu device, but got: {device}")
    if index:
        raise RuntimeError(f"The device index is out of range. It must be in [0, 1), but got {index}.")
    return 0


def _chosen(device: Any = None) -> None:
    index_of(device)


def _manual_seed(seed: Any) -> None:
    DEFAULT.manual_seed(int(seed))


def _set_state(new_state: torch.Tensor, device: Any = None) -> None:
    index_of(device)
    DEFAULT.set_state(new_state)


def _set_states(new_states: Any) -> None:
    for state in new_states:
        DEFAULT.set_state(state)


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _seed() -> None:
    DEFAULT.manual_seed(torch.default_generator.seed() & _SEED_BITS)


def _properties(name: str) -> SimpleNamespace:
    return SimpleNamespace(
        name=name,
        platform_name="alignbot simulated device",
        vendor="alignbot",
        type="gpu",
        device_id=0,
        driver_version="0",
        version="0",
        total_memory=memory.TOTAL_BYTES,
        max_compute_units=1,
        gpu_eu_count=1,
        gpu_subslice_count=1,
        max_work_group_size=1024,
        max_num_sub_groups=64,
        sub_group_sizes=[16, 32],
        local_mem_size=65536,
        has_fp16=True,
        has_fp64=True,
        has_atomic64=True,
        has_bfloat16_conversions=True,
        has_subgroup_matrix_multiply_accumulate=False,
        architecture=0,
    )


def _random() -> dict[str, Any]:
    return {
        "manual_seed": _manual_seed,
        "manual_seed_all": _manual_seed,
        "seed": _seed,
        "seed_all": _seed,
        "initial_seed": lambda: int(DEFAULT.initial_seed()),
        "get_rng_state": lambda device="xpu": DEFAULT.get_state(),
        "set_rng_state": _set_state,
        "get_rng_state_all": lambda: [DEFAULT.get_state()],
        "set_rng_state_all": _set_states,
    }


def _memory() -> dict[str, Any]:
    return {
        "empty_cache": _nothing,
        "memory_allocated": memory.allocated,
        "memory_reserved": memory.allocated,
        "max_memory_allocated": memory.peak,
        "max_memory_reserved": memory.peak,
        "reset_peak_memory_stats": memory.reset_peak,
        "reset_accumulated_memory_stats": _nothing,
        "memory_stats": memory.stats,
    }


def _runtime(name: str) -> dict[str, Any]:
    return {
        "_is_compiled": lambda: True,
        "_lazy_init": _nothing,
        "_lazy_call": lambda callable, **_: callable(),  # noqa: A006
        "init": _nothing,
        "is_initialized": lambda: True,
        "_is_in_bad_fork": lambda: False,
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "set_device": _chosen,
        "_get_device": lambda device: torch.device("xpu", index_of(device)),
        "device": _Chosen,
        "device_of": _Chosen,
        "get_device_name": lambda device=None: (index_of(device), name)[1],
        "get_device_properties": lambda device=None: (index_of(device), _properties(name))[1],
        "get_device_capability": lambda device=None: (index_of(device), vars(_properties(name)))[1],
        "is_bf16_supported": lambda including_emulation=True: True,
        "is_tf32_supported": lambda: False,
        "can_device_access_peer": lambda device, peer: False,
        "get_arch_list": list,
        "get_gencode_flags": str,
        "synchronize": _chosen,
        "is_current_stream_capturing": lambda: False,
        "Stream": streams.Stream,
        "Event": streams.Event,
        "stream": lambda stream: stream or contextlib.nullcontext(),
        "StreamContext": lambda stream: stream or contextlib.nullcontext(),
        "set_stream": _nothing,
        "current_stream": lambda device=None: (index_of(device), streams.DEFAULT)[1],
        "default_generators": (DEFAULT,),
        "_get_generator": lambda device: DEFAULT,
        "mem_get_info": memory.free_and_total,
        **_memory(),
        **_random(),
    }


def _accelerator(name: str) -> dict[str, Any]:
    return {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_accelerator": lambda check_available=False: torch.device("xpu"),
        "current_device_index": lambda: 0,
        "current_device_idx": lambda: 0,
        "set_device_index": _chosen,
        "set_device_idx": _chosen,
        "device_index": _Chosen,
        "synchronize": _chosen,
        "current_stream": lambda device=None: streams.DEFAULT,
        "set_stream": _nothing,
        "get_device_capability": lambda device=None: vars(_properties(name)),
        "get_memory_info": memory.free_and_total,
        "empty_host_cache": _nothing,
        **_memory(),
    }


def _replace(module: ModuleType, names: dict[str, Any], *, new: bool) -> None:
    for name, content in names.items():
        if new or hasattr(module, name):
            setattr(module, name, content)


def put_in_place(name: str) -> None:
    """Replace the functions that would ask for a device."""
    functions = _runtime(name)
    _replace(torch.xpu, functions, new=True)
    for part in ("memory", "random", "streams"):
        _replace(getattr(torch.xpu, part), functions, new=False)
    _replace(torch.accelerator, _accelerator(name), new=False)
    _replace(torch.accelerator.memory, _accelerator(name), new=False)
    changed: Any = torch
    changed.Stream, changed.Event = streams.Stream, streams.Event
