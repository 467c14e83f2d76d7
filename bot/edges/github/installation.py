"""The token of a GitHub App's installation: good for an hour, so a new one is asked for when it is nearly over."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from bot.edges.github.answers import message_of, parsed
from bot.edges.github.exchange import Call, Exchange
from bot.edges.github.faults import LostError
from bot.edges.github.patience import patiently
from bot.edges.github.tokens import AppKey
from bot.edges.github.transport import Reply
from bot.errors import ForgeError, InputError

SOON = timedelta(minutes=5)
"""A token that ends within this is not used any more."""
JSON = {"Accept": "application/vnd.github+json"}


class Installation:
    """Credentials of an installation: the one that is named, else the one on the repository. Asks when first needed."""

    def __init__(
        self,
        app: Exchange,
        key: AppKey,
        api: str,
        installation_id: int | None,
        repo: str,
        sleep: Callable[[float], None],
    ) -> None:
        self.source = key.source
        self.needs = key.needs
        self._app = app
        self._key = key
        self._api = api
        self._installation_id = installation_id
        self._repo = repo
        self._sleep = sleep
        self._lock = threading.Lock()
        self._secret = ""
        self._expires_at: datetime | None = None

    def __repr__(self) -> str:
        return f"Installation({self._key!r}, {self._installation_id})"

    def authorization(self) -> str:
        """With a token that is good for another five minutes. Raises InputError when GitHub does not know the App."""
        with self._lock:
            if self._expires_at is None or self._expires_at - SOON <= self._app.limiter.now():
                self._renew()
            return f"Bearer {self._secret}"

    def hidden(self, text: str) -> str:
        """The text without the token."""
        return text.replace(self._secret, "***") if self._secret else text

    def _renew(self) -> None:
        """A new token. Nothing comes of asking for one twice, so a lost answer is no reason to give up."""
        self._installation_id = self._installation_id or self._found()
        path = f"/app/installations/{self._installation_id}/access_tokens"
        gone = f"GitHub knows no installation {self._installation_id} of this App: check github.app_installation_id"
        told = self._asked("POST", path, gone)
        try:
            self._secret, self._expires_at = str(told["token"]), datetime.fromisoformat(told["expires_at"])
        except (KeyError, TypeError, ValueError) as error:
            raise LostError("GitHub gave a token of the App without its end", again=False) from error

    def _found(self) -> int:
        """The installation on the repository."""
        gone = (
            f"the GitHub App is not installed on {self._repo}: name the installation whose token is to be used in "
            "github.app_installation_id (the number at the end of the address of its settings)"
        )
        found = self._asked("GET", f"/repos/{self._repo}/installation", gone).get("id")
        if not isinstance(found, int):
            raise LostError("GitHub gave an installation of the App without its number", again=False)
        return found

    def _asked(self, method: str, path: str, gone: str) -> dict[str, Any]:
        call = Call(method, f"{self._api}{path}", path, headers=JSON, accept=frozenset({404}))
        return patiently(lambda: self._read(self._app.once(call), gone), self._sleep)

    def _read(self, reply: Reply, gone: str) -> dict[str, Any]:
        """The object in an answer. Raises InputError for 404, LostError for GitHub's own faults."""
        said = message_of(reply.body) if reply.status >= 300 else ""
        if reply.status == 404:
            app = f"GitHub knows no App {self._key.app_id}: check github.app_id"
            raise InputError(app if "integration not found" in said.lower() else gone)
        if reply.status >= 500:
            raise LostError(f"GitHub answered {reply.status} when it was asked for a token of the App")
        if reply.status not in (200, 201):
            raise ForgeError(f"GitHub gives no token of the App: {reply.status} {said}")
        try:
            content = parsed(reply.body)
        except ValueError as error:
            raise LostError("GitHub's answer is no JSON") from error
        return content if isinstance(content, dict) else {}
