"""One run of one script: limits first, then torch, then the script under the shadow oracle, then the account of it."""

import builtins
import contextlib
import hashlib
import json
import linecache
import os
import resource
import sys
import types
from pathlib import Path
from typing import Any

from . import ending
from .channel import Channel

REFUSED = 97
"""Exit code of a session that ran nothing."""


def main(arguments: list[str]) -> int:
    """Run `JOB.json SCRIPT.py CHANNEL [CRUMB]`; the exit code is the script's own, or REFUSED."""
    job_path, script_path, descriptor, *crumb = arguments
    job: dict[str, Any] = json.loads(Path(job_path).read_text("utf-8"))
    job["crumb"] = int(crumb[0]) if crumb else None
    channel = Channel(int(descriptor))
    source = Path(script_path).read_bytes()
    digest = hashlib.sha256(source).hexdigest()
    if digest != job["script_sha256"]:
        channel.emit("refused", why=f"the script's digest is {digest}, not the {job['script_sha256']} of the job")
        return REFUSED
    if job.get("warm"):
        # torch, and what watches a run, are there before the first one is forked
        from . import build, replay, shadow, surroundings, warm  # noqa: F401

        build.packages()
        return warm.serve(job, channel, lambda told, end: _run(told, source, script_path, Channel(end)))
    return _run(job, source, script_path, channel)


def _run(job: dict[str, Any], source: bytes, path: str, channel: Channel) -> int:
    """The run itself, under its limits."""
    _limit(job.get("limits", {}))
    from . import surroundings  # torch is imported under the limits, not before them

    marks = surroundings.simulated(job["simulate"], job["device"]) if job.get("simulate") is not None else {}
    missing = surroundings.missing_device(job["device"])
    if job.get("simulate") is not None and not marks:
        missing = f"only an xpu can be simulated, not {job['device']}"
    if missing:
        channel.emit("refused", why=missing)
        return REFUSED
    channel.emit(
        "environment",
        environment=surroundings.environment(job["device"]) | marks,
        device=surroundings.device_facts(job["device"]) | {"simulated": bool(marks)},
    )
    if job.get("form") == "probe":
        return _probe(job["device"], channel)
    return _observe(job, source, path, channel)


def _probe(device: str, channel: Channel) -> int:
    """Is the device well? The exit code is 0, or 1 with a reason as what was raised."""
    from . import surroundings

    try:
        why = surroundings.probe(device)
    except Exception as error:  # noqa: BLE001  a sick device raises anything
        why = ending.spelled(error)
    channel.emit("end", exit_code=int(why is not None), raised=why)
    return int(why is not None)


def _limit(limits: dict[str, int]) -> None:
    """Lower this process's limits; those that are tighter already stay."""
    for name, ceiling in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        lowered = ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard)
        resource.setrlimit(kind, (lowered, lowered))


def _observe(job: dict[str, Any], source: bytes, path: str, channel: Channel) -> int:
    """Execute the script as `__main__` with every aten call shadowed, unless told not to; report how it ended."""
    from . import replay
    from .shadow import Shadow
    from .smallest import tell as smallest

    shadow, process = Shadow(job, channel) if job.get("observe", True) else None, os.getpid()
    raised: str | None = None
    exit_code = 0
    try:
        if job.get("form") == "calls":
            replay.play(source, job["device"], shadow, channel)
        elif job.get("form") == "smallest":
            smallest.play(source, job, channel)
        else:
            with shadow or contextlib.nullcontext():
                _execute(source, job["name"], path)
    except SystemExit as stop:
        exit_code = ending.code_of(stop)
    except KeyboardInterrupt as error:
        exit_code, raised = 130, ending.spelled(error)
    except BaseException as error:  # noqa: BLE001  whatever a stranger's script raises is its result
        exit_code, raised = 1, ending.spelled(error)
        ending.print_traceback(error, job["name"])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the script may have closed or replaced it
            stream.flush()
    if os.getpid() == process:  # a child that the script forked ends here too
        with contextlib.suppress(OSError):  # the script may have closed it: no account, but its own exit code
            channel.emit("end", exit_code=exit_code, raised=raised, **(shadow.account() if shadow else {}))
    return exit_code


def _execute(source: bytes, name: str, path: str) -> None:
    """Compile and run the script under its name, with its lines known to tracebacks; `__file__` can be opened."""
    text = source.decode("utf-8-sig")
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=builtins)
    sys.modules["__main__"] = module
    sys.argv = [name]
    exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
