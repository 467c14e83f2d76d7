"""One variant of a call under the shadow oracle, and what it shows."""

import time
from typing import Any, NamedTuple

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_map

from ..reference import tensors_in
from ..shadow import Shadow


class Variant(NamedTuple):
    """A call whose tensors lie on the CPU; they go to the device when it is made."""

    func: OpOverload
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def tensors(self) -> list[torch.Tensor]:
        """Its tensors, in order; one that is given twice is there twice."""
        return tensors_in((self.args, self.kwargs))

    def with_tensors(self, change: Any) -> "Variant":
        """The same call with `change(position, tensor)` for each tensor; one given twice is changed once."""
        known: dict[int, torch.Tensor] = {}

        def one(leaf: Any) -> Any:
            if not isinstance(leaf, torch.Tensor):
                return leaf
            if id(leaf) not in known:
                known[id(leaf)] = change(len(known), leaf)
            return known[id(leaf)]

        args, kwargs = tree_map(one, (self.args, self.kwargs))
        return Variant(self.func, args, kwargs)


class Shown(NamedTuple):
    """What a variant showed."""

    shows: str
    """`wrong`, `right`, or `absent` where the device or the reference has no such call."""
    fields: dict[str, Any] = {}  # noqa: RUF012  a tuple's default is never changed
    why: str = ""


class _Kept:
    """Stands where the channel is, and keeps the divergences."""

    def __init__(self) -> None:
        self.divergences: list[dict[str, Any]] = []

    def emit(self, event: str, **fields: Any) -> None:
        """Keep a divergence."""
        if event == "divergence":
            self.divergences.append(fields["divergence"])


class Probe:
    """Makes variants, within a budget of seconds."""

    def __init__(self, job: dict[str, Any], seconds: float) -> None:
        self._job = job | {"crumb": None, "write_down": None, "check_seconds": seconds}
        self._until = time.monotonic() + seconds
        self.made = 0

    @property
    def spent(self) -> bool:
        """Is the budget used up?"""
        return time.monotonic() > self._until

    def shows(self, variant: Variant, kind: str | None = None, output: int | None = None) -> Shown:
        """Make it. Wrong means: its own operator diverges, in this kind and output where they are given."""
        kept, device = _Kept(), self._job["device"]
        shadow = Shadow(self._job, kept)
        shadow.at(0)
        self.made += 1
        there = variant.with_tensors(lambda _, tensor: tensor.clone().to(device))
        try:
            with shadow:
                variant.func(*there.args, **there.kwargs)
        except Exception as error:  # noqa: BLE001  an unfit variant raises
            raised = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            if not kept.divergences:
                return Shown("absent", why=raised)
        name = variant.func._schema.name.removeprefix("aten::")
        for one in kept.divergences:
            if one["op"] == name and kind in (None, one["kind"]) and output in (None, one["output"]):
                return Shown("wrong", one)
        checked = shadow.account()["checked"]
        return Shown("right") if checked else Shown("absent", why=", ".join(shadow.account()["unchecked"]))
