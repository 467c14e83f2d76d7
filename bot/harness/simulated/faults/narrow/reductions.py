"""Sums, means, norms and what is made of them."""

import math
from typing import Any

import torch

from ..call import Call
from .running import all_dims, running_product, running_sum, steps

Outputs = list[Any]
Fresh = list[torch.Tensor | None]


def _dims(call: Call) -> Any:
    dim = call.get("dim")
    return dim if isinstance(dim, int) else (list(dim) if dim else None)


def _count(source: torch.Tensor, dims: Any) -> int:
    return math.prod(source.shape[place] for place in all_dims(source, dims)) if source.dim() else 1


def _sum(call: Call, outputs: Outputs) -> Fresh:
    terms = call.get("self")
    if call.name == "nansum":
        terms = torch.nan_to_num(terms, nan=0.0)
    return [running_sum(terms, _dims(call), outputs[0].dtype, keep=call.get("keepdim", False))]


def _mean(call: Call, outputs: Outputs) -> Fresh:
    source, dims = call.get("self"), _dims(call)
    total = running_sum(source, dims, outputs[0].dtype, keep=call.get("keepdim", False))
    return [total / _count(source, dims)]


def _prod(call: Call, outputs: Outputs) -> Fresh:
    return [running_product(call.get("self"), _dims(call), outputs[0].dtype, keep=call.get("keepdim", False))]


def _cumulative(call: Call, outputs: Outputs) -> Fresh:
    return [steps(call.get("self"), call.get("dim"), outputs[0].dtype, product=call.name == "cumprod")]


def _norm(call: Call, outputs: Outputs) -> Fresh:
    source, dims, order = call.get("self"), _dims(call), call.get("ord", call.get("p", 2))
    if not isinstance(order, int | float) or order in (0, math.inf, -math.inf):
        return [None]
    terms = source.abs() if order == 1 else source * source if order == 2 else source.abs() ** order
    total = running_sum(terms, dims, outputs[0].dtype, keep=call.get("keepdim", False))
    return [total if order == 1 else total.sqrt() if order == 2 else total ** (1 / order)]


def _softmax(call: Call, outputs: Outputs) -> Fresh:
    source, dim, dtype = call.get("self"), call.get("dim"), outputs[0].dtype
    shifted = source.to(dtype) - source.to(dtype).amax(dim, keepdim=True)
    total = running_sum(shifted.exp(), dim, dtype, keep=True)
    return [shifted - total.log() if call.name == "_log_softmax" else shifted.exp() / total]


def _logsumexp(call: Call, outputs: Outputs) -> Fresh:
    source, dims = call.get("self"), _dims(call)
    top = source.amax(all_dims(source, dims), keepdim=True)
    total = running_sum((source - top).exp(), dims, outputs[0].dtype, keep=True).log() + top
    return [total.reshape(outputs[0].shape)]


def _variance(call: Call, outputs: Outputs) -> Fresh:
    source, dims, dtype = call.get("self"), _dims(call), outputs[0].dtype
    correction = call.get("correction", 1 if call.get("unbiased", True) else 0)
    count = _count(source, dims)
    mean = running_sum(source, dims, dtype, keep=True) / count
    spread = running_sum((source - mean) ** 2, dims, dtype, keep=True) / max(count - correction, 0)
    spread = spread.sqrt() if call.name.startswith("std") else spread
    return [one.reshape(outputs[0].shape) for one in (spread, mean)[: len(outputs)]]


def _trace(call: Call, outputs: Outputs) -> Fresh:
    return [running_sum(call.get("self").diagonal(), None, outputs[0].dtype)]


def _layer_norm(call: Call, outputs: Outputs) -> Fresh:
    source, dtype = call.get("input"), outputs[0].dtype
    dims = list(range(source.dim() - len(call.get("normalized_shape")), source.dim()))
    return [_normalised(source, dims, call.get("eps"), dtype, call.get("weight"), call.get("bias"))]


def _group_norm(call: Call, outputs: Outputs) -> Fresh:
    source, dtype = call.get("input"), outputs[0].dtype
    grouped = source.reshape(source.shape[0], call.get("group"), -1)
    made = _normalised(grouped, [2], call.get("eps"), dtype, None, None).reshape(source.shape)
    return [_scaled(made, call, dtype)]


def _batch_norm(call: Call, outputs: Outputs) -> Fresh:
    source, dtype = call.get("input"), outputs[0].dtype
    if not call.get("training", False):
        return [None]
    dims = [place for place in range(source.dim()) if place != 1]
    return [_scaled(_normalised(source, dims, call.get("eps"), dtype, None, None), call, dtype)]


def _scaled(source: torch.Tensor, call: Call, dtype: torch.dtype) -> torch.Tensor:
    shape = [1, -1, *[1] * (source.dim() - 2)]
    weight, bias = call.get("weight"), call.get("bias")
    source = source * weight.reshape(shape).to(dtype) if weight is not None else source
    return source + bias.reshape(shape).to(dtype) if bias is not None else source


def _normalised(
    source: torch.Tensor, dims: list[int], eps: float, dtype: torch.dtype, weight: Any, bias: Any
) -> torch.Tensor:
    count = _count(source, dims)
    mean = running_sum(source, dims, dtype, keep=True) / count
    spread = running_sum((source.to(dtype) - mean) ** 2, dims, dtype, keep=True) / count
    made = (source.to(dtype) - mean) / (spread + eps).sqrt()
    made = made * weight.to(dtype) if weight is not None else made
    return made + bias.to(dtype) if bias is not None else made


RECIPES = {
    "sum": _sum,
    "nansum": _sum,
    "mean": _mean,
    "prod": _prod,
    "cumsum": _cumulative,
    "cumprod": _cumulative,
    "linalg_vector_norm": _norm,
    "norm": _norm,
    "_softmax": _softmax,
    "_log_softmax": _softmax,
    "logsumexp": _logsumexp,
    "var": _variance,
    "std": _variance,
    "var_mean": _variance,
    "std_mean": _variance,
    "trace": _trace,
    "native_layer_norm": _layer_norm,
    "native_group_norm": _group_norm,
    "native_batch_norm": _batch_norm,
}
