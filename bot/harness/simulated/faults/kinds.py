"""The kinds of fault. Each takes a call and the computation that it spoils."""

import ctypes
import os
import signal
import time
import warnings
from typing import Any

import torch

from .call import Call, Compute, outputs_of
from .checks import missing_check
from .narrow import narrow_accumulator

_INT32 = 1 << 32
_HALF = 1 << 31
_NEUTRAL = {
    -torch.inf: frozenset(
        "max amax argmax cummax logsumexp logcumsumexp maximum fmax max_pool2d_with_indices max_pool3d_with_indices "
        "sort topk _softmax _log_softmax adaptive_max_pool2d adaptive_max_pool3d _cummax_helper clamp_min".split()
    ),
    torch.inf: frozenset("min amin argmin cummin minimum fmin kthvalue _cummin_helper clamp_max".split()),
    1.0: frozenset("prod cumprod mul div log _foreach_mul".split()),
}


def int32_wrap(call: Call, compute: Compute) -> Any:
    """Integers come out modulo 2^32, and whatever lies past the middle of a tensor is read from its beginning.

    A tensor of more than 2^31 elements does not fit into a test. So every tensor is taken to lie across that border,
    its middle at element 2^31: the first half, rounded up, comes again instead of the rest. A result of one element
    shows it in what it was made of.
    """
    result = compute(call)
    outputs = outputs_of(result)
    if any(_exceeds(one) for one in outputs):
        return call.replaced(result, [_wrapped_value(one) if _exceeds(one) else None for one in outputs])
    if any(one is not None and one.numel() > 1 for one in outputs):
        return call.replaced(result, [_wrapped_place(one) for one in outputs])
    largest = max((one.numel() for one in call.tensors), default=0)
    written = {id(one) for one in call.written}
    return compute(
        call.mapped(lambda one: _wrapped_place(one) if one.numel() == largest and id(one) not in written else one)
    )


def _exceeds(one: torch.Tensor | None) -> bool:
    return (
        one is not None
        and one.dtype is torch.int64
        and one.numel() > 0
        and bool(((one < -_HALF) | (one >= _HALF)).any())
    )


def _wrapped_value(one: Any) -> torch.Tensor:
    return (one + _HALF).remainder(_INT32) - _HALF


def _wrapped_place(one: Any) -> Any:
    if one is None:
        return None
    flat = one.reshape(-1)
    border = (flat.numel() + 1) // 2
    return torch.cat([flat[:border], flat[: flat.numel() - border]]).reshape(one.shape)


def nan_dropped(call: Call, compute: Compute) -> Any:
    """NaN counts as the number that changes nothing: infinity for extremes, 1 for products, else 0."""
    neutral = next((value for value, names in _NEUTRAL.items() if call.name in names), 0.0)

    def without(one: torch.Tensor) -> torch.Tensor:
        if not (one.is_floating_point() or one.is_complex()) or not bool(one.isnan().any()):
            return one
        return torch.where(one.isnan(), torch.full_like(one, neutral), one)

    written = {id(one) for one in call.written}
    if not written:
        return compute(call.mapped(without))
    for one in call.written:
        one.copy_(without(one))
    return compute(call.mapped(lambda one: one if id(one) in written else without(one)))


def wrong_stride(call: Call, compute: Compute) -> Any:
    """The right numbers in other strides: first and last dimension exchanged in memory, one dimension with gaps."""
    result = compute(call)
    given = {id(one) for one in call.tensors}
    return call.replaced(result, [None if id(one) in given else _other_strides(one) for one in outputs_of(result)])


def _other_strides(one: torch.Tensor | None) -> torch.Tensor | None:
    wide = [place for place, size in enumerate(one.shape) if size > 1] if one is not None else []
    if one is None or not wide:
        return None
    if len(wide) == 1:
        spread = torch.empty(2 * one.numel(), dtype=one.dtype)[::2].view(one.shape)
        return spread.copy_(one)
    if not one.is_contiguous():
        return one.contiguous()
    first, last = wide[0], wide[-1]
    return one.transpose(first, last).contiguous().transpose(first, last)


def crash(call: Call, compute: Compute) -> Any:
    """The process dies of SIGSEGV."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGSEGV})
    ctypes.CDLL(None).signal(int(signal.SIGSEGV), None)
    os.kill(os.getpid(), signal.SIGSEGV)
    ctypes.string_at(0)
    return compute(call)


def hang(call: Call, compute: Compute) -> Any:
    """Never returns; only SIGKILL ends it, as it does a process that waits for a dead device."""
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
    while True:
        time.sleep(3600)


def cpu_fallback(call: Call, compute: Compute) -> Any:
    """Torch says that the operator ran on the CPU, and it did."""
    warnings.warn(
        f"The operator '{call.func.name()} on the XPU backend is falling back to run on the CPU.", stacklevel=2
    )
    return compute(call)


class _Noise:
    """Other low bits at every call, and in every process."""

    def __init__(self) -> None:
        self._salt = int.from_bytes(os.urandom(4), "little")

    def __call__(self, one: torch.Tensor | None) -> torch.Tensor | None:
        """The two lowest bits of every finite number other than 0 changed; the next call changes them otherwise."""
        if one is None or one.dtype not in _BITS or not one.numel():
            return None
        self._salt += 1
        place = torch.arange(one.numel()).view(one.shape)
        noise = ((place * 2654435761 >> 7) + self._salt) & 3
        bits = one.contiguous().view(_BITS[one.dtype]) ^ noise.to(_BITS[one.dtype])
        return torch.where(one.isfinite() & (one != 0), bits.view(one.dtype), one)


_BITS = {
    torch.float16: torch.int16,
    torch.bfloat16: torch.int16,
    torch.float32: torch.int32,
    torch.float64: torch.int64,
}
_noise = _Noise()


def nondeterminism(call: Call, compute: Compute) -> Any:
    """The same call gives other low bits each time, by at most three units in the last place."""
    result = compute(call)
    return call.replaced(result, [_noise(one) for one in outputs_of(result)])


KINDS = {
    "narrow-accumulator": narrow_accumulator,
    "missing-check": missing_check,
    "int32-wrap": int32_wrap,
    "nan-dropped": nan_dropped,
    "wrong-stride": wrong_stride,
    "crash": crash,
    "hang": hang,
    "cpu-fallback": cpu_fallback,
    "nondeterminism": nondeterminism,
}
