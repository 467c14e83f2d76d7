"""PyGithub without its own way to the network.

PyGithub makes objects of answers and follows pages; for each request it asks a *connection*, which it lets one
replace (`Requester.injectConnectionClasses`). Ours has no socket: it hands the request to `carry`, so that whatever
PyGithub sends, lazily or page by page, passes our limiter, credentials, deadlines and certificates. PyGithub itself
knows no token. What it raises becomes one of our errors where it asks.
"""

import json
import threading
from collections.abc import Callable, ItemsView, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from github import BadAttributeException, Github, GithubException, IncompletableObject
from github.Auth import Auth
from github.Requester import Requester

from bot.edges.github.answers import message_of, one_line
from bot.edges.github.faults import AnswerError
from bot.edges.github.transport import USER_AGENT, Reply
from bot.errors import ForgeError

API_VERSION = "2022-11-28"
PAGE = 100
"""Elements of a page of a list; without it GitHub gives 30."""

Carry = Callable[[str, str, Mapping[str, str], bytes | None], Reply]
"""`(method, url, headers, content)` -> the answer that PyGithub is to see."""


class Connection:
    """Stands where PyGithub has a session of `requests`. Several threads may be given the same one."""

    scheme = ""
    carry: Carry

    def __init__(self, host: str, port: int | None = None, **_: Any) -> None:
        self.host = host
        self._origin = f"{self.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port else ''}"
        self._local = threading.local()

    def request(self, verb: str, url: str, content: Any, headers: Mapping[str, str], stream: bool = False) -> None:
        """Take a request: an absolute path with its query, and JSON."""
        if stream or not isinstance(content, str | None):
            raise NotImplementedError("files are not exchanged with GitHub")
        encoded = content.encode() if content is not None else None
        self._local.asked = (verb, f"{self._origin}{url}", dict(headers), encoded)

    def getresponse(self) -> "Answered":
        """Send it and wait for the answer."""
        return Answered(self.carry(*self._local.asked))

    def close(self) -> None:
        """There is nothing to close."""


class Answered:
    """An answer as PyGithub reads it."""

    def __init__(self, reply: Reply) -> None:
        self.status = reply.status
        self._reply = reply

    def getheaders(self) -> ItemsView[str, str]:
        """Names and texts."""
        return self._reply.headers.items()

    def read(self) -> str:
        """The body."""
        return self._reply.body.decode("utf-8", "replace")


class OwnRequester(Requester):
    """A Requester whose copies are like it, and whose errors are ours."""

    def requestJsonAndCheck(self, *args: Any, **named: Any) -> tuple[dict[str, Any], Any]:  # noqa: N802  theirs
        """All objects, lists and writes come through here."""
        with ours():
            try:
                return super().requestJsonAndCheck(*args, **named)
            except AssertionError as error:
                told = f"GitHub's answer leads to another place ({one_line(str(error))}): check github.api"
                raise ForgeError(told) from error

    def withAuth(self, auth: Auth | None) -> "OwnRequester":  # noqa: N802
        """A copy."""
        return type(self)(**{**self.kwargs, "auth": auth})

    def withLazy(self, lazy: Any) -> "OwnRequester":  # noqa: N802
        """A copy, or itself."""
        return (
            self if lazy not in (True, False) or lazy == self.is_lazy else type(self)(**{**self.kwargs, "lazy": lazy})
        )

    def withApiVersion(self, api_version: str | None) -> "OwnRequester":  # noqa: N802
        """A copy."""
        return type(self)(**{**self.kwargs, "api_version": api_version})


@contextmanager
def ours() -> Iterator[None]:
    """PyGithub's exceptions become AnswerError or ForgeError; use it where attributes of its objects are read, too."""
    try:
        yield
    except BadAttributeException as error:
        told = f"{one_line(repr(error.actual_value))} where {error.expected_type} belongs"
        raise ForgeError(f"GitHub's answer is not as documented: {one_line(told)}") from error
    except IncompletableObject as error:
        raise ForgeError("GitHub's answer lacks the address of an object") from error
    except GithubException as error:
        said = message_of(json.dumps(error.data)) or "no reason given"
        raise AnswerError(f"GitHub answered {error.status}: {said}", error.status) from error


class OwnGithub(Github):
    """A client around such a requester."""

    def __init__(self, requester: Requester) -> None:
        super().__init__(**requester.kwargs)
        # The one private name that is touched: there is no other way to give a client its requester.
        self._Github__requester = requester

    def withLazy(self, lazy: bool) -> "OwnGithub":  # noqa: N802
        """A copy, or one around the same requester."""
        return OwnGithub(self.requester.withLazy(lazy))


def client(carry: Carry, api: str) -> Github:
    """A client of PyGithub's whose requests all go to `carry`. It waits for nothing and repeats nothing."""
    kind = cast("type[OwnRequester]", type("BoundRequester", (OwnRequester,), {}))
    connections = [
        type("BoundConnection", (Connection,), {"scheme": scheme, "carry": staticmethod(carry)})
        for scheme in ("http", "https")
    ]
    kind.injectConnectionClasses(*cast("list[Any]", connections))
    requester = kind(
        auth=None,
        base_url=api,
        timeout=0,  # not its business, as is what follows
        user_agent=USER_AGENT,
        per_page=PAGE,
        verify=True,
        retry=None,
        pool_size=None,
        api_version=API_VERSION,
    )
    return OwnGithub(requester)
