"""A call written down, arguments and all, so that a clean process can make it again: JSON, and no code.

A tensor is its dtype, shape and strides, and the bytes from its first element to past its last, compressed. Anything
that plain numbers don't hold (generators, sparse tensors, script objects) makes a call that can't be written down.
"""

import base64
import ctypes
import zlib
from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverload

from .calls import dtype_name
from .exceptions import REPEATABLE
from .reference import NoReferenceError, dense, tensors_in

LARGEST_BYTES = 256 << 20
"""Of all tensors of a call as they lie in memory."""
LARGEST_PACKED = 8 << 20
"""Characters of one written call: a line of the channel holds it."""


class NotWritableError(Exception):
    """This call can't be written down; the message says why."""


def written_down(func: OpOverload, given: Any, before: Any | None = None) -> dict[str, Any]:
    """The call as JSON: `op`, `overload`, `args`, `kwargs`, `tensors`, `settings`. Raises NotWritableError.

    `before` holds the numbers of `given` before the call wrote to them, in a wider dtype.
    """
    args, kwargs = given
    tensors, numbers = tensors_in(given), tensors_in(given if before is None else before)
    if sum(_extent(tensor) * tensor.itemsize for tensor in tensors) > LARGEST_BYTES:
        raise NotWritableError("its tensors are too large")
    known: dict[int, int] = {}
    packed: list[dict[str, Any]] = []
    for tensor, number in zip(tensors, numbers, strict=True):
        if id(tensor) not in known:
            known[id(tensor)] = len(packed)
            packed.append(_packed(tensor, number))
    if sum(len(one["bytes"]) for one in packed) > LARGEST_PACKED:
        raise NotWritableError("its numbers are too many to be written down")
    return {
        "op": func._schema.name,
        "overload": func._overloadname,
        "args": [_leaf(one, known) for one in args],
        "kwargs": {name: _leaf(one, known) for name, one in kwargs.items()},
        "tensors": packed,
        "settings": settings(),
    }


def read_back(call: dict[str, Any], device: str) -> tuple[OpOverload, tuple[Any, ...], dict[str, Any]]:
    """The operator and its arguments, tensors on the device they were on, `device` where that is its kind.

    Raises NotWritableError for what no `written_down` makes.
    """
    try:
        func = _operator(call["op"], call["overload"])
        tensors = [_unpacked(one, device) for one in call["tensors"]]
        args = tuple(_thing(one, tensors) for one in call["args"])
        kwargs = {str(name): _thing(one, tensors) for name, one in call["kwargs"].items()}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RuntimeError, zlib.error) as error:
        raise NotWritableError(f"no call: {type(error).__name__}") from error
    return func, args, kwargs


def settings() -> dict[str, Any]:
    """What a result may depend on beside the arguments."""
    return {
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "float32_matmul_precision": torch.get_float32_matmul_precision(),
        "threads": torch.get_num_threads(),
    }


def set_again(told: dict[str, Any]) -> None:
    """Put the settings of the call in force, as far as they are what they should be."""
    if told.get("deterministic") is True:
        torch.use_deterministic_algorithms(True, warn_only=True)
    if told.get("float32_matmul_precision") in ("highest", "high", "medium"):
        torch.set_float32_matmul_precision(told["float32_matmul_precision"])
    threads = told.get("threads")
    if isinstance(threads, int) and 0 < threads <= 1024 and threads != torch.get_num_threads():
        torch.set_num_threads(threads)


def _operator(name: str, overload: str) -> OpOverload:
    namespace, _, operator = name.partition("::")
    if namespace not in REPEATABLE:
        raise ValueError(name)
    found = getattr(getattr(getattr(torch.ops, namespace), operator), overload or "default")
    if not isinstance(found, OpOverload):
        raise TypeError(name)
    return found


