"""The sandbox of one run, as a bubblewrap command line: no network, no home, no secrets, nothing writable but `/tmp`.

Four traps behind the order and the options: the namespace's first process shows the *launcher's* environment in
`/proc/1/environ`, so bubblewrap itself must be started with an empty one; started by root it keeps every capability
unless all are dropped; root's scripts may still write to `/proc/sys` (`core_pattern` runs programs on the host) unless
`/proc` is read-only; and `/`, `/dev` and `/dev/shm` are memory without a limit unless sized or made read-only.
"""

import glob
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import Field

from bot.edges.executors.interpreter import Interpreter
from bot.edges.executors.supervise import Wires
from bot.model import Target, Value
from bot.seams import SandboxError

INSIDE = Path("/run/alignbot")
_SYSTEM = (Path("/bin"), Path("/sbin"), Path("/lib"), Path("/lib32"), Path("/lib64"), Path("/libx32"))
_SETTINGS = (Path("/etc/ld.so.cache"), Path("/etc/alternatives"))
_FROM_HOST = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_VERBOSE",
)


class Sandbox(Value):
    """What one run may see and use. Paths are the host's."""

    bwrap: Path
    interpreter: Interpreter
    harness: Path
    """Folder with `observe.py`."""
    job: Path
    script: Path
    tmp_bytes: int
    """Size of `/tmp`, and of `/dev/shm`."""
    device_nodes: tuple[Path, ...] = ()
    read_only: tuple[Path, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)


def find_bwrap() -> Path | None:
    """The bubblewrap on the search path, or None."""
    found = shutil.which("bwrap")
    return Path(found) if found else None


def environment_for(target: Target, python: Path, host: Mapping[str, str]) -> dict[str, str]:
    """All variables that a script sees: fixed ones, the host's thread counts and CPU choice, the target's."""
    passed = {name: host[name] for name in _FROM_HOST if name in host}
    return {
        "PATH": f"{python.parent}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/tmp",  # noqa: S108  the sandbox's own
        "TMPDIR": "/tmp",  # noqa: S108
        # There is no /etc/passwd to ask; torch.compile names its cache after the user.
        "USER": "nobody",
        **passed,
        **target.environment,
    }


def device_nodes(target: Target, render_node: str | None = None) -> tuple[Path, ...]:
    """The target's nodes that exist here; of the render nodes only `render_node` (a name or a path) when one is given.

    Raises SandboxError when that one doesn't exist.
    """
    nodes = tuple(_existing(target.device_nodes))
    if render_node is None:
        return nodes
    if not any(render_node in (node.name, str(node)) for node in nodes):
        shown = ", ".join(str(node) for node in nodes) or "none"
        raise SandboxError(f"{render_node} is no {target.title} device here ({shown}): set run.render_node")
    return tuple(node for node in nodes if render_node in (node.name, str(node)) or not node.name.startswith("renderD"))


def read_only_paths(target: Target) -> tuple[Path, ...]:
    """The target's read-only paths that exist here; those in /proc are left out: the sandbox's own /proc shows them."""
    return tuple(path for path in _existing(target.read_only) if not path.is_relative_to("/proc"))


def sandbox_command(sandbox: Sandbox, wires: Wires, seccomp: int | None = None, *, nested: bool = False) -> list[str]:
    """The whole command; `wires` and `seccomp` are descriptors that bubblewrap inherits. Start it with `env={}`.

    `nested`: what runs inside is the harness's own, and makes namespaces for each run. bubblewrap's options act in
    order: mounts first, then `/proc`, `/dev` and `/` become read-only.
    """
    return [
        str(sandbox.bwrap),
        *_isolation(wires, seccomp, nested=nested),
        *_variables(sandbox.environment),
        *_root(sandbox, nested=nested),
        "--chdir",
        "/tmp",  # noqa: S108
        "--",
        *observe_command(sandbox.interpreter, INSIDE / "harness", INSIDE / "job.json", INSIDE / "script.py", wires),
    ]


def observe_command(interpreter: Interpreter, harness: Path, job: Path, script: Path, wires: Wires) -> list[str]:
    """What runs inside: `python -I -u observe.py job.json script.py CHANNEL CRUMB`."""
    observe = [str(interpreter.executable), "-I", "-u", str(harness / "observe.py")]
    return [*observe, str(job), str(script), str(wires.channel), str(wires.crumb)]


