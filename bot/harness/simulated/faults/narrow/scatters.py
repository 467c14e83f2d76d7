"""Operators that add many elements to one place, in the order of the elements."""

from typing import Any

import torch

from ..call import Call

Outputs = list[Any]
Fresh = list[torch.Tensor | None]


def _index_add(call: Call, outputs: Outputs) -> Fresh:
    dim, index = call.get("dim"), call.get("index")
    total = call.get("self").clone()
    rows, source = total.movedim(dim, 0), call.get("source").movedim(dim, 0)
    for place, target in enumerate(index.reshape(-1).tolist()):
        rows[target] += source[place] * call.get("alpha", 1)
    return [total]


def _scatter_add(call: Call, outputs: Outputs) -> Fresh:
    """One slice along `dim` after the other: in a slice no two elements have the same target."""
    dim, index, total = call.get("dim"), call.get("index"), call.get("self").clone()
    if call.name == "scatter_reduce" and call.get("reduce") != "sum":
        raise ValueError("no sum")
    source = call.get("src").expand_as(index) if call.get("src").dim() == 0 else call.get("src")
    for place in range(index.shape[dim]):
        at = index.narrow(dim, place, 1)
        part = source[tuple(map(slice, index.shape))].narrow(dim, place, 1)
        total.scatter_(dim, at, total.gather(dim, at) + part)
    return [total]


def _embedding_backward(call: Call, outputs: Outputs) -> Fresh:
    indices, total = call.get("indices").reshape(-1).tolist(), torch.zeros_like(outputs[0])
    rows = call.get("grad_output").reshape(len(indices), -1)
    if call.get("scale_grad_by_freq"):
        raise ValueError("scaled")
    for place, target in enumerate(indices):
        if target != call.get("padding_idx"):
            total[target] += rows[place]
    return [total]


def _index_put(call: Call, outputs: Outputs) -> Fresh:
    if not call.get("accumulate"):
        return [None]
    total, indices = call.get("self").clone(), list(call.get("indices"))
    places = torch.arange(total.numel()).view(total.shape)[
        tuple(slice(None) if one is None else one for one in indices)
    ]
    values = call.get("values").expand(places.shape).reshape(-1)
    flat = total.view(-1)
    for value, target in zip(values, places.reshape(-1).tolist(), strict=True):
        flat[target] += value
    return [total]


def _bincount(call: Call, outputs: Outputs) -> Fresh:
    weights = call.get("weights")
    if weights is None:
        return [None]
    total = torch.zeros_like(outputs[0])
    for place, target in enumerate(call.get("self").tolist()):
        total[target] += weights[place]
    return [total]


RECIPES = {
    "index_add": _index_add,
    "scatter_add": _scatter_add,
    "scatter_reduce": _scatter_add,
    "embedding_dense_backward": _embedding_backward,
    "index_put": _index_put,
    "_index_put_impl": _index_put,
    "bincount": _bincount,
}
