"""GitHub's REST interface over the world: which route a request takes, and the answers that all routes share."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlencode

from tests.double.ask import denied, visible
from tests.double.exchange import Answer, Exchange, as_json, refusal
from tests.double.limits import Spending
from tests.double.nouns import Kind, Presence, Thread
from tests.double.world import Repository, World

PAGE, LARGEST_PAGE = 30, 100


class Ended(Exception):  # noqa: N818  an answer, not a fault
    """The request is answered already."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


@dataclass
class Call:
    """A request on its way through the routes."""

    world: World
    spending: Spending
    exchange: Exchange
    found: Repository | None = None

    @property
    def base(self) -> str:
        """The server's own address."""
        return self.exchange.base

    @property
    def repository(self) -> Repository:
        """The repository of a route that is under one."""
        assert self.found is not None
        return self.found

    @property
    def sent(self) -> dict[str, Any]:
        """The body, where it has to be an object."""
        if not isinstance(self.exchange.sent, dict):
            raise Ended(refusal(400, "Problems parsing JSON"))
        return self.exchange.sent

    def may_read(self, permission: str) -> None:
        """End the request where the token may not read that."""
        refused = denied(self.exchange.token, self.repository, permission)
        if refused is not None:
            message = refused[1] if refused[0] == "FORBIDDEN" else "Resource not accessible by personal access token"
            raise Ended(refusal(403, message))

    def may_write(self, permission: str) -> str:
        """End the request where the token may not write that; the login of who writes."""
        token = self.exchange.token
        if token is None:
            raise Ended(refusal(401, "Requires authentication"))
        if not token.may(permission, "write", self.repository.name):
            raise Ended(refusal(403, token.refusal))
        if self.repository.archived:
            raise Ended(refusal(403, "Repository was archived so is read-only."))
        return token.login

    def thread(self, number: str, *kinds: Kind) -> Thread:
        """The thread of a number; 410 where it was deleted, 301 where it was moved, 404 where there is none to see."""
        held = self.repository.threads.get(int(number))
        if held is not None and held.presence is Presence.DELETED and Kind.ISSUE in kinds:
            raise Ended(refusal(410, "This issue was deleted"))
        if held is not None and held.moved_to is not None and held.kind in kinds:
            target = self.world.repository(held.moved_to[0])
            assert target is not None
            raise Ended(moved(f"{self.base}/repositories/{target.database_id}/issues/{held.moved_to[1]}"))
        found = self.repository.thread(int(number), *kinds)
        if found is None:
            raise Ended(missing())
        return found

    def number(self, name: str, otherwise: int, largest: int | None = None) -> int:
        """A number of the query; what is none, or too small, is as if it were not there."""
        text = self.exchange.query.get(name, "")
        given = int(text) if text.isdigit() and int(text) > 0 else otherwise
        return given if largest is None else min(given, largest)

    def page(self, items: Sequence[Any], shape: Callable[[Any], Any]) -> Answer:
        """The page of a list that was asked for, with links to the others at this server's own address."""
        size, at = self.number("per_page", PAGE, LARGEST_PAGE), self.number("page", 1)
        shown = [shape(each) for each in items[(at - 1) * size : at * size]]
        return as_json(200, shown, self.links(len(items), size, at))

    def links(self, total: int, size: int, at: int) -> dict[str, str]:
        """The Link header."""
        last = max(1, -(-total // size))
        places = {"prev": at - 1, "next": at + 1, "last": last, "first": 1}
        wanted = [name for name, place in places.items() if (place > at and at < last) or (place < at and place > 0)]
        path = self.exchange.path
        if self.found is not None:
            path = re.sub(r"^/repos/[^/]+/[^/]+", f"/repositories/{self.found.database_id}", path)
        parts = [
            f'<{self.base}{path}?{urlencode({**self.exchange.query, "page": places[name]})}>; rel="{name}"'
            for name in wanted
        ]
        return {"Link": ", ".join(parts)} if parts else {}


Route = tuple[str, re.Pattern[str], Callable[..., Answer]]


def missing() -> Answer:
    """What is not there, and what one may not know of."""
    return refusal(404, "Not Found")


def moved(url: str) -> Answer:
    """301 to another address of this server."""
    return refusal(301, "Moved Permanently", {"Location": url}, url=url)


def route(method: str, path: str, answer: Callable[..., Answer]) -> Route:
    """A route; `{}` in the path is a segment and an argument, `{number}` one of digits, `{path}` all the rest."""
    pattern = path.replace("{number}", r"(\d+)").replace("{path}", "(.+)").replace("{}", "([^/]+)")
    return method, re.compile(pattern), answer


def answer(
    world: World, spending: Spending, exchange: Exchange, places: Sequence[Route], under: Sequence[Route]
) -> Answer:
    """Find the route and take it: `places` are those of the whole server, `under` those of a repository."""
    call = Call(world, spending, exchange)
    try:
        rest = _enter(call)
        return _take(call, exchange.path, places) if rest is None else _take(call, rest, under)
    except Ended as ended:
        return ended.answer


def _take(call: Call, path: str, routes: Sequence[Route]) -> Answer:
    for method, pattern, take in routes:
        match = pattern.fullmatch(path)
        if match and method == call.exchange.method:
            return take(call, *map(unquote, match.groups()))
    return missing()


def _enter(call: Call) -> str | None:
    """Find the repository of an address and give the rest of it; None where it is under no repository."""
    path = call.exchange.path
    named = re.match(r"/repos/([^/]+/[^/]+)", path)
    numbered = re.match(r"/repositories/(\d+)", path)
    match = named or numbered
    if match is None:
        return None
    rest = path[match.end() :]
    found = call.world.repository(match[1]) if named else call.world.repository_by_id(int(match[1]))
    if found is None or not visible(call.exchange.token, found):
        raise Ended(missing())
    if named and found.name.lower() != match[1].lower():
        question = f"?{urlencode(call.exchange.query)}" if call.exchange.query else ""
        raise Ended(moved(f"{call.base}/repositories/{found.database_id}{rest}{question}"))
    call.found = found
    return rest
