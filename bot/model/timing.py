"""What a benchmark asks, how long it took, and what that is compared with."""

from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from bot.model.base import Value
from bot.model.names import DtypeName

Way = Literal["forward", "backward"]
Layout = Literal["contiguous", "channels_last", "strided"]
MODE = "$mode"
"""Stands for the mode's value among the arguments."""


class Asked(Value):
    """What a person writes: a key that nobody knows is a slip of the pen."""

    model_config = ConfigDict(extra="forbid")


class TensorAsked(Asked):
    """A tensor among the arguments: its shape in names of sizes or numbers."""

    tensor: tuple[str | int, ...] = Field(max_length=8)
    fill: Literal["randn", "rand", "ones", "zeros", "integers"] = "randn"
    below: int = Field(default=1, ge=1)
    """Of integers, which are int64 whatever the dtype: drawn from 0 to this, exclusive."""
    layout: bool = False
    """Does it take the case's layout?"""
    grad: bool = False
    """Is its gradient asked for on the way back?"""


Argument = TensorAsked | bool | int | float | str | list[Any] | None


class Operation(Asked):
    """One operator, timed over dtype x mode x layout x shape x way."""

    call: str = Field(pattern=r"^[A-Za-z_][\w.:]{0,199}$")
    """`grid_sampler_2d_backward`, `torchvision::nms` or `torch.nn.functional.grid_sample`."""
    sizes: tuple[str, ...] = Field(min_length=1, max_length=16)
    """What the numbers of a shape are called."""
    shapes: tuple[tuple[int, ...], ...] = Field(min_length=1)
    dtypes: tuple[DtypeName, ...] = Field(min_length=1)
    layouts: tuple[Layout, ...] = Field(default=("contiguous",), min_length=1)
    modes: dict[str, bool | int | float | str] = Field(default_factory=dict)
    ways: tuple[Way, ...] = Field(default=("forward",), min_length=1)
    arguments: tuple[Argument, ...] = ()
    keywords: dict[str, Argument] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sizes_fit(self) -> Self:
        """Every shape has a number for each size, every tensor is made of known sizes, and a gradient has a source."""
        if any(len(shape) != len(self.sizes) or min(shape) < 1 for shape in self.shapes):
            raise ValueError(f"each of the shapes needs {len(self.sizes)} numbers from 1: {', '.join(self.sizes)}")
        tensors = [one for one in (*self.arguments, *self.keywords.values()) if isinstance(one, TensorAsked)]
        for name in (name for one in tensors for name in one.tensor if isinstance(name, str)):
            if name not in self.sizes:
                raise ValueError(f"{name} is none of the sizes {', '.join(self.sizes)}")
        if "backward" in self.ways and not any(one.grad for one in tensors):
            raise ValueError("the way back needs a tensor with grad = true")
        return self


class Benchmark(Asked):
    """A file of operations."""

    operation: tuple[Operation, ...] = Field(min_length=1)


class Timed(Value):
    """Times of one case on one device, in milliseconds, or why there are none."""

    call: str
    dtype: str
    mode: str
    layout: str
    shape: tuple[int, ...]
    way: str
    device: str
    ms: float | None = Field(default=None, gt=0)
    """Mean of the calls without the fastest and the slowest tenth; of several processes the median."""
    median_ms: float | None = None
    spread_ms: float | None = Field(default=None, ge=0)
    """Between the fastest and the slowest of the calls kept, or between the processes where that is more."""
    count: int = 0
    absent: str | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """What must be equal for two rows to be of the same case."""
        return (self.call, self.dtype, self.mode, self.layout, str(self.shape), self.way)


class Baseline(Value):
    """A stored run."""

    device: str
    """The device's own name."""
    torch: str
    rows: tuple[Timed, ...]


class Pace(StrEnum):
    """How a case compares with its reference."""

    OK = "yes"
    """It is not slower by more than the factor."""
    SLOWER = "no"
    UNCLEAR = "unclear"
    """It is slower by more than the factor, but by no more than the spread of either."""
    UNKNOWN = "absent"
    """There are no times of it here, or none to compare with."""


class Compared(Value):
    """A case beside its reference."""

    here: Timed
    there: Timed | None
    ratio: float | None
    """How many times as long as there."""
    fast_enough: Pace
