"""Reads through GraphQL. A query changes nothing, so what passes is asked again; what is too heavy is said to be so."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.edges.github.answers import errors_of, kind_of, message_of, one_line, parsed
from bot.edges.github.exchange import Call, Exchange
from bot.edges.github.faults import LostError, TooHeavyError
from bot.edges.github.patience import patiently
from bot.edges.github.transport import Reply
from bot.errors import ForgeError, InputError

__all__ = ["Answer", "GraphQL", "TooHeavyError", "graphql_url"]

HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}
HEAVY_TYPES = {"RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED"}
HEAVY = re.compile(
    r"resource limits for this query exceeded|something went wrong while executing.*timeout", re.I | re.S
)
PASSING = re.compile(r"something went wrong while executing", re.I)
PARTIAL_TYPES = {"NOT_FOUND", "FORBIDDEN"}
"""Errors of one node: its place in the data is null, the rest is whole."""
GATEWAY = (502, 504)
"""What GitHub answers when it gave a query up after ten seconds, and at times for no reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What GraphQL answered."""

    data: dict[str, Any]
    errors: tuple[dict[str, Any], ...]
    """Why parts of the data are null: errors of type NOT_FOUND or FORBIDDEN, with their `path`."""
    raw: bytes
    """The answer as it came."""


class GraphQL:
    """The GraphQL API, for reading only."""

    def __init__(self, exchange: Exchange, url: str, sleep: Callable[[float], None]) -> None:
        self._exchange = exchange
        self._url = url
        self._sleep = sleep

    def ask(self, document: str, variables: Mapping[str, Any], operation: str) -> Answer:
        """The answer to the document's query of that name.

        Raises TooHeavyError when less must be asked for at once, LimitedError when GitHub may not be asked before a
        time, InputError for what a person must mend, ForgeError for everything else. What is lost is asked again,
        up to three times in all.
        """
        if re.search(r"^\s*(mutation|subscription)\b", document, re.M):
            raise ValueError(f"{operation} is no query: only what changes nothing may be asked twice")
        asked = {"query": document, "variables": dict(variables), "operationName": operation}
        call = Call("POST", self._url, "/graphql", HEADERS, json.dumps(asked).encode())
        given_up = 0

        def once() -> Answer:
            nonlocal given_up
            reply = self._exchange.once(call)
            given_up += reply.status in GATEWAY
            if given_up > 1 and reply.status in GATEWAY:
                raise TooHeavyError(f"GitHub gives {operation} up ({reply.status} twice): it takes too long")
            return self._read(reply, operation)

        return patiently(once, self._sleep)

    def _read(self, reply: Reply, operation: str) -> Answer:
        if reply.status == 404:
            raise InputError(f"there is no GraphQL at {self._url}: check github.api")
        if 300 <= reply.status < 500:
            told = reply.headers.get("location", "") or message_of(reply.body)
            raise ForgeError(f"GitHub answered {reply.status} to {operation} ({one_line(told)})")
        content = _object(reply, operation)
        errors = errors_of(content)
        self._complain(errors, operation)
        if reply.status >= 500:
            raise LostError(f"GitHub answered {reply.status} to {operation}")
        data = content.get("data")
        if not isinstance(data, dict) or len(errors) != len(content.get("errors") or ()):
            said = self._exchange.hidden(one_line(str(errors[0].get("message")))) if errors else "no reason given"
            raise ForgeError(f"GitHub does not answer {operation}: {said}")
        self._learn(data.get("rateLimit"))
        return Answer(data, errors, reply.body)

    def _complain(self, errors: Sequence[Mapping[str, Any]], operation: str) -> None:
        """Raises for the first error that is not one of a single node."""
        for error in errors:
            kind, message = kind_of(error), str(error.get("message") or "no reason given")
            said = self._exchange.hidden(one_line(message))
            if kind in HEAVY_TYPES or HEAVY.search(message):
                raise TooHeavyError(f"GitHub finds {operation} too heavy ({said})")
            if PASSING.search(message):
                raise LostError(f"GitHub failed at {operation} ({said})")
            if kind not in PARTIAL_TYPES:
                raise ForgeError(f"GitHub does not answer {operation}: {said}")

    def _learn(self, told: Any) -> None:
        """Pass on what `rateLimit` says; an enterprise server without limits gives null."""
        try:
            reset_at = datetime.fromisoformat(told["resetAt"]).astimezone(UTC)
            self._exchange.limiter.learn_points(int(told["cost"]), int(told["remaining"]), reset_at)
        except (KeyError, TypeError, ValueError):
            return


def _object(reply: Reply, operation: str) -> dict[str, Any]:
    """The JSON object in an answer; empty where GitHub's own failure (5xx) has none. Raises LostError elsewhere."""
    try:
        content = parsed(reply.body)
    except ValueError as error:
        if reply.status < 500:
            raise LostError(f"GitHub's answer to {operation} is no JSON, or only half of it") from error
        return {}
    if not isinstance(content, dict) or not (content.get("data") or content.get("errors") or reply.status >= 500):
        raise LostError(f"GitHub's answer to {operation} holds neither data nor errors")
    return content


def graphql_url(api: str) -> str:
    """`https://github.example.com/api/v3` -> `https://github.example.com/api/graphql`; else beside the base."""
    return f"{api.rstrip('/').removesuffix('/v3')}/graphql"
