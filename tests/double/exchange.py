"""A request and its answer as values, between the socket and the world."""

import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.double.ask import Settings
from tests.double.tokens import Token

OPERATION = re.compile(r"\b(?:query|mutation)\s+([A-Za-z_]\w*)\s*[({@]")


@dataclass
class Exchange:
    """One request: what came, who asks, and what faults have set for it. `base` is this server's own address."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    base: str
    path: str = ""
    query: dict[str, str] = field(default_factory=dict)
    sent: Any = None
    """The body, read; None where there is none or it is no JSON."""
    token: Token | None = None
    settings: Settings = field(default_factory=Settings)
    points: int = 0
    """What the request cost in GraphQL points."""

    def __post_init__(self) -> None:
        parts = urlsplit(self.target)
        self.query = dict(parse_qsl(parts.query, keep_blank_values=True))
        self.path = parts.path
        for prefix in ("/api/v3", "/api"):
            if self.path == prefix or self.path.startswith(f"{prefix}/"):
                self.base, self.path = f"{self.base}/api/v3", self.path.removeprefix(prefix) or "/"
                break
        if self.body:
            try:
                self.sent = json.loads(self.body)
            except ValueError:
                self.sent = None

    @property
    def graphql(self) -> dict[str, Any] | None:
        """The GraphQL request; None where it is none."""
        return self.sent if self.path == "/graphql" and isinstance(self.sent, dict) else None

    @property
    def operation(self) -> str:
        """The name of the GraphQL operation; empty where there is none."""
        if self.graphql is None:
            return ""
        named = self.graphql.get("operationName")
        if named:
            return str(named)
        found = OPERATION.search(str(self.graphql.get("query", "")))
        return found[1] if found else ""

    @property
    def credentials(self) -> str:
        """The token's value as it was sent; empty where none was."""
        kind, _, value = self.headers.get("authorization", "").partition(" ")
        return value.strip() if kind.lower() in {"bearer", "token"} else ""


@dataclass
class Delivery:
    """How an answer travels: faults of the wire are set here."""

    delay_s: float = 0.0
    drip_s: float = 0.0
    """Pause between pieces of the body."""
    drip_bytes: int = 1
    sent_length: int | None = None
    """How many bytes of the body are sent before the connection closes; the length is announced in full."""
    reset: bool = False
    """Nothing is sent: the connection is reset."""
    ended: bool = False
    """Nothing is sent: the connection ends in order."""


@dataclass
class Answer:
    """A status, headers and a body."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delivery: Delivery = field(default_factory=Delivery)

    @property
    def content(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


def as_json(status: int, content: Any, headers: dict[str, str] | None = None) -> Answer:
    """An answer of JSON."""
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return Answer(status, body, {"Content-Type": "application/json; charset=utf-8", **(headers or {})})


def refusal(status: int, message: str, headers: dict[str, str] | None = None, **more: Any) -> Answer:
    """An error as GitHub's REST interface writes it."""
    content = {"message": message, **more, "documentation_url": "https://docs.github.com/rest", "status": str(status)}
    return as_json(status, content, headers)
