"""Configuration: read once, at the door, frozen, passed on. A file, then the environment over it.

Unknown keys are errors that name the nearest known one: a misspelt cap must not be an absent cap.
"""

import difflib
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from bot.errors import InputError

PREFIX = "ALIGNBOT_"
APART = {
    "ALIGNBOT_CONFIG": "path of the configuration file",
    "ALIGNBOT_GITHUB_TOKEN": "read token",
    "ALIGNBOT_FILING_TOKEN": "write token",
}
"""Variables that are no keys: where the file is, and secrets, which no file holds and no command shows."""


class FilingMode(StrEnum):
    """What the filer may do."""

    OFF = "off"
    DRY_RUN = "dry-run"
    DRAFT = "draft"
    AUTO = "auto"


def _size(text: object) -> object:
    """`8GiB`, `512 MiB`, or a number of bytes."""
    match = re.fullmatch(r"(\d+)\s*(KiB|MiB|GiB|TiB)", text.strip()) if isinstance(text, str) else None
    if match is None:
        return text
    return int(match[1]) << {"KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[match[2]]


def _span(text: object) -> object:
    """`90s`, `30m`, `6h`, `14d`, a number of seconds, or ISO 8601."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhd]?)", text.strip()) if isinstance(text, str) else None
    if match is None:
        return text
    return timedelta(seconds=float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}[match[2]])


Bytes = Annotated[int, BeforeValidator(_size)]
Span = Annotated[timedelta, BeforeValidator(_span), Field(ge=timedelta(seconds=1))]


class Section(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class GitHub(Section):
    """Where and as whom items are read."""

    api: str = "https://api.github.com"
    """Base URL of the REST API; GraphQL is beside it."""
    token_file: Path | None = None
    """File that holds the read token."""


class Repository(Section):
    """A repository by its full name."""

    repo: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    """`owner/name`."""


class Caps(Section):
    """The most that may be posted of anything."""

    per_window: int = Field(default=3, ge=0)
    per_hour: int = Field(default=3, ge=0)
    per_day: int = Field(default=6, ge=0)
    per_week: int = Field(default=15, ge=0)


class Filing(Section):
    """What may be posted."""

    mode: FilingMode = FilingMode.OFF
    """`off`, `dry-run`, `draft` or `auto`."""
    rehearsal: bool = False
    """File CPU and simulated evidence, to a forge on a loopback address only."""
    token_file: Path | None = None
    """File that holds the write token."""
    caps: Caps = Caps()


class Windows(Section):
    """When windows are read."""

    delay: Span = timedelta(hours=6)
    """How long after its end a window is read: `6h`, `30m`, seconds, or ISO 8601."""


class Run(Section):
    """How scripts are run."""

    repeats: int = Field(default=2, ge=1, le=100)
    """Fresh processes for each script."""
    timeout_s: float = Field(default=120.0, gt=0, le=86_400)
    """Wall clock for one repeat, in seconds."""
    memory: Bytes = Field(default=8 << 30, ge=256 << 20)
    """Memory for one repeat: bytes, or a number with MiB or GiB."""
    render_node: str | None = None
    """The one GPU that a script may see, e.g. /dev/dri/renderD128."""
    python: Path = Path(sys.executable)
    """Interpreter that has torch."""


class Daemon(Section):
    """The scheduled service."""

    every: Span = timedelta(hours=1)
    """Time between two ticks, likewise; a held case is asked again at each."""


class Pages(Section):
    """Where the dashboard listens."""

    host: str = "127.0.0.1"
    """Address; the pages have no log-in, so think before you change it."""
    port: int = Field(default=8321, ge=0, le=65_535)
    """Port."""


class Settings(BaseSettings):
    """Every key with its default."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        use_attribute_docstrings=True,
    )

    state: Path = Path(platformdirs.user_state_dir("alignbot"))
    """Folder of the database, evidence, caches and logs."""
    database_url: str = ""
    """SQLAlchemy URL; empty: SQLite in the state folder."""
    github: GitHub = GitHub()
    upstream: Repository = Repository(repo="pytorch/pytorch")
    target: Repository = Repository(repo="intel/torch-xpu-ops")
    filing: Filing = Filing()
    windows: Windows = Windows()
    run: Run = Run()
    daemon: Daemon = Daemon()
    dashboard: Pages = Pages()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment, then what is passed in (the file)."""
        return env_settings, init_settings

    @property
    def store_url(self) -> str:
        """The database's URL as it is used."""
        return self.database_url or f"sqlite:///{self.state.expanduser().resolve() / 'alignbot.db'}"


def load(environment: Mapping[str, str] | None = None) -> tuple[Settings, Path | None]:
    """The settings and the file that they came from. Raises InputError with the key and the cure."""
    environment = os.environ if environment is None else environment
    path = config_file(environment)
    content = _read(path) if path else {}
    known = {key for key, _ in keys(Settings.model_construct())}
    _refuse_unknown_variables(environment, known)
    try:
        return Settings(**content), path
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        where = f"{path}: " if path and first["type"] == "extra_forbidden" else ""
        if first["type"] == "extra_forbidden":
            raise InputError(f"{where}unknown key '{key}'{_nearest(key, known)}") from error
        raise InputError(f"setting '{key}': {first['msg'].lower()}; `alignbot config show` lists all keys") from error
    except Exception as error:
        if type(error).__module__.startswith("pydantic_settings"):
            raise InputError(f"a variable {PREFIX}… can't be read: {error}") from error
        raise


def config_file(environment: Mapping[str, str]) -> Path | None:
    """The first that exists: ALIGNBOT_CONFIG, ./alignbot.toml, the user's folder, the system's."""
    named = environment.get("ALIGNBOT_CONFIG")
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
        yield key, without_password(content) if key == "database_url" else content


def without_password(url: str) -> str:
    """A URL whose password is masked."""
    return re.sub(r"(://[^:/@]*:)[^@]*@", r"\1***@", url)


def source_of(key: str, environment: Mapping[str, str], path: Path | None) -> str:
    """Where a key's value comes from: a variable, the file, or `default`."""
    variable = PREFIX + key.upper().replace(".", "__")
    if environment.get(variable):
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


def _refuse_unknown_variables(environment: Mapping[str, str], known: set[str]) -> None:
    variables = {PREFIX + key.upper().replace(".", "__") for key in known} | APART.keys()
    for name in environment:
        if name.startswith(PREFIX) and name not in variables:
            raise InputError(f"unknown variable {name}{_nearest(name, variables)}")


def _nearest(name: str, known: set[str] | frozenset[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else "; `alignbot config show` lists all"
