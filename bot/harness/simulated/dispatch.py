"""One aten call on the simulated device: computed on the CPU, its results put back on the device, faults in between."""

from functools import cache
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from .. import apart
from . import faults, generators
from .device import XPU, is_xpu
from .nest import leaves, mapped
from .tensor import Tensor, follow, match_bits, wrap

ACROSS = frozenset(
    {
        "_copy_from",
        "_copy_from_and_resize",
        "_ctc_loss",
        "_ctc_loss_backward",
        "_foreach_addcdiv",
        "_foreach_addcdiv_",
        "_foreach_addcmul",
        "_foreach_addcmul_",
        "_foreach_copy",
        "_foreach_copy_",
        "_pack_padded_sequence",
        "_to_copy",
        "copy",
        "copy_",
        "set_",
    }
)
"""Operators that take tensors of two devices."""
ON_HOST = {"_pack_padded_sequence": 1}
"""Operators with an output that stays on the CPU, and its place."""
INDEXING = frozenset({"index", "index_put", "index_put_", "_index_put_impl", "_index_put_impl_", "_unsafe_index"})
"""Take indices from the CPU too."""


class DeviceMode(TorchDispatchMode):
    """Takes the calls that name the device or touch one of its tensors; all others go to the CPU untouched."""

    supports_higher_order_operators = True

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """True would import the compiler before the first call."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """See `simulate`."""
        return simulate(func, args, kwargs or {})


def simulate(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a call as the device gives it. Raises what the CPU raises, and RuntimeError for mixed devices."""
    given = list(leaves((args, kwargs)))
    mine = [leaf for leaf in given if isinstance(leaf, Tensor)]
    wanted = [leaf for leaf in given if isinstance(leaf, torch.device)]
    if not mine and not any(is_xpu(device) for device in wanted):
        return func(*args, **kwargs)
    if not isinstance(func, OpOverload):
        raise NotImplementedError(f"the simulated XPU does not run {func}")
    if _composite(func):
        with DeviceMode():  # in inference mode composite operators arrive here in one piece
            parts = func.decompose(*args, **kwargs)
        if parts is not NotImplemented:
            return parts
    if mine and any(isinstance(leaf, torch.Tensor) and not isinstance(leaf, Tensor) and leaf.dim() for leaf in given):
        _same_device(func, args, kwargs)
    return _computed(func, args, kwargs, there=all(is_xpu(device) for device in wanted))


@cache
def _composite(func: OpOverload) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"))


def _computed(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], *, there: bool) -> Any:
    """Run the call on the numbers; `there`: are its results on the device?"""
    shells: dict[int, Tensor] = {}

    def bare(leaf: Any) -> Any:
        if isinstance(leaf, Tensor):
            match_bits(leaf, leaf.inner)
            shells[id(leaf.inner)] = leaf
            return leaf.inner
        return torch.device("cpu") if is_xpu(leaf) and isinstance(leaf, torch.device) else leaf

    if func is torch.ops.aten._efficientzerotensor.default:  # has no memory, which only C++ above the device knows
        func = torch.ops.aten.zeros.default
    inner_args, inner_kwargs = mapped(bare, (args, kwargs))
    with generators.drawing(func, inner_kwargs):
        found = (faults.run if not _read_out(func, there=there) else _sound)(func, inner_args, inner_kwargs)

    def dressed(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or isinstance(leaf, Tensor):
            return leaf
        if id(leaf) in shells:
            follow(shells[id(leaf)])
            return shells[id(leaf)]
        return wrap(leaf) if there and leaf.device.type == "cpu" and not _given(leaf, args, kwargs) else leaf

    host = ON_HOST.get(func._schema.name.partition("::")[2])
    if host is not None:
        return tuple(one if place == host else dressed(one) for place, one in enumerate(found))
    result = mapped(dressed, found)
    if func._schema.is_mutable:
        for shell in shells.values():
            follow(shell)
    return result


def _sound(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return func(*args, **kwargs)


def _read_out(func: OpOverload, *, there: bool) -> bool:
    """Is it the observer, copying numbers to the CPU? What it compares with must not depend on the fault plan."""
    return apart.WORK.depth and (not there or func._schema.name == "aten::detach")


def _given(tensor: torch.Tensor, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Is it one of the arguments itself?"""
    return any(leaf is tensor for leaf in leaves((args, kwargs)))


def _same_device(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise RuntimeError as torch does when a call takes tensors of the CPU and of the device."""
    name = func._schema.name.partition("::")[2]
    if name in ACROSS:
        return
    for position, argument in enumerate(func._schema.arguments):
        given = args[position] if position < len(args) else kwargs.get(argument.name)
        if name in INDEXING and argument.name == "indices" and isinstance(args[0], Tensor):
            continue
        for leaf in leaves(given):
            if not isinstance(leaf, torch.Tensor) or isinstance(leaf, Tensor) or leaf.dim() == 0:
                continue
            if name in INDEXING and argument.name == "self":
                raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
            if torch.Tag.pointwise in func.tags:
                raise RuntimeError(
                    "Expected all tensors to be on the same device, "
                    f"but found at least two devices, {XPU} and {leaf.device}!"
                )
            raise RuntimeError(
                f"Expected all tensors to be on the same device, but got {argument.name} is on {leaf.device}, "
                f"different from other tensors on {XPU} (when checking argument in method wrapper_XPU_{name})"
            )
