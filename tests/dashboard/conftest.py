"""How the page tests ask: over ASGI, in the same thread, as a browser on this machine would."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from bot.dashboard.app import create_app
from bot.seams import Store

Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask() -> Ask:
    """`ask(store, path, method="GET", host="127.0.0.1:8765", hosts=())`."""
    return _ask


def _ask(
    store: Store, path: str, method: str = "GET", host: str = "127.0.0.1:8765", hosts: tuple[str, ...] = ()
) -> httpx.Response:
    async def exchange() -> httpx.Response:
        transport: Any = httpx.ASGITransport(create_app(store, hosts), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://dashboard") as client:
            return await client.request(method, path, headers={"host": host})

    return asyncio.run(exchange())
