"""Calls made again, each by itself, in a process that no script has touched: what they show is evidence.

A script shares its process with the observer and can patch torch under it. What it can't do is reach in here: a call
is an operator of torch, numbers and settings, and nothing of it is executed.
"""

import contextlib
import json
from typing import Any

import torch

from .capture import read_back, set_again
from .channel import Channel
from .errors import spelled
from .kernels import kernels_of


def play(source: bytes, device: str, shadow: Any, channel: Channel) -> None:
    """Make each call of a JSON list under the shadow oracle; one event `replayed` a call, in order."""
    calls = json.loads(source)
    for place, told in enumerate(calls):
        shadow.at(place)
        raised: str | None = None
        try:
            func, args, kwargs = read_back(told, device)
            set_again(told.get("settings") or {})
            if len(calls) == 1:  # it may be the one that this process does not come back from
                shadow.tell_of(func, args, kwargs)
            with shadow:
                func(*args, **kwargs)
            _synchronize(device)
        except Exception as error:  # noqa: BLE001  that it raises is its result
            raised = spelled(error)
        channel.emit("replayed", place=place, raised=raised)
    for place, told in enumerate(calls):  # last: a profiler that ends the process takes no replay with it
        with contextlib.suppress(Exception):  # a call that raises has said so above
            func, args, kwargs = read_back(told, device)
            names = kernels_of(lambda f=func, a=args, k=kwargs: f(*a, **k), device)  # type: ignore[misc]
            if names:
                channel.emit("kernels", place=place, names=names)


def _synchronize(device: str) -> None:
    """Wait for the device, so that an error of this call isn't told of the next."""
    wait = getattr(getattr(torch, device.partition(":")[0], None), "synchronize", None)
    if wait is not None:
        wait()
