"""Every key of the configuration: its default, what it may hold, what it is for. How it is read is in `config`."""

import ipaddress
import re
import sys
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX = "ALIGNBOT_"
"""Every key is also a variable: `ALIGNBOT_<SECTION>__<KEY>`."""


SHOWN = r"^[^\x00-\x1f\x7f-\x9f]+$"
"""One line that a terminal shows as it is."""
LARGEST_CAP = 1_000_000
REFERENCE = r"^[\w.-]+/[\w.-]+(?:#[1-9]\d{0,8}|@[0-9a-f]{7,40})$"
LOGIN = r"^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})(?:\[bot\])?$"
REPOSITORY = r"^[\w.-]+/[\w.-]+$"
BRANCH = r"^[^\s~^:?*\[\\]+$"
"""What git lets a branch be called, about."""


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
    seconds = float(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}[match[2]]
    return timedelta(seconds=min(seconds, 1e12))


Bytes = Annotated[int, BeforeValidator(_size)]
Span = Annotated[timedelta, BeforeValidator(_span), Field(ge=timedelta(seconds=1), le=timedelta(days=3660))]


class Section(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class GitHub(Section):
    """Where and as whom items are read."""

    api: str = Field(default="https://api.github.com", pattern=r"^https?://[^\s\\@?#]+$")
    """Base URL of the REST API; GraphQL is beside it."""
    token_file: Path | None = None
    """File that holds the read token."""
    app_id: str | None = Field(default=None, pattern=r"^[\w.-]+$", coerce_numbers_to_str=True)
    """ID or client ID of a GitHub App, in place of a token."""
    app_key_file: Path | None = None
    """File that holds the App's private key, as GitHub gave it out (PEM)."""
    app_installation_id: int | None = Field(default=None, gt=0)
    """Which installation of the App; without it, the one on the upstream repository is looked up."""
    proxy: str | None = Field(default=None, pattern=r"^(https?|socks5h?)://\S+$")
    """Proxy for GitHub alone; without it HTTPS_PROXY, HTTP_PROXY and NO_PROXY are used."""
    ca_bundle: Path | None = None
    """Certificates to trust (PEM); without it what SSL_CERT_FILE or REQUESTS_CA_BUNDLE name, else the usual ones."""
    timeout_s: float = Field(default=30.0, gt=0, le=3_600)
    """Longest silence in seconds; a whole answer may take twice as long."""
    max_wait: Span = timedelta(minutes=2)
    """Longest wait for GitHub's limits; what would wait longer is held for a later tick."""


class Upstream(Section):
    """Where faults are reported and fixed."""

    repo: str = Field(default="pytorch/pytorch", pattern=REPOSITORY)
    """`owner/name`."""
    branch: str = Field(default="main", pattern=BRANCH)
    """Default branch, whose head is frozen; when GitHub names another one, a person should look."""


class Target(Section):
    """Where the device's own kernels are."""

    repo: str = Field(default="intel/torch-xpu-ops", pattern=REPOSITORY)
    """`owner/name`."""
    branch: str = Field(default="main", pattern=BRANCH)
    """Default branch, likewise."""
    skip_labels: tuple[str, ...] = ("skipped", "skipped_bmg", "skipped_dpclang", "wontfix", "not_planned")
    """Labels of issues that are known and left alone: what they tell is not told again."""
    muted: tuple[Annotated[int, Field(gt=0)], ...] = ()
    """Numbers of issues and pull requests that nobody wants to hear of again, likewise."""


class Sources(Section):
    """Where the kernels' source is read."""

    git: str | None = Field(default=None, pattern=r"^(?:https?://[^\s@?#\x00-\x1f\x7f-\x9f\\]+)?$")
    """Where git finds repositories, e.g. https://github.com; empty: nowhere. Unset: what goes with `github.api`."""
    target: Path | None = None
    """Folder with a checkout of the target, read instead."""
    upstream: Path | None = None
    """Folder with a checkout of the upstream repository, likewise."""


class Caps(Section):
    """The most that may be posted of anything."""

    per_window: int = Field(default=3, ge=0, le=LARGEST_CAP)
    per_hour: int = Field(default=3, ge=0, le=LARGEST_CAP)
    per_day: int = Field(default=6, ge=0, le=LARGEST_CAP)
    per_week: int = Field(default=15, ge=0, le=LARGEST_CAP)


class Filing(Section):
    """What may be posted."""

    mode: FilingMode = FilingMode.OFF
    """`off`, `dry-run`, `draft` or `auto`."""
    rehearsal: bool = False
    """File CPU and simulated evidence, to a forge on a loopback address only."""
    token_file: Path | None = None
    """File that holds the write token."""
    caps: Caps = Caps()
    kinds: dict[str, FilingMode] = {}
    """Modes of single defect kinds, e.g. `missing-check = "draft"`; none may do more than `mode`."""
    muted: tuple[Annotated[str, Field(pattern=SHOWN)], ...] = ()
    """Operators and patterns of kernel paths of which nothing is filed."""
    quiet: Span = timedelta(hours=1)
    """How long a finding waits for a person's word before it may leave by itself."""
    templates: Path | None = None
    """Folder of templates that stand before alignbot's own, e.g. with `issue/value.md.j2`."""
    no_backlink: bool = False
    """Tell upstream references as links over the host that makes no back-link; as code without."""
    references: tuple[Annotated[str, Field(pattern=REFERENCE)], ...] = ()
    """`owner/name#12` or `owner/name@sha` that may be linked, and so get a back-link."""
    hardening: bool = False
    """Let checks that no device makes yet leave by themselves, too."""
    close: bool = False
    """Close our own issues once a build that contains the fix passes."""
    reopen: bool = False
    """Open our own issues again where a later build shows the fault again."""
    gone_label: str = Field(default="no longer reproduces", max_length=50, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")
    """Label for issues of ours that pass without a known fix; empty for none."""
    muted_labels: tuple[Annotated[str, Field(pattern=SHOWN)], ...] = ()
    """Labels of issues of ours on which nothing more is said."""
    people: tuple[Annotated[str, Field(pattern=LOGIN)], ...] = ()
    """Logins that may give commands on our issues, beside the repository's owners, members and collaborators."""
    status_issue: int | None = Field(default=None, gt=0)
    """Issue of the target repository whose text tells how everything stands, between our marks."""
    watch_every: Span = timedelta(hours=6)
    """Least time between two looks of the daemon at what was filed."""


class Windows(Section):
    """When windows are read."""

    delay: Span = timedelta(hours=6)
    """How long after its end a window is read: `6h`, `30m`, seconds, or ISO 8601."""
    length: Span = timedelta(days=1)
    """How much time a scheduled window holds, likewise; counted from midnight UTC."""
    start: date | None = None
    """First day that must be read; without it, the daemon begins with the last window that is over when it starts."""


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
    recorded: Path | None = None
    """Folder of recorded runs (`alignbot run FILE.py --json > FOLDER/any.json`): they are judged and nothing runs."""


class Daemon(Section):
    """The scheduled service."""

    every: Span = timedelta(hours=1)
    """Time between two ticks, likewise; a held case is asked again at each."""


class Pages(Section):
    """Where the dashboard listens, and to which names it answers."""

    host: str = "127.0.0.1"
    """Address; the pages have no log-in, so think before you change it."""
    port: int = Field(default=8321, ge=0, le=65_535)
    """Port."""
    hosts: tuple[Annotated[str, Field(pattern=r"^(\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*$")], ...] = ()
    """Further host names, without port, by which it may be addressed, e.g. that of a proxy before it."""


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
    upstream: Upstream = Upstream()
    target: Target = Target()
    sources: Sources = Sources()
    filing: Filing = Filing()
    windows: Windows = Windows()
    run: Run = Run()
    daemon: Daemon = Daemon()
    dashboard: Pages = Pages()

    @field_validator("sources")
    @classmethod
    def _is_an_address(cls, sources: Sources) -> Sources:
        try:
            urlsplit(sources.git or "").port  # noqa: B018  asking is what tells
        except ValueError as error:
            raise PydanticCustomError("address", "'git' is no address: {why}", {"why": str(error)}) from error
        return sources

    @model_validator(mode="after")
    def _rehearses_at_home(self) -> Self:
        if self.filing.rehearsal and not on_loopback(self.github.api):
            why = (
                "'filing.rehearsal' needs 'github.api' to be a loopback address, e.g. http://127.0.0.1:8000, not {api}"
            )
            raise PydanticCustomError("rehearsal", why, {"api": self.github.api})
        return self

    @property
    def git(self) -> str:
        """Where git finds repositories; empty for nowhere."""
        if self.sources.git is not None:
            return self.sources.git
        api = urlsplit(self.github.api)
        if api.hostname == "api.github.com":
            return "https://github.com"
        return f"{api.scheme}://{api.netloc}" if api.path.rstrip("/").endswith("/api/v3") else ""

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
    def database(self) -> str | Path:
        """Where the database is: a URL, or a SQLite file (whose name may hold what a URL can't)."""
        return self.database_url or self.state.expanduser().resolve() / "alignbot.db"


def on_loopback(url: str) -> bool:
    """Is it an address of this machine that no other machine can answer?"""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
