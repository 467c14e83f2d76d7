"""Who asks: a token, or a GitHub App with its key. Secrets are read here, once, and shown nowhere.

What holds a secret has a `repr` without it. Only `authorization`, called for each request, gives it out.
"""

import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import structlog
from github.Auth import AppAuth
from jwt.exceptions import PyJWTError

from bot.edges.github.access import Access
from bot.errors import InputError

LONGEST_FILE = 64 << 10
"""Bytes; no token or key comes near."""
HOW_TO = "make one that may read public repositories at https://github.com/settings/personal-access-tokens"

_log = structlog.get_logger()


class Credentials(Protocol):
    """What a request is sent with."""

    @property
    def source(self) -> str:
        """The settings that it comes from, for errors."""

    @property
    def needs(self) -> str:
        """The permissions that it should have, for errors."""

    def authorization(self) -> str:
        """The header's value, fresh. May ask GitHub for it."""

    def hidden(self, text: str) -> str:
        """The text without the secret."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a token is looked for, in this order: a file, a variable, a systemd credential."""

    setting: str = "github.token_file"
    variable: str = "ALIGNBOT_GITHUB_TOKEN"
    credential: str = "github-token"
    needs: str = "Issues, Pull requests and Contents: read"


READER = Place()
FILER = Place("filing.token_file", "ALIGNBOT_FILING_TOKEN", "filing-token", "Issues: read and write")


@dataclass(frozen=True, slots=True)
class Token:
    """A personal access token."""

    source: str
    needs: str
    _secret: str = field(repr=False)

    def authorization(self) -> str:
        """It never changes."""
        return f"Bearer {self._secret}"

    def hidden(self, text: str) -> str:
        """The text without the token."""
        return text.replace(self._secret, "***")


class AppKey:
    """A GitHub App by itself: good only for asking for a token of one of its installations."""

    def __init__(self, app_id: str, key_file: Path, now: Callable[[], datetime], needs: str) -> None:
        """Raises InputError when the file holds no private RSA key. `now` gives GitHub's time, UTC."""
        self.app_id = app_id
        self.source = "github.app_id and github.app_key_file"
        self.needs = needs
        self._now = now
        key = read_secret(key_file, "github.app_key_file")
        self._sign: Callable[[dict[str, Any]], str | bytes] = AppAuth.create_jwt_sign(key, "RS256")
        try:
            self.authorization()
        except (PyJWTError, ValueError, TypeError, AttributeError) as error:  # each library below has its own
            told = "holds no private RSA key without password: download a new one from the App's settings on GitHub"
            raise InputError(f"github.app_key_file names {key_file}, which {told}") from error

    def __repr__(self) -> str:
        return f"AppKey({self.app_id!r})"

    def authorization(self) -> str:
        """Signed anew each time, good for five minutes; from a minute ago, as clocks differ."""
        now = self._now()
        begin, end = now - timedelta(seconds=60), now + timedelta(seconds=300)
        signed = self._sign({"iat": int(begin.timestamp()), "exp": int(end.timestamp()), "iss": self.app_id})
        return f"Bearer {signed.decode() if isinstance(signed, bytes) else signed}"

    def hidden(self, text: str) -> str:
        """The text without what was signed."""
        return re.sub(r"eyJ[\w-]+\.[\w-]+\.[\w-]*", "***", text)


def credentials(
    access: Access, environ: Mapping[str, str], now: Callable[[], datetime], place: Place = READER
) -> Token | AppKey:
    """What the settings and the environment hold. Raises InputError where that is nothing, two kinds, or unusable."""
    app = {
        "github.app_id": access.app_id,
        "github.app_key_file": access.app_key_file,
        "github.app_installation_id": access.app_installation_id,
    }
    given = [name for name, content in app.items() if content is not None]
    token = find_token(access.token_file, environ, place)
    if not given:
        if token is None:
            raise InputError(
                f"GitHub is not read without a token: {HOW_TO} and put it into a file that {place.setting} names, "
                f"or into {place.variable}"
            )
        return token
    if token is not None:
        raise InputError(f"both a token ({token.source}) and a GitHub App ({given[0]}) are given: take one away")
    if access.app_id is None or access.app_key_file is None:
        missing = next(name for name in app if app[name] is None)
        raise InputError(f"{given[0]} is given without {missing}: a GitHub App needs both")
    return AppKey(access.app_id, access.app_key_file, now, place.needs)


def find_token(file: Path | None, environ: Mapping[str, str], place: Place) -> Token | None:
    """The token in the first place that has one. Raises InputError when what is there is no token."""
    if file is not None:
        return _token(read_secret(file, place.setting), place.setting, place)
    if environ.get(place.variable):
        return _token(environ[place.variable], place.variable, place)
    folder = environ.get("CREDENTIALS_DIRECTORY")
    if folder and (path := Path(folder, place.credential)).exists():
        source = f"the systemd credential {place.credential}"
        return _token(read_secret(path, source), source, place)
    return None


def read_secret(path: Path, setting: str) -> str:
    """The text of a file. Raises InputError that names the setting; warns when anybody may read it."""
    path = path.expanduser()
    try:
        with path.open("rb") as file:
            if path.stat().st_mode & stat.S_IROTH:
                _log.warning("anybody on this machine may read a secret; chmod 600 it", setting=setting, file=str(path))
            content = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{setting} names {path}, which can't be read: {error.strerror}") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = ""
    if len(content) > LONGEST_FILE or (content and not text):
        raise InputError(f"{setting} names {path}, which is no text of a token or a key")
    return text


def _token(text: str, source: str, place: Place) -> Token:
    secret = text.strip()
    if not secret:
        raise InputError(f"the token of {source} is empty: {HOW_TO}")
    if not re.fullmatch(r"[\x21-\x7e]+", secret):
        what = "has more than one line" if len(secret.splitlines()) > 1 else "holds characters that no token has"
        raise InputError(f"the token of {source} {what}: it is one line of letters and digits")
    return Token(source, place.needs, secret)
