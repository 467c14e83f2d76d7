"""`--simulate [FAULTS.json]`: a device that is simulated, and the plan of its faults."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from bot.model import FaultPlan

OPTION = "--simulate"
Simulate = Annotated[
    str | None,
    typer.Option(
        OPTION,
        metavar="[FAULTS.json]",
        help="Simulate the device on the CPU, with the faults of a plan. What follows is the plan if it ends in .json.",
    ),
]
DTYPES = frozenset(
    [
        "bfloat16",
        "bool",
        "complex32",
        "complex64",
        "complex128",
        "float16",
        "float32",
        "float64",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e5m2",
        "float8_e5m2fnuz",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    ]
)
LARGEST_WHY = 200


class Simulating(TyperCommand):
    """A command with an option whose value may be left out, which typer itself has not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """`--simulate F.py` is the option alone, and a file."""
        return super().parse_args(ctx, spread(args))


def spread(arguments: list[str]) -> list[str]:
    """The arguments with the option's value, perhaps empty, always joined to it; behind `--` nothing is an option."""
    joined: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            joined += [argument, *rest]
        elif joined and joined[-1] == f"{OPTION}=" and argument.lower().endswith(".json"):
            joined[-1] = f"{OPTION}={argument}"
        else:
            joined.append(f"{OPTION}=" if argument == OPTION else argument)
    return joined


def plan_of(value: str | None) -> "FaultPlan | None":
    """The plan that was asked for: None for no simulation, one without faults where no file is named.

    Raises InputError that names the file, the entry (from 1) and what to do.
    """
    from bot.model import FaultPlan

    if value is None:
        return None
    return read_plan(Path(value)) if value else FaultPlan()


def read_plan(path: Path) -> "FaultPlan":
    """The plan in a file. Raises InputError."""
    from bot.cli.reading import read_text
    from bot.errors import InputError
    from bot.model import FaultPlan

    try:
        content = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no JSON: {error or 'nested too deep'}") from error
    if not isinstance(content, list):
        raise InputError(f"{path}: a fault plan is a list of objects with op, dtypes and kind, not {_kind(content)}")
    return FaultPlan(faults=tuple(_fault(path, number, entry) for number, entry in enumerate(content, 1)))


def _fault(path: Path, number: int, entry: Any) -> Any:
    from pydantic import ValidationError

    from bot import wire
    from bot.errors import InputError
    from bot.model import Fault

    try:
        fault = Fault.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{path}, entry {number}: {f'{place}: ' if place else ''}{first['msg']}") from error
    if not {fault.op, fault.op.rstrip("_")} & wire.operators():
        raise InputError(f"{path}, entry {number}: op: {fault.op!r} is no operator of aten{_nearest(fault.op)}")
    strange = next((dtype for dtype in fault.dtypes or () if dtype not in DTYPES), None)
    if strange is not None:
        raise InputError(f"{path}, entry {number}: dtypes: {strange!r} is no dtype; write float16, bfloat16, int64, …")
    return fault


def _nearest(op: str) -> str:
    import difflib

    from bot import wire

    near = difflib.get_close_matches(op, wire.operators(), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _kind(content: Any) -> str:
    return {dict: "an object", str: "a text", type(None): "null"}.get(type(content), "a number")
