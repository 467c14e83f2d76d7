"""The harness's protocol without torch: `observe.py JOB.json SCRIPT.py CHANNEL CRUMB`, a run of milliseconds.

It sets no limits of its own: what these tests see is the sandbox and the supervisor.
"""

import contextlib
import hashlib
import importlib
import json
import mmap
import os
import sys
from pathlib import Path
from typing import Any


def main(job_path: str, script_path: str, descriptor: str, crumb: str, *, forked: bool = False) -> int:
    """Run the script; the exit code is its own."""

    def emit(event: str, **fields: object) -> None:
        os.write(int(descriptor), (json.dumps({"event": event, **fields}) + "\n").encode())

    job = json.loads(Path(job_path).read_text("utf-8"))
    if job.get("warm") and not forked:
        return warm(job, job_path, script_path, int(descriptor), int(crumb))
    page = mmap.mmap(int(crumb), 256)
    os.close(int(crumb))
    source = Path(script_path).read_bytes()
    if hashlib.sha256(source).hexdigest() != job["script_sha256"]:
        emit("refused", why="the digest differs")
        return 97
    if job["device"].endswith(":7"):
        emit("refused", why="no such device")
        return 97
    emit("environment", environment={"job": job}, device={"type": job["device"], "name": "double"})
    exit_code = 0
    try:
        known = {"__name__": "__main__", "CHANNEL": int(descriptor), "CRUMB": page}
        exec(compile(source, job["name"], "exec"), known)  # noqa: S102
    except SystemExit as stop:
        exit_code = inside("ending").code_of(stop)
    except KeyboardInterrupt:
        exit_code = 130
    except BaseException as error:  # noqa: BLE001
        print(inside("ending").spelled(error), file=sys.stderr)
        exit_code = 1
    with contextlib.suppress(Exception):  # the script may have closed or replaced it
        sys.stdout.flush()
    with contextlib.suppress(OSError):  # likewise the channel
        emit("end", exit_code=exit_code, raised=None, ops=[], checked=3, unchecked={"view": 1})
    return exit_code


def inside(name: str) -> Any:
    """A module of the real harness (see conftest). Most runs need none."""
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        return importlib.import_module(f"inside.{name}")
    finally:
        sys.path.pop(0)


def warm(job: dict[str, object], job_path: str, script_path: str, descriptor: int, crumb: int) -> int:
    """Serve runs as the real harness does, by its own modules (see conftest)."""
    serving, channel = inside("warm"), inside("channel")

    def once(_: dict[str, object], end: int) -> int:
        return main(job_path, script_path, str(end), str(crumb), forked=True)

    return int(serving.serve(job | {"crumb": crumb}, channel.Channel(descriptor), once))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
