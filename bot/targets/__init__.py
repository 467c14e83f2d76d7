"""The target profiles: one TOML file a device, read on demand; adding one edits nothing here."""

import tomllib
from functools import cache
from importlib.resources import files

from bot.model import Target


@cache
def names() -> tuple[str, ...]:
    """All device names that have a profile, sorted."""
    entries = files(__name__).iterdir()
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml")))


@cache
def load(name: str) -> Target:
    """The profile of a device. Raises KeyError for a device without one."""
    if name not in names():
        raise KeyError(name)
    return Target.model_validate(tomllib.loads((files(__name__) / f"{name}.toml").read_text("utf-8")))
