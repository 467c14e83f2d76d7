"""The dashboard as a server of its own: uvicorn on one socket, until it is interrupted."""

import errno
import socket
from collections.abc import Callable, Sequence

import uvicorn

from bot.dashboard.app import create_app
from bot.seams import InputError, Store


def serve(
    store: Store,
    host: str,
    port: int,
    hosts: Sequence[str] = (),
    announce: Callable[[str], None] | None = None,
) -> None:
    """Serve the pages until SIGINT (then KeyboardInterrupt) or SIGTERM.

    `port` 0 takes a free one. `hosts` are further names that the Host header may hold, for a server behind a
    proxy. `announce` is given the address once connections are accepted. Raises InputError when it can't listen.
    """
    with listen(host, port) as listener:
        bound, number = listener.getsockname()[:2]
        name = f"[{host}]" if ":" in host else host
        app = create_app(store, [*hosts, name, f"[{bound}]" if ":" in bound else bound])
        if announce:
            announce(f"http://{name}:{number}/")
        config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False, lifespan="off")
        uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A listening TCP socket. Raises InputError, in a line that names the option to change."""
    if not 0 <= port <= 65_535:  # getaddrinfo would take 70000 for 4464
        raise InputError(f"{port} is no port: choose one of 0 (any free one) to 65535 with --port")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise InputError(f"can't listen on {host}:{port} ({error}): choose another with --host") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        raise InputError(_cure(host, port, error)) from error
    return listener


def _cure(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is taken: choose another with --port (0 takes a free one)"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} is not open to this user: choose one of 1024 to 65535 with --port"
    return f"can't listen on {host}:{port} ({error}): choose an address of this machine with --host"
