"""How much memory the device's tensors hold: the storages that are still alive, counted when somebody asks."""

from types import SimpleNamespace
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

TOTAL_BYTES = 16 << 30
_alive: dict[int, tuple[StorageWeakRef, int]] = {}
_seen = SimpleNamespace(peak=0, purge_at=4096)


def note(tensor: torch.Tensor) -> None:
    """A tensor came to the device."""
    storage = tensor.untyped_storage()
    kept = _alive.get(storage._cdata)
    if kept is None or kept[1] != storage.nbytes():
        if len(_alive) >= _seen.purge_at:
            allocated()
            _seen.purge_at = 2 * len(_alive) + 4096
        _alive[storage._cdata] = (StorageWeakRef(storage), storage.nbytes())


def allocated(device: Any = None) -> int:
    """Bytes held now."""
    for key in [key for key, (reference, _) in _alive.items() if reference.expired()]:
        del _alive[key]
    held = sum(size for _, size in _alive.values())
    _seen.peak = max(_seen.peak, held)
    return held


def peak(device: Any = None) -> int:
    """The most bytes at any time that somebody looked."""
    allocated()
    return int(_seen.peak)


def reset_peak(device: Any = None) -> None:
    """Begin to look anew."""
    _seen.peak = 0
    allocated()


def stats(device: Any = None) -> dict[str, Any]:
    """As `torch.xpu.memory_stats`, its chief numbers."""
    names = ("allocated_bytes", "reserved_bytes", "active_bytes")
    return {
        f"{name}.all.{when}": number for name in names for when, number in (("current", allocated()), ("peak", peak()))
    }


def free_and_total(device: Any = None) -> tuple[int, int]:
    """As `torch.xpu.mem_get_info`, in bytes."""
    return TOTAL_BYTES - allocated(), TOTAL_BYTES
