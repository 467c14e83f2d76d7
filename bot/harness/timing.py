"""Times operators: each call between two looks at an idle device, warmed up, the extremes left out.

A benchmark's script is the text of this file and a line that calls `main`: it runs in the sandbox like any script and
imports nothing of alignbot. It does so without the shadow oracle, which would be most of what is timed. It prints one
JSON object a line: what the case is called, the device, and its times or why there are none.
"""

import json
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

TRIMMED = 10
"""One in so many of the fastest calls is left out, and of the slowest; of fewer calls none is."""
LEAST = 3
"""Calls that are timed whatever they cost: of fewer there is no spread."""
RAISED = (RuntimeError, AttributeError)
"""What a device says that has no such operator, or not for this dtype; a lack of memory is among them."""


def synchronizer(device: str) -> Callable[[], None]:
    """What waits until the device is idle; work on a CPU is over when it returns."""
    kind = device.partition(":")[0]
    if kind == "cpu":
        return lambda: None
    module = getattr(torch, kind)
    return module.synchronize if kind == "mps" else lambda: module.synchronize(device)


def sampled(
    work: Callable[[], object],
    synchronize: Callable[[], None],
    *,
    seconds: float,
    most: int,
    warmup: int,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Seconds of each of `most` calls, in order; fewer once the budget of `seconds` is spent, never below LEAST.

    The warm-up counts against the budget, at most half of it.
    """
    began = clock()
    for _ in range(warmup):
        work()
        synchronize()
        if clock() - began > seconds / 2:
            break
    times: list[float] = []
    while len(times) < most:
        synchronize()
        start = clock()
        work()
        synchronize()
        end = clock()
        times.append(end - start)
        if end - began > seconds and len(times) >= LEAST:
            break
    return times


def summary(times: Sequence[float]) -> dict[str, float | int]:
    """Of at least one time in seconds: trimmed mean, median, spread (slowest less fastest of those kept) in ms."""
    ordered = sorted(times)
    tenth = len(ordered) // TRIMMED
    kept = ordered[tenth : len(ordered) - tenth]
    return {
        "ms": statistics.fmean(kept) * 1000,
        "median_ms": statistics.median(ordered) * 1000,
        "spread_ms": (kept[-1] - kept[0]) * 1000,
        "count": len(ordered),
    }


def resolved(call: str) -> Callable[..., Any]:
    """`grid_sampler_2d`, `add.Tensor`, `torchvision::nms` (operators) or `torch.nn.functional.grid_sample`.

    Raises AttributeError where this torch has none of that name.
    """
    if call.startswith("torch."):
        found: Any = torch
        names = call.split(".")[1:]
    else:
        namespace, _, name = call.rpartition("::")
        found, names = getattr(torch.ops, namespace or "aten"), name.split(".")
    for name in names:
        found = getattr(found, name)
    return found  # type: ignore[no-any-return]


def laid_out(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    """The same values: `contiguous`, `channels_last` (of 4 or 5 dimensions) or `strided` (every second element)."""
    if layout == "channels_last":
        form = torch.channels_last if tensor.dim() == 4 else torch.channels_last_3d
        return tensor.contiguous(memory_format=form)
    if layout == "strided":
        return torch.stack((tensor, tensor), dim=-1)[..., 0]
    return tensor.contiguous()


def argument(told: Any, case: dict[str, Any], device: str, draw: torch.Generator) -> Any:
    """A tensor where one is described, else what is told."""
    if not isinstance(told, dict):
        return told
    shape, fill = told["tensor"], told["fill"]
    if fill == "integers":
        return torch.randint(0, told["below"], shape, generator=draw).to(device)
    drawn = {"generator": draw} if fill in {"randn", "rand"} else {}
    made = getattr(torch, fill)(shape, **drawn)
    made = laid_out(made.to(device, getattr(torch, case["dtype"])), case["layout"] if told["layout"] else "contiguous")
    return made.requires_grad_() if told["grad"] and case["way"] == "backward" else made


def prepared(case: dict[str, Any], device: str) -> Callable[[], object]:
    """The call of a case with its inputs on the device; `backward` is the gradient of its first result."""
    draw = torch.Generator().manual_seed(0)
    call = resolved(case["call"])
    given = [argument(told, case, device, draw) for told in case["arguments"]]
    named = {name: argument(told, case, device, draw) for name, told in case["keywords"].items()}
    if case["way"] == "forward":
        return lambda: call(*given, **named)
    sources = [one for one in (*given, *named.values()) if isinstance(one, torch.Tensor) and one.requires_grad]
    returned = call(*given, **named)
    result = returned if isinstance(returned, torch.Tensor) else returned[0]
    gradient = torch.randn_like(result)
    return lambda: torch.autograd.grad(result, sources, gradient, retain_graph=True)


def timed(case: dict[str, Any], device: str, order: dict[str, Any]) -> dict[str, Any]:
    """What is printed of a case: its times on the device, or why there are none."""
    told = {name: case[name] for name in ("call", "dtype", "mode", "layout", "shape", "way")} | {"device": device}
    try:
        work = prepared(case, device)
        times = sampled(
            work, synchronizer(device), seconds=order["seconds"], most=order["most"], warmup=order["warmup"]
        )
    except RAISED as error:
        why = str(error).strip().partition("\n")[0]
        return told | {"absent": f"{type(error).__name__}: {why}"[:300]}
    return told | summary(times)


def main(order: dict[str, Any]) -> int:
    """Time each case on each device in turn, so that what slows the machine down slows both; print rows as JSON."""
    for case in order["cases"]:
        for device in order["devices"]:
            print(json.dumps(timed(case, device, order)), flush=True)  # noqa: T201
    return 0
