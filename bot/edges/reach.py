"""GitHub as a doctor sees it: whether it answers at all, who one is there, and what the App's installation may do."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from stat import S_IROTH
from typing import Any

from bot.edges.github.access import Access
from bot.edges.github.answers import content_of, message_of
from bot.edges.github.documents import Document
from bot.edges.github.exchange import Call, Exchange
from bot.edges.github.limiter import Limiter
from bot.edges.github.limits import http_date
from bot.edges.github.network import network, proxy_for
from bot.edges.github.tokens import AppKey, Token, credentials
from bot.edges.github.transport import Reply, Transport
from bot.seams import Clock, ForgeError

JSON = {"Accept": "application/vnd.github+json"}
FREE = "/rate_limit"
"""The one address that GitHub answers to everybody and takes off no budget."""

VIEWER = Document("Viewer", "query Viewer { viewer { login } rateLimit { cost remaining resetAt } }")
REPOSITORY = Document(
    "Repository",
    """
query Repository($owner: String!, $name: String!) {
  rateLimit { cost remaining resetAt }
  repository(owner: $owner, name: $name) {
    nameWithOwner isPrivate
    defaultBranchRef { name target { oid } }
    object(expression: "HEAD") { oid }
    issues(first: 1) { nodes { number } }
    pullRequests(first: 1) { nodes { number } }
  }
}
""",
)
"""One item of each kind that a scan reads, so that a permission that lacks is told."""


@dataclass(frozen=True, slots=True)
class Reached:
    """An answer to who has no credentials."""

    status: int
    is_json: bool
    said: str
    location: str
    milliseconds: float
    """As a first question takes: names are looked up and the connection is made."""
    proxy: str
    """Its address and the setting that names it; empty where there is none."""
    ahead_s: float | None
    """How far our clock is before GitHub's, as far as the answer proves; None where it does not say its own time."""


def reach(access: Access, clock: Clock, environ: Mapping[str, str] = os.environ) -> Reached:
    """Ask without credentials. Raises LostError where no answer comes, InputError for what a person must mend."""
    api = access.api.rstrip("/")
    way = network(api, access.proxy, access.ca_bundle, environ)
    transport = Transport(way, access.timeout_s)
    try:
        sent_at, began = clock.now(), time.monotonic()
        reply = transport.send("GET", f"{api}{FREE}", JSON)
        took_s, received_at = time.monotonic() - began, clock.now()
    finally:
        transport.close()
    setting = "github.proxy" if access.proxy else proxy_for(api, environ)[0]
    return Reached(
        status=reply.status,
        is_json=bool(content_of(reply.body)),
        said=message_of(reply.body) if reply.status >= 300 else "",
        location=reply.headers.get("location", ""),
        milliseconds=1000 * took_s,
        proxy=f"{way.proxy.url} ({setting})" if way.proxy else "",
        ahead_s=_ahead_s(reply, sent_at, received_at),
    )


def _ahead_s(reply: Reply, sent_at: datetime, received_at: datetime) -> float | None:
    """GitHub said its time, cut to whole seconds, at some moment in between: only what lies outside is wrong."""
    theirs = None if "age" in reply.headers else http_date(reply.headers.get("date", ""))
    if theirs is None:
        return None
    early, late = (sent_at - theirs).total_seconds() - 1, (received_at - theirs).total_seconds()
    return early if early > 0 else min(late, 0.0)


def who(access: Access, clock: Clock, environ: Mapping[str, str] = os.environ) -> Token | AppKey:
    """The credentials in force, for where they come from. Raises InputError where there are none to be used."""
    return credentials(access, environ, clock.now)


def open_secret(access: Access) -> Path | None:
    """The file with the token or the key, where anybody on this machine may read it."""
    path = access.app_key_file or access.token_file
    found = path.expanduser() if path else None
    return found if found and found.exists() and found.stat().st_mode & S_IROTH else None


def granted(access: Access, key: AppKey, upstream_repo: str, clock: Clock) -> dict[str, str]:
    """The permissions of the App's installation, name to `read` or `write`. Raises ForgeError, InputError."""
    api = access.api.rstrip("/")
    transport = Transport(network(api, access.proxy, access.ca_bundle, os.environ), access.timeout_s)
    try:
        exchange = Exchange(transport, Limiter(clock, max_wait=access.max_wait), key)
        number = access.app_installation_id
        path = f"/app/installations/{number}" if number else f"/repos/{upstream_repo}/installation"
        reply = exchange.once(Call("GET", f"{api}{path}", path, JSON))
    finally:
        transport.close()
    permissions: Any = content_of(reply.body).get("permissions")
    if not isinstance(permissions, dict):
        raise ForgeError(f"GitHub does not tell what the App may ({reply.status} {message_of(reply.body)})")
    return {str(name): str(level) for name, level in permissions.items()}
