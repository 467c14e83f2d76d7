"""torch.save and torch.load of device tensors: the file says xpu:0, as one of a real device does."""

from typing import Any

import torch

from .tensor import Tensor, wrap

PLACE = "xpu:0"
_MARK = "_simulated_place"


def reduced(tensor: Tensor) -> Any:
    """What pickle keeps: torch's own form of a tensor, its storage marked with its place."""
    inner = tensor.inner.detach()
    storage = torch.storage.TypedStorage(wrap_storage=inner.untyped_storage(), dtype=inner.dtype, _internal=True)
    setattr(storage._untyped_storage, _MARK, PLACE)
    if getattr(tensor, "_is_param", False):
        plain = wrap(inner)
        return torch._utils._rebuild_parameter, (plain, tensor.requires_grad, {})
    return torch._utils._rebuild_tensor_v2, (
        storage,
        inner.storage_offset(),
        tuple(inner.size()),
        inner.stride(),
        tensor.requires_grad,
        {},
    )


def put_in_place() -> None:
    """Make torch write and read the place of a storage."""
    torch.serialization.register_package(1, _place_of, _restored)
    native = torch._utils._rebuild_tensor

    def rebuilt(storage: Any, storage_offset: int, size: Any, stride: Any) -> torch.Tensor:
        made = native(storage, storage_offset, size, stride)
        marked = getattr(storage._untyped_storage, _MARK, None)
        return wrap(made) if marked else made

    changed: Any = torch._utils
    changed._rebuild_tensor = rebuilt


def _place_of(storage: Any) -> str | None:
    return getattr(storage, _MARK, None)


def _restored(storage: Any, location: str) -> Any:
    if not location.startswith("xpu"):
        return None
    setattr(storage, _MARK, PLACE)
    return storage
