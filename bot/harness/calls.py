"""How a call is written down: names without namespace, tensors as dtype, shape and device."""

from types import FrameType
from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_map


def op_name(func: OpOverload) -> str:
    """`grid_sampler_2d_backward`; operators outside aten keep their namespace."""
    return str(func._schema.name).removeprefix("aten::")


def dtype_name(dtype: torch.dtype) -> str:
    """`bfloat16`."""
    return str(dtype).removeprefix("torch.")


KERNEL_ARGUMENTS = frozenset({"interpolation_mode", "mode", "reduce", "reduction"})
"""Arguments that choose between kernels of one operator."""


def sibling(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """`interpolation_mode=2`: which of an operator's kernels a call asks for; empty where there is one."""
    chosen = []
    for position, argument in enumerate(func._schema.arguments):
        if argument.name in KERNEL_ARGUMENTS:
            given = args[position] if position < len(args) else kwargs.get(argument.name, argument.default_value)
            if isinstance(given, int | str):
                chosen.append(f"{argument.name}={given}")
    return ",".join(chosen)


class _Word(str):
    """Text that prints without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def spelled(func: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """`aten.add.Tensor(bfloat16[2, 3] cpu, 1, alpha=2)`, at most 500 characters."""

    def one(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            return _Word(f"{dtype_name(leaf.dtype)}{list(leaf.shape)} {leaf.device}")
        return leaf

    shown = [repr(tree_map(one, argument)) for argument in args]
    shown += [f"{name}={tree_map(one, argument)!r}" for name, argument in kwargs.items()]
    text = f"{func}({', '.join(shown)})"
    return text if len(text) <= 500 else text[:499] + "…"


def script_line(frame: FrameType | None, name: str) -> int | None:
    """The innermost line of the script on the stack, or None (backward passes have no such frame on some devices)."""
    while frame is not None:
        if frame.f_code.co_filename == name:
            return frame.f_lineno
        frame = frame.f_back
    return None
