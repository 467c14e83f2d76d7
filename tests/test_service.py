"""What runs for long: the daemon until it is told to stop, the dashboard over a real store."""

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot import wire
from bot.pipeline import scan
from tests.conftest import Alignbot, one_line
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

PATIENCE_S = 60
"""After this a service that stays silent is killed, and its test fails."""


def scanned(state: Path) -> None:
    """Leave the sample's cases in a state folder, answered from the recording."""
    state.mkdir()
    store = open_store(state)
    scan(sample(), WINDOW, recorded_line(store, state, clock=wire.SystemClock()), Silent())
    store.close()


@contextmanager
def started(state: Path, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """`alignbot` in the background; killed when the test is over, however it ends."""
    service = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "bot", *arguments],
        env={**os.environ, "ALIGNBOT_STATE": str(state), "ALIGNBOT_DAEMON__EVERY": "3600", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watchdog = threading.Timer(PATIENCE_S, service.kill)
    watchdog.start()
    try:
        yield service
    finally:
        watchdog.cancel()
        service.kill()
        service.communicate()


def test_daemon_ticks_at_once_and_stops_when_told(tmp_path: Path) -> None:
    """The first tick comes at once and writes the report; SIGTERM ends the service with exit code 0."""
    state, out = tmp_path / "state", tmp_path / "out"
    scanned(state)
    with started(state, "daemon", "--sample", "--device", "cpu", "--out", str(out)) as service:
        assert service.stderr is not None
        ticked = next(line for line in service.stderr if '"event": "window scanned"' in line)
        service.send_signal(signal.SIGTERM)
        service.communicate(timeout=30)
    assert json.loads(ticked)["outcomes"]["finding"] == 1
    assert (out / "report.md").is_file()
    assert service.returncode == 0


def test_daemon_survives_a_bad_tick(tmp_path: Path) -> None:
    """A tick that can't read its archive is told as an error, and the service goes on until it is stopped."""
    archive = tmp_path / "items.jsonl"
    archive.write_text("no json\n", "utf-8")
    arguments = ["daemon", "--archive", str(archive), "--device", "cpu", "--out", str(tmp_path / "out")]
    (tmp_path / "items.window.json").write_text('{"window": "2026-11-11"}', "utf-8")
    with started(tmp_path / "state", *arguments) as service:
        assert service.stderr is not None
        failed = next(line for line in service.stderr if "tick failed" in line)
        assert service.poll() is None
        service.send_signal(signal.SIGTERM)
        service.communicate(timeout=30)
    assert "items.jsonl, line 1: no JSON" in failed
    assert service.returncode == 0


def test_daemon_once_fails_as_scan_does(alignbot: Alignbot, tmp_path: Path) -> None:
    """An error of the only tick is the command's error: one line, exit code 2."""
    done = alignbot(
        "daemon", "--once", "--archive", tmp_path / "absent.jsonl", "--device", "cpu", state=tmp_path / "state"
    )
    assert "does not say its window" in one_line(done)


def test_dashboard_shows_what_the_store_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`alignbot dashboard` serves a scan's finding from the database, also by its set names; SIGTERM ends it with 0."""
    monkeypatch.setenv("ALIGNBOT_DASHBOARD__HOSTS", '["proxy.example"]')
    state = tmp_path / "state"
    scanned(state)
    with started(state, "dashboard", "--port", "0") as service:
        assert service.stdout is not None
        address = service.stdout.readline().split()[-1]
        page = urllib.request.urlopen(address, timeout=20).read().decode()
        by_proxy = urllib.request.Request(address, headers={"Host": "proxy.example"})
        assert urllib.request.urlopen(by_proxy, timeout=20).status == 200
        windows = urllib.request.urlopen(f"{address}windows", timeout=20).read().decode()
        ledger_of = f"{address}windows/ledger?window=2026-11-11T00:00:00Z/2026-11-12T00:00:00Z&device=cpu"
        ledger = urllib.request.urlopen(ledger_of, timeout=20).read().decode()
        service.send_signal(signal.SIGTERM)
        service.communicate(timeout=30)
    assert service.returncode == 0
    assert "grid_sampler_2d_backward" in page
    assert "2026-11-11" in windows
    assert ledger.count("In the chain of") == 1
    assert ">merged<" in ledger
