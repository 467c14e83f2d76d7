"""What keeps other web sites and a stranger's text away from these pages: response headers and the Host check.

The pages listen on loopback without a login. A web site that points its own name at 127.0.0.1 (DNS rebinding) would
be of the same origin; it gives itself away by the Host header.
"""

from collections.abc import Sequence

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class SecurityHeaders:
    """Sets HEADERS on every response, whoever made it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI connection."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def shield(app: FastAPI, hosts: Sequence[str]) -> None:
    """Answer only to loopback names and `hosts` (names without port), and never without HEADERS."""
    allowed = [*LOOPBACK_HOSTS, *hosts]
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=allowed, www_redirect=False)
    app.add_middleware(SecurityHeaders)
