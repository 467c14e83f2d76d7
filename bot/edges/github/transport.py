"""Sends one request and gives back the whole answer, or says how it was lost. No retry, no redirect, no rule.

Everything has an end: connecting, silence, the answer as a whole, and its size.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from bot import __version__
from bot.edges.github.answers import one_line
from bot.edges.github.background import Background
from bot.edges.github.denials import PROXY_CURE
from bot.edges.github.faults import LostError, TooHeavyError
from bot.edges.github.network import Network
from bot.errors import InputError

USER_AGENT = f"alignbot/{__version__}"
MOST_BYTES = 64 << 20
"""The largest answer, uncompressed; GitHub's own stay below a tenth of it."""
CONNECT_S = 10.0
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer; header names in lower case, the body uncompressed."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport:
    """Connections to one place, kept open between requests. Any number of threads may share it; close it when done."""

    def __init__(self, network: Network, timeout_s: float, most_bytes: int = MOST_BYTES) -> None:
        self._total_s = 2 * timeout_s
        self._most_bytes = most_bytes
        self._client = httpx.AsyncClient(
            verify=network.context,
            proxy=network.proxy,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S)),
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
        )
        self._background = Background("github")

    def send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None = None) -> Reply:
        """The answer, whatever its status. Raises LostError, TooHeavyError, or InputError for what only people mend."""
        place = f"{method} {urlsplit(url).path}"
        try:
            return self._background.run(self._send(method, url, headers, content))
        except TimeoutError as error:
            told = f"GitHub took longer than {self._total_s:g} s to answer {place}"
            raise LostError(told, again=False) from error
        except httpx.InvalidURL as error:
            raise InputError("github.api is no address") from error
        except httpx.HTTPError as error:
            raise _lost(error, place) from error

    async def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> Reply:
        async with (
            asyncio.timeout(self._total_s),
            self._client.stream(method, url, headers=dict(headers), content=content) as response,
        ):
            encoding = response.headers.get("content-encoding", "identity")
            if encoding not in ("identity", "gzip"):
                raise LostError(f"GitHub answered in the encoding {one_line(encoding)}, which was not asked for")
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > self._most_bytes:
                    raise TooHeavyError(f"GitHub's answer is longer than {self._most_bytes >> 20} MiB")
            return Reply(response.status_code, dict(response.headers), bytes(body))

    def close(self) -> None:
        """Close the connections; again does nothing."""
        if not self._client.is_closed:
            self._background.run(self._client.aclose())
            self._background.close()


def _lost(error: httpx.HTTPError, place: str) -> LostError | InputError:
    """A failure of the connection in our words; theirs are often empty."""
    said = one_line(str(error)) or type(error).__name__
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return InputError(f"GitHub's certificate is not trusted ({said}): set github.ca_bundle or SSL_CERT_FILE")
    if isinstance(error, httpx.ProxyError):
        if said.startswith("407"):
            return InputError(PROXY_CURE)
        return LostError(f"the proxy leads nowhere ({said}): check github.proxy, or HTTPS_PROXY", sent=False)
    if isinstance(error, NEVER_SENT):
        return LostError(f"GitHub can't be reached for {place} ({said})", sent=False)
    if isinstance(error, httpx.TimeoutException):
        return LostError(f"GitHub did not answer {place} in time ({type(error).__name__})")
    return LostError(f"the connection to GitHub broke at {place} ({said})")
