"""One call that may go wrong, and how its results are replaced."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch._ops import OpOverload
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

Tensors = Sequence[torch.Tensor | None]


class Call(NamedTuple):
    """A call on the device's numbers: plain CPU tensors."""

    func: OpOverload
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def name(self) -> str:
        """Without namespace; `add` also for `add_`."""
        name = str(self.func._schema.name).partition("::")[2]
        return name if name.startswith("__") else name.rstrip("_")

    @property
    def tensors(self) -> list[torch.Tensor]:
        """Those among the arguments."""
        return [leaf for leaf in tree_flatten((self.args, self.kwargs))[0] if isinstance(leaf, torch.Tensor)]

    def get(self, name: str, default: Any = None) -> Any:
        """An argument by its name, as given or by the schema."""
        for position, argument in enumerate(self.func._schema.arguments):
            if argument.name == name:
                fallback = argument.default_value if argument.has_default_value() else default
                given = self.args[position] if position < len(self.args) else self.kwargs.get(name, fallback)
                return default if given is None else given
        return default

    @property
    def dtype(self) -> torch.dtype | None:
        """What the call is booked under: the first floating tensor's, else the first one's, else what is made."""
        tensors = self.tensors
        chief = next((one for one in tensors if one.is_floating_point()), tensors[0] if tensors else None)
        return chief.dtype if chief is not None else self.kwargs.get("dtype") or torch.get_default_dtype()

    def is_of(self, dtypes: list[str] | None) -> bool:
        """Is it of one of these dtypes?"""
        return dtypes is None or str(self.dtype).removeprefix("torch.") in dtypes

    def has(self, wanted: dict[str, Any]) -> bool:
        """Have these arguments these values?"""
        return all(_plain(self.get(name)) == _plain(value) for name, value in wanted.items())

    @property
    def written(self) -> list[torch.Tensor]:
        """The arguments that the call writes to."""
        found: list[torch.Tensor] = []
        for position, argument in enumerate(self.func._schema.arguments):
            if argument.is_write:
                given = self.args[position] if position < len(self.args) else self.kwargs.get(argument.name)
                found += [leaf for leaf in tree_flatten(given)[0] if isinstance(leaf, torch.Tensor)]
        return found

    def mapped(self, change: Callable[[torch.Tensor], torch.Tensor]) -> "Call":
        """The same call with other tensors."""
        args, kwargs = tree_map(
            lambda leaf: change(leaf) if isinstance(leaf, torch.Tensor) else leaf, (self.args, self.kwargs)
        )
        return Call(self.func, args, kwargs)

    def remembered(self) -> "Call":
        """The call as it is before what it writes to changes."""
        written = {id(one) for one in self.written}
        return self.mapped(lambda one: one.clone() if id(one) in written else one) if written else self

    def replaced(self, result: Any, fresh: Tensors) -> Any:
        """`result` with its tensors replaced by the fresh ones in order, or written to; None leaves one as it is."""
        leaves, form = tree_flatten(result)
        written = {id(one) for one in self.written}
        for place, (old, new) in enumerate(zip(tuple(leaves), fresh, strict=False)):
            if new is None or not isinstance(old, torch.Tensor) or (old.shape != new.shape and id(old) not in written):
                continue
            if id(old) in written:
                old.copy_(new)
            else:
                leaves[place] = new.to(old.dtype)
        return tree_unflatten(leaves, form)


Compute = Callable[[Call], Any]


def outputs_of(result: Any) -> list[torch.Tensor | None]:
    """The outputs of a result, in order; None for one that was not asked for."""
    return [leaf if isinstance(leaf, torch.Tensor) else None for leaf in tree_flatten(result)[0]]


def _plain(value: Any) -> Any:
    """Comparable with what JSON gives."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, torch.dtype | torch.layout | torch.memory_format | torch.device):
        return str(value).removeprefix("torch.")
    return str(value) if isinstance(value, torch.Tensor) else value
