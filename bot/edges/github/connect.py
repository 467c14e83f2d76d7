"""Joins the parts: one limiter, one transport and one set of credentials for both APIs."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from bot.edges.github.access import Access
from bot.edges.github.exchange import Exchange
from bot.edges.github.graphql import GraphQL, graphql_url
from bot.edges.github.installation import Installation
from bot.edges.github.limiter import Limiter
from bot.edges.github.network import network
from bot.edges.github.rest import Rest
from bot.edges.github.tokens import READER, AppKey, Credentials, Place, credentials
from bot.edges.github.transport import Transport
from bot.seams import Clock


@dataclass(frozen=True, slots=True)
class Forge:
    """GitHub, open until it is closed."""

    graphql: GraphQL
    rest: Rest
    limiter: Limiter
    _transport: Transport

    def require(self, *, points: int = 0, requests: int = 0) -> None:
        """Make sure that a scan can be paid for before it starts; see `Limiter.require`. Asks GitHub what is left."""
        self.rest.budgets()
        self.limiter.require("graphql", points)
        self.limiter.require("core", requests)

    def close(self) -> None:
        """Close the connections; again does nothing."""
        self.rest.close()
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def connect(
    access: Access,
    upstream_repo: str,
    clock: Clock,
    environ: Mapping[str, str] = os.environ,
    *,
    sleep: Callable[[float], None] = time.sleep,
    place: Place = READER,
    writes: bool = False,
) -> Forge:
    """GitHub as these settings have it; asks it nothing yet. `writes` makes `rest` a client that writes.

    Raises InputError that names the setting when there is no token, or a file, key, proxy or bundle can't be used.
    """
    api = access.api.rstrip("/")
    limiter = Limiter(clock, sleep, access.max_wait)
    who = credentials(access, environ, limiter.now, place)
    transport = Transport(network(api, access.proxy, access.ca_bundle, environ), access.timeout_s)
    asking: Credentials
    if isinstance(who, AppKey):
        app = Exchange(transport, limiter, who)
        asking = Installation(app, who, api, access.app_installation_id, upstream_repo, sleep)
    else:
        asking = who
    exchange = Exchange(transport, limiter, asking)
    return Forge(
        GraphQL(exchange, graphql_url(api), sleep), Rest(exchange, api, sleep, writes=writes), limiter, transport
    )
