"""One question and its answer, by the rules that hold for both APIs: limits, credentials, and who may see what."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.edges.github.denials import denial
from bot.edges.github.faults import DeniedError, LostError, RefusedError
from bot.edges.github.limiter import Limiter
from bot.edges.github.limits import refusal
from bot.edges.github.tokens import Credentials
from bot.edges.github.transport import Reply, Transport
from bot.model import rfc3339


@dataclass(frozen=True, slots=True)
class Call:
    """A question. `path` is the REST path without the base address, `/graphql` for GraphQL."""

    method: str
    url: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    write: bool = False
    accept: frozenset[int] = frozenset()
    """Statuses that the asker wants to see, though they be denials."""


class Exchange:
    """Asks once, with these credentials."""

    def __init__(self, transport: Transport, limiter: Limiter, credentials: Credentials) -> None:
        self._transport = transport
        self.limiter = limiter
        self._credentials = credentials

    def once(self, call: Call) -> Reply:
        """The answer, whatever else its status. Nothing is asked twice.

        Raises LimitedError when GitHub may not be asked for longer than we wait, RefusedError when it refused this
        because of its limits, DeniedError when it denies it to these credentials, LostError when no answer came.
        """
        resource = resource_of(call.path)
        headers = {**call.headers, "Authorization": self._credentials.authorization()}
        self.limiter.admit(resource, write=call.write)
        try:
            reply = self._transport.send(call.method, call.url, headers, call.content)
        finally:
            if call.write:
                self.limiter.wrote()
        self.limiter.learn(resource, reply.headers)
        reply = self._without_secret(reply)
        refused = refusal(reply.status, reply.headers, reply.body, self.limiter.now())
        if refused:
            until = self.limiter.refused(resource, refused)
            if call.write and refused.kind == "unavailable":  # 503: who answered may not be who carried it out
                told = f"GitHub answered {reply.status} to {call.method} {call.path}; whether it was done is not known"
                raise LostError(told)
            said = f" ({self.hidden(refused.said)})" if refused.said else ""
            raise RefusedError(f"GitHub's limits are reached{said}: it may be asked again at {rfc3339(until)}", until)
        if reply.status < 400:
            self.limiter.accepted()
        if reply.status not in call.accept:
            self._deny(call, reply)
        return reply

    def hidden(self, text: str) -> str:
        """The text without the secret that the question was sent with."""
        return self._credentials.hidden(text)

    def _deny(self, call: Call, reply: Reply) -> None:
        denied = denial(
            reply.status,
            reply.headers,
            reply.body,
            self.limiter.clock.now(),
            path=call.path,
            source=self._credentials.source,
            needs=self._credentials.needs,
        )
        if denied:
            raise DeniedError(self.hidden(denied))

    def _without_secret(self, reply: Reply) -> Reply:
        """What GitHub or a proxy says instead of an answer is quoted in errors: it must not hold what was sent."""
        if reply.status < 300:
            return reply
        said = self.hidden(reply.body.decode("utf-8", "surrogateescape"))
        return replace(reply, body=said.encode("utf-8", "surrogateescape"))


def resource_of(path: str) -> str:
    """The budget that a request is taken from."""
    if path == "/rate_limit":
        return "rate_limit"
    if path.startswith("/search/code"):
        return "code_search"
    return path[1:].partition("/")[0] if path.startswith(("/search/", "/graphql")) else "core"
