"""The observer's own work, done so that the script can't tell: no random number drawn, no warning shown, no mode seen.

A script may have made warnings errors, set a default device or watch every torch function with a mode of its own, and
its random numbers must be the ones it would have drawn alone.
"""

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeVar

import torch

Answer = TypeVar("Answer")

PRISTINE = SimpleNamespace(**vars(torch))
"""torch's functions as they were before the script, which may replace them."""

WORK = SimpleNamespace(depth=0)
"""How deep in its own work the observer is; the simulated device then reads its numbers out without faults."""

_GENERATOR = torch.default_generator
_ROOM = torch.zeros(1, dtype=torch.float64, device="cpu")
_SILENCE: Any = ("ignore", None, Warning, None, 0)


def apart(work: Callable[[], Answer]) -> Answer:
    """What `work` answers or raises.

    C++ warnings are collected by the innermost binding on the stack and shown when it returns: inside the script's
    own call they would come out as the script's. `Tensor.apply_` is such a binding and calls back, so `work` runs
    inside it. The filter goes straight into the list: `catch_warnings` would make warnings that were shown once
    be shown again.
    """
    WORK.depth += 1
    kept = _GENERATOR.get_state()
    answers: list[Answer] = []

    def once(_: float) -> float:
        answers.append(work())
        return 0.0

    filters: Any = warnings.filters
    filters.insert(0, _SILENCE)
    try:
        with torch._C.DisableTorchFunction():
            torch._C.TensorBase.apply_(_ROOM, once)
    finally:
        filters.remove(_SILENCE)
        _GENERATOR.set_state(kept)
        WORK.depth -= 1
    return answers[0]
