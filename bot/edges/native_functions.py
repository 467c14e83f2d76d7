"""torch's tables of operators and gradients: from a source tree, else as the installed torch carries them."""

import re
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
BEGINNING = re.compile(r"^- (?:func|name): ", re.M)


class Table(NamedTuple):
    """A YAML file."""

    text: str
    parsed: list[dict[str, Any]]


def table(text: str, place: str) -> Table:
    """A list of mappings, each begun by its name. Raises InputError for anything else."""
    try:
        parsed = yaml.load(text, LOADER)  # noqa: S506  a safe loader, chosen above
        fits = isinstance(parsed, list) and all(map(_is_operator, parsed)) and _is_plain(parsed)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        summary = " ".join(str(error).split())
        raise InputError(f"{place} can't be read: {summary}") from error
    if not fits or len(BEGINNING.findall(text)) != len(parsed):
        raise InputError(f"{place} is no list of operators")
    return Table(text, parsed)


def _is_operator(entry: object) -> bool:
    """Has it the types that are read of it?"""
    if not (isinstance(entry, dict) and all(isinstance(key, str) for key in entry)):
        return False
    dispatch, delegate = entry.get("dispatch") or {}, entry.get("structured_delegate") or ""
    if not (isinstance(dispatch, dict) and isinstance(delegate, str)):
        return False
    return all(isinstance(key, str) and isinstance(told, str | dict) for key, told in dispatch.items())


def _is_plain(parsed: object) -> bool:
    """Is nothing in two places? Aliases make much of little, or what holds itself; torch's tables have none."""
    seen: set[int] = set()
    waiting = [parsed]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict | list):
            if id(one) in seen:
                return False
            seen.add(id(one))
            waiting += one.values() if isinstance(one, dict) else one
    return True


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
