"""The form of a result: its dtype, its strides, the device it lies on.

The form is what torch computes without numbers, on its `meta` device, and the CPU's kernel must bear it out: where
those two differ nobody has promised anything.
"""

from typing import Any

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_flatten, tree_map

from .apart import PRISTINE
from .reference import call, dense, results, tensors_in

LAYOUT_OF_A_LIBRARY = (
    "convolution", "_convolution", "conv_", "cudnn_", "mkldnn_", "miopen_", "slow_conv", "_slow_conv", "thnn_",
    "_fft_", "fft_", "linalg_", "_linalg_", "lu_", "triangular_solve", "cholesky", "ormqr", "geqrf",
    "_thnn_", "lstm", "gru", "_cudnn", "_scaled_dot_product", "_flash", "_efficient", "_fused", "nonzero",
    "max_unpool", "_addmm_activation",
)  # fmt: skip
"""Begins the names of operators whose result lies as the library that computes it likes."""


class Forms:
    """Looks once at each form of a call; calls that differ in numbers alone have one."""

    def __init__(self, device: str) -> None:
        self._device = device.partition(":")[0]
        self._seen: set[Any] = set()

    def off(
        self, func: OpOverload, given: Any, narrow: Any, found: list[torch.Tensor | None]
    ) -> list[tuple[int, dict[str, Any]]]:
        """Outputs that have another form than they should, with the fields of the divergence.

        `narrow` gives the arguments on the CPU, in their own dtypes, when it is called.
        """
        if self._device == "cpu" or torch.Tag.inplace_view in func.tags:
            return []  # a view in place changes the form of what it was given
        key = (func, *_key(given))
        if key in self._seen:
            return []
        self._seen.add(key)
        want = _meta(func, given)
        if want is None or len(want) != len(found):
            return []
        asked = any(isinstance(leaf, torch.device) for leaf in tree_flatten(given)[0])
        odd = [
            (place, got, one)
            for place, (got, one) in enumerate(zip(found, want, strict=True))
            if got is not None
            and one is not None
            and self._differ(func, got, one) not in (None, "device" if asked else "")
        ]
        return list(self._borne_out(func, odd, narrow)) if odd else []

    def _differ(self, func: OpOverload, got: torch.Tensor, want: torch.Tensor) -> str | None:
        """The kind of the first difference."""
        if got.dtype != want.dtype:
            return "dtype"
        if got.device.type not in (self._device, "meta") and want.device.type == "meta":
            return "device"
        own = not func._schema.name.partition("::")[2].startswith(LAYOUT_OF_A_LIBRARY)
        return "stride" if own and _strides(got) != _strides(want) else None

    def _borne_out(self, func: OpOverload, odd: list[Any], narrow: Any) -> Any:
        args, kwargs = narrow()
        there = call(func, args, kwargs)
        for place, got, want in odd:
            cpu = there[place]
            if cpu is None or cpu.dtype != want.dtype or _strides(cpu) != _strides(want):
                continue
            kind = self._differ(func, got, want)
            words = {
                "dtype": (str(got.dtype).removeprefix("torch."), str(want.dtype).removeprefix("torch.")),
                "device": (got.device.type, self._device),
                "stride": (str(list(got.stride())), str(list(want.stride()))),
            }[str(kind)]
            numbers = {"observed": list(got.stride())[:16], "expected": list(want.stride())[:16]}
            yield (
                place,
                {
                    "kind": kind,
                    "output": place,
                    "shape": list(got.shape),
                    "raised": f"{kind} {words[0]} for {words[1]}",
                    **(numbers if kind == "stride" else {}),
                },
            )


def _strides(tensor: torch.Tensor) -> list[int] | None:
    """The strides that matter: those of dimensions with more than one element, None where there is no element."""
    if tensor.numel() == 0 or tensor.layout is not torch.strided:
        return None
    return [stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if size > 1]


def _key(given: Any) -> tuple[Any, ...]:
    shapes = tuple((tuple(one.shape), dense(one).stride(), one.dtype) for one in tensors_in(given))
    return shapes, repr(tree_map(lambda leaf: None if isinstance(leaf, torch.Tensor) else leaf, given))[:500]


def _meta(func: OpOverload, given: Any) -> list[torch.Tensor | None] | None:
    """The results without numbers, or None where torch doesn't know them."""
    copies: dict[int, torch.Tensor] = {}

    def one(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            if id(leaf) not in copies:
                copies[id(leaf)] = PRISTINE.empty_strided(
                    tuple(leaf.shape), leaf.stride(), dtype=leaf.dtype, device="meta"
                )
            return copies[id(leaf)]
        return torch.device("meta") if isinstance(leaf, torch.device) else leaf

    args, kwargs = tree_map(one, given)
    try:
        return results(func, args, kwargs, func(*args, **kwargs))
    except (RuntimeError, NotImplementedError, ValueError, TypeError, IndexError, AssertionError):
        return None
