"""What reading windows from GitHub takes: points, requests, seconds and memory, measured on the double.

Each window is collected, so that the details of its candidates are read too. The double runs in a process of its own:
the memory told is the reader's alone. Run from the top of a checkout:
    python -m tests.benchmarks.github_window [DAYS ...]
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from multiprocessing.connection import Connection
from pathlib import Path

from tests.double import Double, World, landing, seed_days

FIRST = date(2026, 9, 1)
A_DAY = 400


def serve(days: int, channel: Connection) -> None:
    """A GitHub with so many days of 400 items, until the channel is closed."""
    world = World()
    seed_days(world, FIRST, days=days, per_day=A_DAY)
    landing.commit(world.add_repository("intel/torch-xpu-ops"), "First")
    with Double(world) as double:
        channel.send((double.url, world.token))
        while channel.recv():
            channel.send((double.points, double.requests))


def measure(days: int) -> None:
    """Collect one window of so many days, and print a line."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(days, theirs))
    server.start()
    url, token = ours.recv()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith("ALIGNBOT_")},
            "ALIGNBOT_STATE": f"{folder}/state",
            "ALIGNBOT_GITHUB__API": url,
            "ALIGNBOT_GITHUB_TOKEN": token,
        }
        window = f"{FIRST}/{FIRST + timedelta(days=days)}"
        begin = time.perf_counter()
        command = [sys.executable, "-m", "bot", "collect", "--window", window, "--output", f"{folder}/w.jsonl.zst"]
        with Path(f"{folder}/said").open("w+") as said:
            reader = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
            _, status, usage = os.wait4(reader.pid, 0)
            reader.returncode = os.waitstatus_to_exitcode(status)
            taken = time.perf_counter() - begin
            said.seek(0)
            told = said.read()
        archive = Path(f"{folder}/w.jsonl.zst")
        size = archive.stat().st_size if archive.exists() else 0
    ours.send(True)
    points, requests = ours.recv()
    ours.send(False)
    server.join()
    peak_mb, size_mb = usage.ru_maxrss / 1024, size / 1e6
    print(f"{days:3} days, {days * A_DAY:6} items: {points:5} points, {requests:5} requests, {taken:6.1f} s", end=", ")
    print(f"peak memory {peak_mb:4.0f} MB, archive {size_mb:5.1f} MB, exit code {reader.returncode}", flush=True)
    if reader.returncode:
        print(told[-600:], file=sys.stderr)


if __name__ == "__main__":
    for length in map(int, sys.argv[1:] or ("1", "10", "30")):
        measure(length)
