"""The double itself: an HTTP server on loopback that answers as GitHub would, unless it was told to fail.

What goes wrong inside the double is raised where it is closed, so that a test never blames the client for it.
"""

import socket
import socketserver
import struct
import threading
import traceback
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any, Self

from tests.double.answering import Answering
from tests.double.exchange import Answer, Exchange, refusal
from tests.double.published import schema_path
from tests.double.rules import Rule, Rules
from tests.double.schema import schema
from tests.double.tokens import masked
from tests.double.world import World


@dataclass(frozen=True)
class Entry:
    """A line of the log. The token is masked; `fault` names the rules that were applied."""

    method: str
    path: str
    operation: str
    variables: dict[str, Any]
    status: int
    points: int
    token: str
    fault: str


class DoubleError(AssertionError):
    """The double did something wrong by itself."""


class Double:
    """A GitHub for a `with` block: `url` is its address, `log` what it was asked."""

    def __init__(self, world: World | None = None) -> None:
        self.world = world or World()
        self.log: list[Entry] = []
        self.failures: list[str] = []
        self.rules = Rules()
        self.closing = threading.Event()
        self._answering = Answering(self.world)
        self._listening = _Listening(self)
        self._thread = threading.Thread(
            target=self._listening.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def url(self) -> str:
        """The address that stands for `https://api.github.com`."""
        return f"http://127.0.0.1:{self._listening.server_address[1]}"

    @property
    def api_v3_url(self) -> str:
        """The address as an enterprise installation has it; GraphQL is then at `/api/graphql`."""
        return f"{self.url}/api/v3"

    @property
    def requests(self) -> int:
        """How many requests have been answered."""
        return len(self.log)

    @property
    def points(self) -> int:
        """How many GraphQL points have been spent."""
        return sum(each.points for each in self.log)

    def asked(self, *, operation: str | None = None, path: str | None = None, method: str | None = None) -> list[Entry]:
        """The lines of the log that match; `path` is what the path starts with."""
        return [
            each
            for each in self.log
            if operation in {None, each.operation}
            and (path is None or each.path.startswith(path))
            and method in {None, each.method}
        ]

    def add(self, *rules: Rule) -> None:
        """Let something go wrong from now on."""
        self.rules.add(*rules)

    def __enter__(self) -> Self:
        if schema_path() is not None:
            schema()  # a second or two, once: the first client should not wait for it
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._listening.shutdown()
        self._listening.close_all()
        self._thread.join()
        if self.failures and error is None:
            raise DoubleError("\n".join(self.failures))

    def answer(self, exchange: Exchange) -> Answer:
        """Answer one request, with the faults that apply to it, and log it."""
        rules = self.rules.applying(exchange)
        try:
            made = self._answered(exchange, rules)
        except Exception:  # noqa: BLE001  whatever it is, the client gets a 500 and the test gets the traceback
            self.failures.append(traceback.format_exc())
            made = refusal(500, "the double itself failed")
        asked = exchange.graphql or {}
        entry = Entry(
            method=exchange.method,
            path=exchange.path,
            operation=exchange.operation,
            variables=dict(asked.get("variables") or {}),
            status=made.status,
            points=exchange.points,
            token=masked(exchange.credentials),
            fault=", ".join(rule.name for rule in rules),
        )
        self.log.append(entry)
        return made

    def _answered(self, exchange: Exchange, rules: list[Rule]) -> Answer:
        made: Answer | None = None
        for rule in rules:
            made = rule.before(exchange, self.world) or made
        made = made or self._answering.answer(exchange)
        for rule in rules:
            made = rule.after(exchange, made)
        return made


class _Listening(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Accepts connections, each in its thread, and knows those that are open."""

    allow_reuse_address = True
    daemon_threads = False  # so that closing waits for them
    request_queue_size = 128

    def __init__(self, double: Double) -> None:
        self.double = double
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Conversation)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start a thread for a connection."""
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client may go away at any time; anything else is the double's own."""
        text = traceback.format_exc()
        if not text.rstrip().rpartition("\n")[2].startswith(("ConnectionResetError", "BrokenPipeError")):
            self.double.failures.append(text)

    def close_all(self) -> None:
        """End the connections that clients keep, then the server; returns when all threads have ended."""
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:  # the client was first
                    continue
        self.server_close()


class _Conversation(BaseHTTPRequestHandler):
    """The requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Listening

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        exchange = Exchange(
            method=self.command,
            target=self.path,
            headers={name.lower(): text for name, text in self.headers.items()},
            body=self.rfile.read(length) if length else b"",
            base=self.server.double.url,
        )
        self._send(self.server.double.answer(exchange))

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _answer  # noqa: N815  the names that the base class looks for

    def _send(self, answer: Answer) -> None:
        delivery = answer.delivery
        if delivery.delay_s:
            self.server.double.closing.wait(delivery.delay_s)
        if delivery.reset:
            self._reset()
            return
        if delivery.ended:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, text in answer.headers.items():
            self.send_header(name, text)
        if answer.status != 304:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        body = answer.body if delivery.sent_length is None else answer.body[: delivery.sent_length]
        if delivery.drip_s:
            self._drip(body, delivery.drip_bytes, delivery.drip_s)
        else:
            self.wfile.write(body)
        self.wfile.flush()
        if delivery.sent_length is not None:
            self.close_connection = True

    def _drip(self, body: bytes, piece: int, pause_s: float) -> None:
        for start in range(0, len(body), piece):
            self.wfile.write(body[start : start + piece])
            self.wfile.flush()
            if self.server.double.closing.wait(pause_s):
                return

    def _reset(self) -> None:
        """Drop the connection with an RST instead of an end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def send_response(self, code: int, message: str | None = None) -> None:
        """Without the base class's own Date and Server: the world's clock is the only one."""
        self.send_response_only(code, message)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the base class's name
        """The double has its own log."""
