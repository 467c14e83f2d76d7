"""Reads the configuration: once, at the door, a file and then the environment over it.

Unknown keys are errors that name the nearest known one: a misspelt cap must not be an absent cap.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import BaseModel, ValidationError
from pydantic_settings import SettingsError

from bot.errors import InputError
from bot.settings import PREFIX, Settings

__all__ = ["APART", "Settings", "config_file", "keys", "load", "shown", "source_of", "without_password"]

APART = {
    "ALIGNBOT_CONFIG": "path of the configuration file",
    "ALIGNBOT_GITHUB_TOKEN": "read token",
    "ALIGNBOT_FILING_TOKEN": "write token",
    "ALIGNBOT_STOP": "stops all writing while it is set",
}
"""Variables that are no keys: where the file is, a switch, and secrets, which no file holds and no command shows."""

HOLD_PASSWORDS = {"database_url", "github.proxy"}
"""Keys whose URLs may hold a password."""


def load() -> tuple[Settings, Path | None]:
    """The settings and the file that they came from. Raises InputError with the key and the cure."""
    path = config_file()
    content = _read(path) if path else {}
    known = {key for key, _ in keys(Settings.model_construct())}
    _refuse_unknown_variables(known)
    try:
        return Settings(**content), path
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            where = f"{path}: " if path else ""
            raise InputError(f"{where}unknown key '{key}'{_nearest(key, known)}") from error
        said = first["msg"]
        told = f"'{key}': {said[0].lower()}{said[1:]}" if key else said
        raise InputError(f"setting {told}; `alignbot config show` lists all keys") from error
    except SettingsError as error:
        raise InputError(f"a variable {PREFIX}… can't be read: {error}; lists are written as JSON") from error


def config_file() -> Path | None:
    """The first that exists: ALIGNBOT_CONFIG, ./alignbot.toml, the user's folder, the system's."""
    named = os.environ.get("ALIGNBOT_CONFIG")
    if named:
        if not Path(named).is_file():
            raise InputError(f"ALIGNBOT_CONFIG names {named}, which is no file")
        return Path(named)
    folders = (Path(), Path(platformdirs.user_config_dir("alignbot")), Path(platformdirs.site_config_dir("alignbot")))
    return next((path for folder in folders if (path := folder / "alignbot.toml").is_file()), None)


def keys(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every key with its value, dotted, in the order of the file."""
    for name in type(model).model_fields:
        content = getattr(model, name)
        if isinstance(content, BaseModel):
            yield from keys(content, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", content


def shown(settings: Settings) -> Iterator[tuple[str, Any]]:
    """Every key with its value as JSON writes it, passwords in URLs masked."""
    written = settings.model_dump(mode="json")
    for key, _ in keys(settings):
        content: Any = written
        for name in key.split("."):
            content = content[name]
        yield key, without_password(content) if key in HOLD_PASSWORDS and content else content


def without_password(url: str) -> str:
    """A URL whose password is masked, up to the last `@`: one that was not quoted may hold any character."""
    masked = re.sub(r"(://[^:/]*:).*@", r"\1***@", url)
    return re.sub(r"(?i)([?&][a-z_]*passw(?:or)?d=)[^&]*", r"\1***", masked)


def source_of(key: str, path: Path | None) -> str:
    """Where a key's value comes from: a variable, the file, or `default`."""
    variable = PREFIX + key.upper().replace(".", "__")
    if os.environ.get(variable):
        return variable
    part: Any = _read(path) if path else {}
    for name in key.split("."):
        part = part.get(name) if isinstance(part, dict) else None
    return str(path) if part is not None else "default"


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}") from error


def _refuse_unknown_variables(known: set[str]) -> None:
    variables = {PREFIX + key.upper().replace(".", "__") for key in known} | APART.keys()
    for name in os.environ:
        if name.startswith(PREFIX) and name not in variables:
            raise InputError(f"unknown variable {name}{_nearest(name, variables)}")


def _nearest(name: str, known: set[str] | frozenset[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else "; `alignbot config show` lists all"
