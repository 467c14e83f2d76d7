"""How the double's own tests ask it: plain HTTP, so that no client of ours stands between."""

import ssl
from typing import Any

import httpx
import pytest

from tests.double.published import MISSING, description_path, schema_path
from tests.double.server import Double

needs_schema = pytest.mark.skipif(schema_path() is None, reason=MISSING)
needs_description = pytest.mark.skipif(description_path() is None, reason=MISSING)
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Saves reading the machine's certificates for every request; there is no TLS here."""

HERE = 'repository(owner: "pytorch", name: "pytorch")'


def post(double: Double, query: str, token: str | None = None, **variables: Any) -> httpx.Response:
    """Send a GraphQL query."""
    return call(double, "POST", "/graphql", {"query": query, "variables": variables}, token)


def ask(double: Double, query: str, **variables: Any) -> dict[str, Any]:
    """What a GraphQL query answers: `data` and `errors`."""
    answered: dict[str, Any] = post(double, query, **variables).json()
    return answered


def call(
    double: Double, method: str, path: str, content: Any = None, token: str | None = None, **headers: str
) -> httpx.Response:
    """Send a request under the world's own token or another; with an empty one, under none."""
    chosen = double.world.token if token is None else token
    proof = {"Authorization": f"Bearer {chosen}"} if chosen else {}
    kept = {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.request(method, double.url + path, json=content, headers={**proof, **kept}, timeout=20, verify=PLAIN)


def numbers(double: Double, document: str, kind: str = "issues", between: Any = None) -> list[int]:
    """The numbers on all pages of a connection; `between` is called after the first page."""
    found: list[int] = []
    after = None
    while True:
        connection = ask(double, document, after=after)["data"]["repository"][kind]
        found.extend(each["number"] for each in connection["nodes"])
        if not connection["pageInfo"]["hasNextPage"]:
            return found
        if after is None and between is not None:
            between()
        after = connection["pageInfo"]["endCursor"]
