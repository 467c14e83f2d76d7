"""The dashboard as people meet it: a real server on loopback and a real browser before it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from bot.dashboard.links import finding_url, ledger_url
from bot.dashboard.serve import listen, serve
from bot.seams import InputError
from tests.dashboard.document import Document
from tests.dashboard.fake_store import FakeStore
from tests.dashboard.sample import DAY, hostile

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVER = """
from bot.dashboard.serve import serve
from tests.dashboard.sample import hostile
serve(hostile(), "127.0.0.1", 0, announce=lambda address: print(address, flush=True))
"""


@contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server's process and its address; its store holds one hostile finding."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", SERVER]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server that all tests of this file share."""
    with serving() as (_, where):
        yield where


def browse(page: str, profile: Path) -> Document:
    """What a browser with a fresh profile makes of the page at that address."""
    assert CHROMIUM
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", page]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return Document(shown.stdout)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "Findings · alignbot"),
        ("/windows", "Windows · alignbot"),
        (ledger_url(DAY, "xpu"), "Ledger 2026-11-11 · alignbot"),
        (finding_url(hostile().findings()[0][0].fingerprint), None),
        ("/nope", "Nothing here · alignbot"),
    ],
    ids=["findings", "windows", "ledger", "finding", "problem"],
)
def test_browser_sees_text_not_markup(address, tmp_path, path, title):
    """In a real browser hostile text makes no element, and no script of its own changes the title."""
    document = browse(address.rstrip("/") + path, tmp_path)
    assert document.title != "taken"
    assert document.title == title if title else document.title.startswith("<script>document.title=")
    for tag, attributes in document.elements:
        assert tag not in {"script", "svg", "iframe", "textarea"}
        assert tag != "img" or attributes["src"] == "/static/icon.svg"
    assert ("main", {"id": "content", "tabindex": "-1"}) in document.elements


def test_server_answers_only_to_its_names(address):
    """Over a real socket a foreign Host header is refused and our own is answered."""
    assert httpx.get(address, trust_env=False).status_code == 200
    assert httpx.get(address, headers={"host": "evil.example"}, trust_env=False).status_code == 400


def test_server_does_not_name_its_software(address):
    """No header says what serves the pages."""
    assert "server" not in httpx.get(address, trust_env=False).headers


def test_interrupt_ends_the_server():
    """SIGINT ends it within seconds, as KeyboardInterrupt for the command line to answer."""
    with serving() as (process, where):
        assert httpx.get(where, trust_env=False).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (130, -signal.SIGINT)


def test_taken_port_names_the_option():
    """A port in use is a one-line error that says --port; nothing is served."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(InputError, match=rf"port {port} on 127\.0\.0\.1 is taken: .*--port") as caught:
            serve(FakeStore(), "127.0.0.1", port)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("host", "port", "option"), [("127.0.0.1", 70_000, "--port"), ("192.0.2.1", 0, "--host")])
def test_impossible_address_names_the_option(host, port, option):
    """A port out of range and an address of another machine each name the option to change."""
    with pytest.raises(InputError, match=option):
        listen(host, port)


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 on this machine")
def test_listens_on_ipv6():
    """The IPv6 loopback is as good as the other where the machine has one."""
    try:
        with listen("::1", 0) as listener:
            assert listener.family == socket.AF_INET6
    except InputError as error:
        pytest.skip(str(error))
