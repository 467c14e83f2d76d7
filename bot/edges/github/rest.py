"""Reads single objects and lists, and writes, through REST: objects by PyGithub, plain JSON beside it.

A reading client asks again what was lost and refuses to write; a writing one asks for nothing twice: an issue whose
answer was lost may be there.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode, urlsplit

from github import Github
from github.Repository import Repository

from bot.edges.github.answers import content_of, message_of, one_line, parsed
from bot.edges.github.exchange import Call, Exchange
from bot.edges.github.faults import AnswerError, LostError
from bot.edges.github.patience import patiently
from bot.edges.github.pygithub import API_VERSION, client, ours
from bot.edges.github.transport import Reply
from bot.errors import ForgeError, InputError

__all__ = ["Response", "Rest", "ours"]

HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": API_VERSION}
GONE = frozenset({301, 302, 307, 308, 404, 410, 451})
"""What tells moved, hidden, deleted and blocked things apart."""
EMPTY = (204, 205)


@dataclass(frozen=True, slots=True)
class Response:
    """An answer of plain JSON: 2xx, or one of 301, 302, 307, 308 (see `location`), 404, 410, 451."""

    status: int
    headers: Mapping[str, str]
    data: Any
    """None where there is none."""


class Rest:
    """The REST API, for reading, or with `writes` for writing."""

    def __init__(self, exchange: Exchange, api: str, sleep: Callable[[float], None], *, writes: bool = False) -> None:
        self._exchange = exchange
        self._api = api.rstrip("/")
        self._sleep = sleep
        self._writes = writes
        self.github: Github = client(self._carry, self._api)

    def repository(self, name: str) -> Repository:
        """`owner/name`. Raises InputError when it isn't there for us, AnswerError when it moved."""
        with ours():
            return self.github.get_repo(name)

    def get_json(self, path: str, **params: Any) -> Response:
        """The answer to `GET path`, e.g. `/repos/pytorch/pytorch/issues/1`; redirects are not followed.

        Raises InputError when it is denied, AnswerError (a ForgeError) for a status that `Response` does not list,
        LostError when no answer came in three tries, LimitedError when GitHub may not be asked before a time.
        """
        query = f"?{urlencode({name: _written(content) for name, content in params.items()})}" if params else ""
        reply = self._asked(Call("GET", f"{self._api}{path}{query}", path, HEADERS, accept=GONE))
        data = content_of(reply.body) or None if reply.status >= 300 else parsed(reply.body) if reply.body else None
        return Response(reply.status, reply.headers, data)

    def send_json(self, method: str, path: str, content: Any) -> Response:
        """The answer, 2xx, to a write, which is sent once. Only a client that writes has this.

        Raises LimitedError or DeniedError where it was not carried out, AnswerError where GitHub says no in its own
        words or leads elsewhere, LostError where nobody knows (unless its `sent` is false).
        """
        body = json.dumps(content, ensure_ascii=False).encode()
        headers = {**HEADERS, "Content-Type": "application/json; charset=utf-8"}
        call = Call(method, f"{self._api}{path}", path, headers, body, write=True)
        self._may_write(call.method, path)
        reply = self._asked(call)
        if reply.status >= 400 and "message" not in content_of(reply.body):
            raise LostError(f"{reply.status} came for {method} {path}, and not in GitHub's words{_unsure(call)}")
        if reply.status >= 400:
            raise AnswerError(f"GitHub answered {reply.status}: {message_of(reply.body)}", reply.status)
        return Response(reply.status, reply.headers, parsed(reply.body) if reply.body else None)

    def budgets(self) -> None:
        """Let the limiter know what is left of everything; this costs nothing, and some servers have no limits."""
        told = self.get_json("/rate_limit")
        resources = told.data.get("resources") if isinstance(told.data, dict) else None
        if isinstance(resources, dict):
            self._exchange.limiter.learn_overview(resources)

    def close(self) -> None:
        """PyGithub holds nothing open; for those who expect it."""
        self.github.close()

    def _carry(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> Reply:
        """A request of PyGithub's."""
        path = self._path(url)
        write = method not in ("GET", "HEAD")
        if write:
            self._may_write(method, path)
        call = Call(method, url, path, {**HEADERS, **_set(headers)}, content, write=write)
        reply = self._asked(call)
        if reply.status >= 400 and not content_of(reply.body):
            reply = replace(reply, body=json.dumps({"message": message_of(reply.body)}).encode())
        return reply

    def _may_write(self, method: str, path: str) -> None:
        if not self._writes:
            raise InputError(f"{method} {path} is for a client that may write; this one only reads")

    def _asked(self, call: Call) -> Reply:
        if self._writes:
            return _usable(self._exchange.once(call), call)
        return patiently(lambda: _usable(self._exchange.once(call), call), self._sleep)

    def _path(self, url: str) -> str:
        """The path without the base. Raises ForgeError for another host: no token of ours goes there."""
        asked, base = urlsplit(url), urlsplit(self._api)
        if (asked.scheme, asked.hostname, _port(asked)) != (base.scheme, base.hostname, _port(base)):
            raise ForgeError(f"GitHub's answer leads to {one_line(asked.netloc)}, which is not asked: check github.api")
        return asked.path.removeprefix(base.path)


def _usable(reply: Reply, call: Call) -> Reply:
    """An answer that is whole and is one. Raises LostError, or AnswerError for redirects that nobody wants to see."""
    place = f"{call.method} {call.path}"
    if reply.status >= 500 or (reply.status == 202 and not call.write):
        raise LostError(f"GitHub answered {reply.status} to {place}{_unsure(call)}")
    if 300 <= reply.status < 400 and reply.status not in call.accept:
        location = reply.headers.get("location")
        told = f"GitHub answered {reply.status} to {place}: it is at {one_line(location or 'an unknown place')} now"
        raise AnswerError(told, reply.status, location)
    if reply.status < 300 and reply.status not in EMPTY and not _is_json(reply.body):
        raise LostError(f"GitHub's answer to {place} is no JSON, or only half of it{_unsure(call)}")
    if reply.status >= 400 and call.accept and reply.status not in call.accept:
        raise AnswerError(f"GitHub answered {reply.status} to {place}: {message_of(reply.body)}", reply.status)
    return reply


def _is_json(body: bytes) -> bool:
    """Is it an object or a list? A plain text or number would be taken for one by PyGithub."""
    try:
        return isinstance(parsed(body), dict | list)
    except ValueError:
        return False


def _unsure(call: Call) -> str:
    return "; whether it was done is not known" if call.write else ""


def _set(headers: Mapping[str, str]) -> dict[str, str]:
    """PyGithub's own headers, under the names that ours have."""
    return {"Accept" if name.lower() == "accept" else name: text for name, text in headers.items()}


def _written(content: Any) -> Any:
    return str(content).lower() if isinstance(content, bool) else content


def _port(parts: Any) -> int | None:
    return parts.port or {"http": 80, "https": 443}.get(parts.scheme)