def _isolation(wires: Wires, seccomp: int | None, *, nested: bool) -> Iterator[str]:
    for namespace in ("user", "pid", "net", "ipc", "uts", "cgroup-try"):
        yield f"--unshare-{namespace}"
    if not nested:
        yield "--disable-userns"
    yield from ("--cap-drop", "ALL", "--die-with-parent", "--new-session")
    # Render nodes need their group: a supplementary group of the launcher survives here, as `nogroup`.
    yield from ("--uid", "65534", "--gid", "65534", "--hostname", "sandbox")
    yield from ("--json-status-fd", str(wires.status))
    if seccomp is not None:
        yield from ("--seccomp", str(seccomp))


def _variables(environment: Mapping[str, str]) -> Iterator[str]:
    yield "--clearenv"
    for name, content in sorted(environment.items()):
        yield from ("--setenv", name, content)


def _root(sandbox: Sandbox, *, nested: bool) -> Iterator[str]:
    yield from _read_only([Path("/usr")])
    for path in _SYSTEM:
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        else:
            yield from _read_only([path])
    # Before the interpreter: one that lives below the host's /tmp must not be hidden by the sandbox's.
    yield from ("--size", str(sandbox.tmp_bytes), "--tmpfs", "/tmp")  # noqa: S108
    yield from _read_only([*_SETTINGS, *_outside_usr(sandbox.interpreter.parts())])
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(sandbox.tmp_bytes), "--tmpfs", "/dev/shm")  # noqa: S108
    for node in sandbox.device_nodes:
        yield from ("--dev-bind", str(node), str(node))
    yield from _read_only(sandbox.read_only)
    for source, name in ((sandbox.harness, "harness"), (sandbox.job, "job.json"), (sandbox.script, "script.py")):
        yield from ("--ro-bind", str(source), str(INSIDE / name))
    # Whoever makes namespaces writes to /proc first, and makes it read-only for the run itself.
    for place in ("/dev", "/") if nested else ("/proc", "/dev", "/"):
        yield from ("--remount-ro", place)


def _read_only(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from ("--ro-bind-try", str(path), str(path))


def _outside_usr(paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in paths if not path.is_relative_to("/usr"))


def _existing(patterns: Iterable[str]) -> Iterator[Path]:
    """Paths that exist, in order, each once. Patterns are the profile's, absolute."""
    found = (path for pattern in patterns for path in sorted(glob.glob(pattern)))  # noqa: PTH207  absolute patterns
    return (Path(path) for path in dict.fromkeys(found))


def why_not_started(stderr: str) -> str:
    """One line from bubblewrap's complaint: what failed and what to type."""
    lines = [line for line in stderr.splitlines() if line.startswith("bwrap: ")]
    complaint = lines[-1] if lines else "bwrap: ended before it started the script"
    return f"the sandbox could not be built ({complaint}): {_cure(complaint)}"


_SWITCHES = (
    (Path("/proc/sys/user/max_user_namespaces"), "0", "user.max_user_namespaces=15000"),
    (Path("/proc/sys/kernel/unprivileged_userns_clone"), "0", "kernel.unprivileged_userns_clone=1"),
    (
        Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        "1",
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
)


def _cure(complaint: str) -> str:
    """What to type, by bubblewrap's complaint and by what the kernel says of itself."""
    if "Unknown option" in complaint:
        return "it is older than 0.8, type `apt-get install --only-upgrade bubblewrap`"
    if "execvp" in complaint:
        return "set run.python to an interpreter that starts"
    if any(sign in complaint for sign in ("namespace", "uid map", "not permitted", "Permission denied")):
        for path, off, switch in _SWITCHES:
            if _setting(path) == off:
                return f"user namespaces are off, type `sysctl -w {switch}` as root"
        return "user namespaces are not allowed here; start a container with `--security-opt seccomp=unconfined`"
    return "type `bwrap --ro-bind / / true` to see it fail by itself"


def _setting(path: Path) -> str | None:
    try:
        return path.read_text("ascii").strip()
    except OSError:
        return None
