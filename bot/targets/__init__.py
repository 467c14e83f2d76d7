"""The target profiles: one TOML file a device, read on demand; adding one edits nothing here.

Beside it may stand `<name>.kernels.txt`, made by `kernel_list.py`: the operators and files that are the target's own.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

# A profile as a value needs the model; as it is written it doesn't: who only asks for folders shouldn't wait.
if TYPE_CHECKING:
    from bot.model import Target


@cache
def names() -> tuple[str, ...]:
    """All device names that have a profile, sorted."""
    entries = files(__name__).iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))


@cache
def load(name: str) -> "Target":
    """The profile of a device. Raises KeyError for a device without one."""
    from bot.model import Target  # noqa: PLC0415

    profile = written(name)
    if "stands_in_for" in profile:
        other = load(profile["stands_in_for"])
        return Target.model_validate({**{field: getattr(other, field) for field in OWNERSHIP}, **profile})
    return Target.model_validate({**profile, **kernels(name)})


def written(name: str) -> dict[str, Any]:
    """The profile as it is written in its file. Raises KeyError for a device without one."""
    if name not in names():
        raise KeyError(name)
    return tomllib.loads((files(__name__) / f"{name}.toml").read_text("utf-8"))


OWNERSHIP = (
    "path_map", "upstream_roots", "shared", "host", "vendor", "vendor_words", "operators", "fallbacks", "sources",
    "headers",
)  # fmt: skip
"""What a target takes over from the one that it stands in for."""


def kernels(name: str) -> dict[str, Any]:
    """The fields that a device's kernel list fills."""
    table = files(__name__) / f"{name}.kernels.txt"
    found: dict[str, list[str]] = {"operator": [], "fallback": [], "source": [], "header": []}
    for line in table.read_text("utf-8").splitlines() if table.is_file() else ():
        kind, _, entry = line.partition(" ")
        if kind != "#":
            found[kind].append(entry)
    return {
        "operators": dict(entry.split(" ", 1) for entry in found["operator"]),
        "fallbacks": found["fallback"],
        "sources": found["source"],
        "headers": found["header"],
    }
