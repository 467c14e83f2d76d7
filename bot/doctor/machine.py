"""The checks of this machine: configuration, interpreter, sandbox, device, database, disk."""

import os
import sys
import tempfile
from pathlib import Path

from bot import wire
from bot.config import APART, without_password
from bot.doctor.check import Said, ok, warning, wrong
from bot.edges import health
from bot.edges.executors.bare import bare_run, bwrap_version
from bot.edges.executors.interpreter import ask
from bot.edges.executors.local import PROBE_S
from bot.edges.executors.sandbox import find_bwrap
from bot.model import Job, RunEvidence, RunStatus
from bot.settings import PREFIX, Settings

LEAST_FREE_BYTES = 1 << 30
RUNNER = "pip install 'xpu-alignment-bot[runner]'"


def configuration(path: Path | None) -> Said:
    """Which file, and which variables stand over it."""
    variables = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in APART)
    over = f" and {', '.join(variables)}" if variables else ""
    return ok(f"{path or 'no file: defaults'}{over}")


def interpreter(python: Path) -> Said:
    """Is there one that has torch? Torch itself is not imported here."""
    found = ask(python, "torch")
    if found.package is None:
        return wrong(f"{python} has no torch", f"type `{RUNNER}` there, or set run.python")
    return ok(f"{python} has torch")


def sandbox(python: Path, device: str) -> Said:
    """Does bubblewrap run an empty script?"""
    bwrap = find_bwrap()
    if bwrap is None:
        return wrong("bubblewrap is missing", "type `apt-get install bubblewrap` (or your system's like)")
    evidence = bare_run((python, Path(sys.executable)), wire.target(device))
    version = f"{bwrap_version(bwrap)} ({bwrap})"
    if evidence.status is not RunStatus.OK:
        return wrong(f"{version} does not run an empty script: {_failure(evidence)}", "run the same by hand to see why")
    return ok(f"{version} runs an empty script in {evidence.duration_s:.1f} s")


def device(settings: Settings, name: str) -> Said:
    """Is the device there for torch in the sandbox, as a scan would ask for it?"""
    target = wire.target(name)
    executor = wire.executor(settings, name, unsandboxed=False)
    job = Job(script="", device=target.name, repeats=1, timeout_s=PROBE_S, memory_bytes=settings.run.memory)
    evidence = executor.run(job)
    if evidence.status is RunStatus.REFUSED:
        return wrong(evidence.why, "choose another with --device, or set run.python to one with a torch build for it")
    if evidence.status is not RunStatus.OK:
        return wrong(f"an empty script does not run on {target.name}: {_failure(evidence)}")
    versions = " and ".join(f"{what} {evidence.environment.get(what, '?')}" for what in ("torch", "python"))
    seconds = f"in the sandbox in {evidence.duration_s:.1f} s"
    return ok(f"{target.name} is {evidence.device.name or 'there, without a name'}; {versions} start {seconds}")


def database(settings: Settings) -> Said:
    """Can it be opened, is it whole, and of this version?"""
    found, name = health.database(settings.database), without_password(str(settings.database))
    if not found.kept:
        return warning("in memory only: nothing outlives a command", "set database_url, or leave it out")
    if not found.writable:
        return wrong(f"{name} can't be written", "give its folder to this user, or set ALIGNBOT_STATE to another one")
    if not found.present or (found.revision is None and not found.tables):
        return ok(f"{name} is not there yet: the first scan makes it")
    if found.damage:
        return wrong(f"{name} is damaged: {found.damage}", "put a copy from before in its place")
    return _of_whom(found, name)


def _of_whom(found: health.Database, name: str) -> Said:
    """Of a database that works: is it this version's, and does it work as well as it could?"""
    if found.revision is None:
        return wrong(f"{name} holds tables that are not alignbot's", "set database_url or ALIGNBOT_STATE to another")
    if not found.known:
        told = f"{name} is of another alignbot (schema {found.revision}, here {found.newest})"
        return wrong(told, "use that version, or another state folder")
    if found.revision != found.newest:
        told = f"{name} has schema {found.revision}, this version {found.newest}"
        return warning(told, "the next scan upgrades it, or type `alignbot db upgrade`")
    if found.journal not in (None, "wal"):
        told = f"{name} has journal mode {found.journal}, not wal: readers wait for writers"
        return warning(told, "let no old program hold it open, and keep it on a disk of this machine")
    details = f", whole, writable, journal mode {found.journal}" if found.journal else ""
    return ok(f"{name}: schema {found.revision}{details}")


def disk(state: Path) -> Said:
    """Is there room for results, and for what runs leave while they run?"""
    try:
        temporary = Path(tempfile.gettempdir())
    except FileNotFoundError:
        return wrong("no temporary folder can be written", _another("temporary folder"))
    rooms = {"state folder": health.room(state.expanduser()), "temporary folder": health.room(temporary)}
    for title, room in rooms.items():
        if not room.writable:
            return wrong(f"the {title} {room.folder} can't be written", _another(title))
        if room.free_bytes < LEAST_FREE_BYTES:
            told = f"{_size(room.free_bytes)} free for the {title} {room.folder}, less than {_size(LEAST_FREE_BYTES)}"
            return wrong(told, f"make room, or {_another(title)}")
    return ok(
        ", ".join(f"{_size(room.free_bytes)} free for the {title} {room.folder}" for title, room in rooms.items())
    )


def _another(title: str) -> str:
    return f"set {'ALIGNBOT_STATE' if title == 'state folder' else 'TMPDIR'} to another folder"


def _size(count: int) -> str:
    return f"{count / (1 << 30):.1f} GiB" if count >= 100 << 20 else f"{count >> 20} MiB"


def _failure(evidence: RunEvidence) -> str:
    """The status and the last thing that was said."""
    said = evidence.why or next(iter(evidence.stderr.strip().splitlines()[-1:]), "nothing was said")
    return f"{evidence.status}: {said}"
