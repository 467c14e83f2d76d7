"""Products of matrices and convolutions."""

import itertools
from typing import Any

import torch
from torch.nn import functional

from ..call import Call
from .running import multiplied, running_sum

Outputs = list[Any]
Fresh = list[torch.Tensor | None]


def _dot(call: Call, outputs: Outputs) -> Fresh:
    left, right = call.get("self"), call.get("other", call.get("tensor"))
    left = left.conj() if call.name == "vdot" else left
    return [running_sum(left * right, None, outputs[0].dtype)]


def _mv(call: Call, outputs: Outputs) -> Fresh:
    return [running_sum(call.get("self") * call.get("vec"), 1, outputs[0].dtype)]


def _mm(call: Call, outputs: Outputs) -> Fresh:
    return [multiplied(call.get("self"), call.get("mat2"), outputs[0].dtype)]


def _added(call: Call, outputs: Outputs) -> Fresh:
    dtype, alpha, beta = outputs[0].dtype, call.get("alpha", 1), call.get("beta", 1)
    if call.name == "addmv":
        product = running_sum(call.get("mat") * call.get("vec"), 1, dtype)
    elif call.name == "addbmm":
        product = running_sum(multiplied(call.get("batch1"), call.get("batch2"), dtype), 0, dtype)
    elif call.name == "baddbmm":
        product = multiplied(call.get("batch1"), call.get("batch2"), dtype)
    else:
        product = multiplied(call.get("mat1"), call.get("mat2"), dtype)
    return [product * alpha + call.get("self") * beta if beta else product * alpha]


def _convolution(call: Call, outputs: Outputs) -> Fresh:
    """Term by term over the channels of a group and the places of the kernel; a transposed one has no recipe."""
    source, weight, bias = call.get("input"), call.get("weight"), call.get("bias")
    if call.get("transposed"):
        raise ValueError("transposed")
    groups, dtype, space = call.get("groups"), outputs[0].dtype, weight.dim() - 2
    padding, stride, dilation = (_each(call.get(name), space) for name in ("padding", "stride", "dilation"))
    source = functional.pad(source, [one for size in reversed(padding) for one in (size, size)])
    filters = weight.reshape(groups, -1, *weight.shape[1:])
    total = torch.zeros(source.shape[0], groups, filters.shape[1], *outputs[0].shape[2:], dtype=dtype)
    grouped = source.reshape(source.shape[0], groups, -1, *source.shape[2:])
    for channel in range(weight.shape[1]):
        for tap in itertools.product(*map(range, weight.shape[2:])):
            seen = [
                slice(at * gap, at * gap + step * (size - 1) + 1, step)
                for at, gap, step, size in zip(tap, dilation, stride, outputs[0].shape[2:], strict=True)
            ]
            factor = filters[(slice(None), slice(None), channel, *tap)]
            term = grouped[(slice(None), slice(None), channel, *seen)].unsqueeze(2)
            total = total + term * factor.reshape(1, groups, -1, *[1] * space)
    total = total.reshape(outputs[0].shape)
    return [total + bias.reshape(1, -1, *[1] * space) if bias is not None else total]


def _each(given: list[int], count: int) -> list[int]:
    return list(given) if len(given) == count else list(given) * count


RECIPES = {
    "dot": _dot,
    "vdot": _dot,
    "mv": _mv,
    "mm": _mm,
    "bmm": _mm,
    "addmm": _added,
    "_addmm_activation": _added,
    "addmv": _added,
    "addbmm": _added,
    "baddbmm": _added,
    "convolution": _convolution,
}