def _extent(tensor: torch.Tensor) -> int:
    """Elements from the first to past the last as they lie in memory."""
    try:
        shape, strides = dense(tensor).shape, tensor.stride()
    except NoReferenceError as error:
        raise NotWritableError("a tensor is not dense") from error
    if not tensor.numel():
        return 0
    return 1 + int(sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)))


def _packed(tensor: torch.Tensor, number: torch.Tensor) -> dict[str, Any]:
    """One tensor; where `number` is another one, it has the numbers and `tensor` the form."""
    count = _extent(tensor)
    form = {"dtype": dtype_name(tensor.dtype), "device": tensor.device.type}
    shape, strides = list(tensor.shape), list(tensor.stride())
    plain = tensor.detach().resolve_conj().resolve_neg()
    if tuple(plain.stride()) != tuple(strides):
        number, count = plain, _extent(plain)
        strides = list(plain.stride())
    if number is tensor:
        line = plain.as_strided((count,), (1,)).to("cpu").contiguous() if count else plain.cpu()
    else:
        line = torch.zeros((count,), dtype=tensor.dtype, device="cpu")
        if count:
            line.as_strided(shape, strides).copy_(number.detach().to("cpu"))
    size = count * line.itemsize
    raw = ctypes.string_at(line.data_ptr(), size) if size else b""
    packed = base64.b64encode(zlib.compress(raw, 1)).decode("ascii")
    return form | {"shape": shape, "stride": strides, "bytes": packed}


def _unpacked(one: dict[str, Any], device: str) -> torch.Tensor:
    dtype = getattr(torch, one["dtype"])
    if not isinstance(dtype, torch.dtype):
        raise TypeError("dtype")
    packed = zlib.decompressobj()
    raw = bytearray(packed.decompress(base64.b64decode(one["bytes"], validate=True), LARGEST_BYTES + 1))
    if len(raw) > LARGEST_BYTES:
        raise ValueError("too large")
    line = torch.frombuffer(raw, dtype=torch.uint8).view(dtype) if raw else torch.empty((0,), dtype=dtype)
    there = device if one["device"] == torch.device(device).type else "cpu"
    return line.to(there).as_strided(one["shape"], one["stride"])


_WORDS: dict[Any, Callable[[Any], Any]] = {
    float: lambda leaf: {"float": leaf.hex()},
    complex: lambda leaf: {"complex": [leaf.real.hex(), leaf.imag.hex()]},
    torch.device: lambda leaf: {"device": leaf.type},
    **dict.fromkeys(
        (torch.dtype, torch.layout, torch.memory_format), lambda leaf: {"torch": str(leaf).removeprefix("torch.")}
    ),
}


def _leaf(leaf: Any, known: dict[int, int]) -> Any:
    """An argument as JSON: what JSON has no word for is an object with one key."""
    if isinstance(leaf, torch.Tensor):
        return {"tensor": known[id(leaf)]}
    if leaf is None or isinstance(leaf, bool | int | str):
        return leaf
    if isinstance(leaf, list | tuple):
        return [_leaf(one, known) for one in leaf]
    word = _WORDS.get(type(leaf))
    if word is None:
        raise NotWritableError(f"an argument is a {type(leaf).__name__}")
    return word(leaf)


def _thing(told: Any, tensors: list[torch.Tensor]) -> Any:
    if isinstance(told, list):
        return [_thing(one, tensors) for one in told]
    if not isinstance(told, dict):
        return told
    ((kind, content),) = told.items()
    if kind == "tensor":
        return tensors[content]
    return _THINGS[kind](content)


def _of_torch(name: str) -> Any:
    found = getattr(torch, name)
    if not isinstance(found, torch.dtype | torch.layout | torch.memory_format):
        raise TypeError(name)
    return found


_THINGS: dict[str, Callable[[Any], Any]] = {
    "float": float.fromhex,
    "complex": lambda parts: complex(*map(float.fromhex, parts)),
    "device": torch.device,
    "torch": _of_torch,
}
