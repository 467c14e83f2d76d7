"""torch's tables of operators and gradients: from a source tree, else as the installed torch carries them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from bot.edges.executors.interpreter import ask
from bot.errors import InputError

PACKAGED = ("packaged/ATen/native/native_functions.yaml", "packaged/autograd/derivatives.yaml")
"""Below `torchgen`, which every wheel of torch brings."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C takes a twentieth of the time."""


class Table(NamedTuple):
    """A YAML file."""

    text: str
    parsed: list[dict[str, Any]]


def table(text: str, place: str) -> Table:
    """A list of mappings. Raises InputError for anything else."""
    try:
        parsed = yaml.load(text, LOADER)  # noqa: S506  a safe loader, chosen above
    except yaml.YAMLError as error:
        summary = " ".join(str(error).split())
        raise InputError(f"{place} can't be read: {summary}") from error
    if not isinstance(parsed, list) or not all(isinstance(one, dict) for one in parsed):
        raise InputError(f"{place} is no list of operators")
    return Table(text, parsed)


def installed(python: Path) -> tuple[Table, Table] | None:
    """Both tables of the torch that an interpreter has; None where it has none."""
    package = ask(python, "torchgen").package
    paths = [package / name for name in PACKAGED] if package else []
    if not paths or not all(path.is_file() for path in paths):
        return None
    native, derivatives = (table(path.read_text("utf-8"), str(path)) for path in paths)
    return native, derivatives


def tables(read: Callable[[str], str], native: str, derivatives: str) -> tuple[Table, Table]:
    """Both tables of a tree, whose files `read` gives by path."""
    return table(read(native), native), table(read(derivatives), derivatives)
