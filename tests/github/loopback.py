"""Servers on loopback that answer by a script, with every fault of a network; and a clock that waits for nobody."""

import json
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from bot.edges.github.access import Access
from bot.edges.github.connect import Forge, connect

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"  # noqa: S105  GitHub's own example
START = datetime(2026, 11, 12, 6, tzinfo=UTC)


class Time:
    """A clock that stands still but for those who sleep on it."""

    def __init__(self, moment: datetime = START) -> None:
        self.moment = moment
        self.slept: list[float] = []
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """The moment."""
        with self._lock:
            return self.moment

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        with self._lock:
            self.slept.append(seconds)
            self.moment += timedelta(seconds=seconds)


@dataclass(frozen=True)
class Told:
    """One answer. `fault`: `reset` and `close` say nothing, `cut` half of the body, `drip` a byte every 50 ms,
    `drip-head` the same from the first line on, `hang` nothing for ever."""

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""

    def encoded(self) -> bytes:
        """The body; what is no bytes is JSON."""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def content(self) -> Any:
        """The body's JSON."""
        return json.loads(self.body)


class Server:
    """Tells its answers in order, the last one for ever."""

    def __init__(self, *script: Told, tls: ssl.SSLContext | None = None, clock: Time | None = None) -> None:
        self.script = list(script)
        self.asked: list[Asked] = []
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.clock = clock or Time()
        server = self

        class Handler(Script):
            owner = server

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]  clients go away in these tests
        if tls:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True, do_handshake_on_connect=False)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._scheme = "https" if tls else "http"

    @property
    def url(self) -> str:
        """Its base address."""
        return f"{self._scheme}://127.0.0.1:{self._http.server_port}"

    def next(self, asked: Asked) -> Told:
        """The next answer."""
        with self.lock:
            self.asked.append(asked)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class Script(BaseHTTPRequestHandler):
    """Answers one connection's requests."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 10
    owner: Server

    def answer(self) -> None:
        """Tell the next answer."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): text for name, text in self.headers.items()}
        told = self.owner.next(Asked(self.command, self.path, headers, body, time.monotonic()))
        if told.fault in ("reset", "close"):
            self.break_off(reset=told.fault == "reset")
            return
        if told.fault == "hang":
            self.owner.over.wait(30)
            self.close_connection = True
            return
        body = told.encoded()
        date = format_datetime(self.owner.clock.now(), usegmt=True)
        self.send_response_only(told.status)
        for name, text in ({"Date": date, "Content-Type": "application/json"} | dict(told.headers)).items():
            self.send_header(name, text.replace("{base}", self.owner.url))
        self.send_header("Content-Length", str(len(body)))
        if told.fault == "drip-head":
            self.drip(b"".join(self._headers_buffer))  # type: ignore[attr-defined]
            return
        self.end_headers()
        if told.fault == "drip":
            self.drip(body)
        elif told.fault == "cut":
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        else:
            self.wfile.write(body)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer  # noqa: N815

    def drip(self, content: bytes) -> None:
        """A byte at a time, until the other side has had enough."""
        for byte in content:
            if self.owner.over.wait(0.05):
                break
            self.wfile.write(bytes([byte]))
        self.close_connection = True

    def break_off(self, *, reset: bool) -> None:
        """End the connection, properly or not."""
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Silent."""


class Proxy(BaseHTTPRequestHandler):
    """A forward proxy for one connection: absolute addresses, and tunnels."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    seen: list[str]
    password = ""

    def forward(self) -> None:
        """Ask the server and pass on what it says."""
        self.seen.append(f"{self.command} {self.path}")
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.refused():
            return
        host, _, path = self.path.removeprefix("http://").partition("/")
        with closing(HTTPConnection(host, timeout=10)) as server:
            kept = {name: text for name, text in self.headers.items() if not name.lower().startswith("proxy-")}
            server.request(self.command, f"/{path}", body, kept)
            told = server.getresponse()
            content = told.read()
        self.send_response_only(told.status)
        for name, text in told.getheaders():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = forward  # noqa: N815

    def do_CONNECT(self) -> None:
        """Let bytes through both ways."""
        self.seen.append(f"CONNECT {self.path}")
        if self.refused():
            return
        host, _, port = self.path.partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as there:
            self.send_response_only(200)
            self.end_headers()
            ends = {self.connection: there, there: self.connection}
            while ready := select.select(list(ends), [], [], 10)[0]:
                for end in ready:
                    chunk = end.recv(65_536)
                    if not chunk:
                        self.close_connection = True
                        return
                    ends[end].sendall(chunk)

    def refused(self) -> bool:
        """Does it want a password that was not given?"""
        if not self.password or self.headers.get("proxy-authorization") == self.password:
            return False
        self.send_response_only(407)
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Silent."""


@contextmanager
def proxying(password: str = "", tls: ssl.SSLContext | None = None) -> Iterator[tuple[str, list[str]]]:
    """A proxy's address and what it was asked for; `password` is the whole header that it wants."""
    seen: list[str] = []
    handler = type("Handler", (Proxy,), {"seen": seen, "password": password})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def connected(
    server: Server,
    *,
    clock: Time | None = None,
    environ: Mapping[str, str] | None = None,
    writes: bool = False,
    **access: Any,
) -> Iterator[Forge]:
    """GitHub behind a scripted server, with a token unless `environ` says otherwise, on the server's clock."""
    time = clock or server.clock
    settings = Access(**{"api": server.url, "timeout_s": 5.0, **access})
    environ = {"ALIGNBOT_GITHUB_TOKEN": SECRET} if environ is None else environ
    with connect(settings, "pytorch/pytorch", time, environ, sleep=time.sleep, writes=writes) as forge:
        yield forge


def limits(remaining: int, reset: datetime, limit: int = 5000, resource: str = "") -> dict[str, str]:
    """GitHub's headers of a budget."""
    headers = {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": str(int(reset.timestamp())),
    }
    return headers | ({"X-RateLimit-Resource": resource} if resource else {})
