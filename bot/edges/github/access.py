"""What the edge has to be told: the keys of the configuration's section `github`, under their names there."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Access:
    """Where GitHub is, as whom it is asked, and how long that may take. No secret: files are named, not read."""

    api: str = "https://api.github.com"
    token_file: Path | None = None
    app_id: str | None = None
    app_key_file: Path | None = None
    app_installation_id: int | None = None
    proxy: str | None = None
    ca_bundle: Path | None = None
    timeout_s: float = 30.0
    max_wait: timedelta = timedelta(minutes=2)
