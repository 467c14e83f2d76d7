"""Faults of GraphQL's and of search's own: answers that look well and are not whole."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from graphql import GraphQLError

from tests.double.exchange import Answer, Exchange, as_json
from tests.double.graphql import price
from tests.double.refusal import Refused
from tests.double.rules import Rule
from tests.double.schema import read
from tests.double.world import World

TIMEOUT = (
    "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub "
    "bug. Please include `A000:1B2C:3D4E:5F60` when reporting this issue."
)
RESOURCES = "Resource limits for this query exceeded."


def timed_out(**when: Any) -> Rule:
    """200, with nothing but the message that the query took too long."""
    return Rule("timed out", before=lambda *_: _timeout(200), **when)


def _timeout(code: int) -> Answer:
    return as_json(code, {"data": None, "errors": [{"message": TIMEOUT}]})


def heavy_pages(limit: int, code: int = 502, times: int | None = None, **when: Any) -> Rule:
    """A query with a connection of more than `limit` nodes to a page never ends: 502 (or 200) and the message."""

    def before(exchange: Exchange, _: World) -> Answer | None:
        return _timeout(code) if _largest_page(exchange) > limit else None

    return Rule("heavy pages", before=before, times=times, **when)


def _largest_page(exchange: Exchange) -> int:
    """The largest page that a GraphQL request asks for; 0 where it is none or wrong."""
    asked = exchange.graphql or {}
    document, wrong = read(str(asked.get("query", "")))
    if document is None or wrong:
        return 0
    try:
        return price(document, asked.get("operationName"), asked.get("variables") or {}).largest_page
    except (Refused, GraphQLError):
        return 0


def partial(keep: int = 0, **when: Any) -> Rule:
    """Partial results: of each outer list of nodes the first `keep` are there, the others null with an error each."""

    def after(_: Exchange, answer: Answer) -> Answer:
        content = answer.content
        errors = content.setdefault("errors", [])
        for path, nodes in _outer_nodes(content.get("data"), []):
            for place in range(keep, len(nodes)):
                nodes[place] = None
                errors.append(
                    {
                        "type": "RESOURCE_LIMITS_EXCEEDED",
                        "path": [*path, place],
                        "locations": [{"line": 1, "column": 1}],
                        "message": RESOURCES,
                    }
                )
        return as_json(answer.status, content, answer.headers)

    return Rule("partial", after=after, **when)


def _outer_nodes(content: Any, path: list[str]) -> Iterator[tuple[list[str], list[Any]]]:
    """The outermost lists called `nodes`, with their paths."""
    if not isinstance(content, dict):
        return
    for name, below in content.items():
        if name == "nodes" and isinstance(below, list):
            yield [*path, name], below
        else:
            yield from _outer_nodes(below, [*path, name])


def incomplete(times: int | None = None, **when: Any) -> Rule:
    """REST search says `incomplete_results`."""

    def before(exchange: Exchange, _: World) -> None:
        exchange.settings.incomplete = True

    return Rule("incomplete", before=before, times=times, **when)


def search_lag(indexed_until: datetime, times: int | None = None, **when: Any) -> Rule:
    """Search has not seen what was opened later."""

    def before(exchange: Exchange, _: World) -> None:
        exchange.settings.indexed_until = indexed_until

    return Rule("search lag", before=before, times=times, **when)


def clock_ahead(seconds: float, times: int | None = None, **when: Any) -> Rule:
    """The server's `Date` is off by that much."""

    def before(exchange: Exchange, _: World) -> None:
        exchange.settings.clock_ahead_s = seconds

    return Rule("clock ahead", before=before, times=times, **when)
