"""`alignbot doctor`: it says of each thing what is wrong with it, of nothing else, and leaves everything as it was."""

import errno
import hashlib
import json
import os
import pty
import re
import socket
import sqlite3
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.cli.doctor import INDENT
from bot.config import load
from bot.doctor import machine
from bot.doctor.check import Check, State, ok, worst, wrong
from bot.doctor.examine import examine
from bot.doctor.steps import Step, take
from bot.edges.store import SqlStore
from bot.errors import InputError, LimitedError
from tests.conftest import Alignbot, needs_bwrap, needs_torch, one_line
from tests.double import App, Double, Installation, Token, World, changes, faults, landing
from tests.double.published import MISSING, schema_path
from tests.github.loopback import proxying

needs_schema = pytest.mark.skipif(schema_path() is None, reason=MISSING)

BAD = "ghp_" + "x" * 36
UPSTREAM, TARGET = "pytorch/pytorch", "intel/torch-xpu-ops"
NAMES = [
    "configuration", "github", "clock", "token", "budget", "repositories", "permissions", "interpreter", "sandbox",
    "device", "database", "disk", "filing",
]  # fmt: skip
Looked = dict[str, Check]
Look = Callable[..., Looked]


@pytest.fixture(scope="session")
def without_torch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that starts and has no torch, so that what is not about torch is over soon."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder, symlinks=True)
    return folder / "bin/python"


@pytest.fixture
def world() -> World:
    """Both repositories with a commit and an item of each kind, and a token that may do nothing but read."""
    made = World()
    for name in (UPSTREAM, TARGET):
        repository = made.add_repository(name)
        landing.commit(repository, "first")
        changes.create_issue(repository, "an issue")
        changes.create_pull(repository, "a pull request")
    made.token = made.add_token(Token(value="ghp_" + "n" * 36, login="reader"))
    return made


@pytest.fixture
def double(world: World) -> Iterator[Double]:
    """GitHub on loopback."""
    with Double(world) as running:
        yield running


def variables(double: Double | None, folder: Path, **more: str) -> dict[str, str]:
    """The environment of a doctor."""
    told = {"ALIGNBOT_STATE": str(folder / "state")}
    if double is not None:
        told |= {"ALIGNBOT_GITHUB__API": double.url, "ALIGNBOT_GITHUB_TOKEN": double.world.token}
    return {name: text for name, text in (told | more).items() if text}


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without_torch: Path) -> Look:
    """All checks by their names, torch aside: `look(double, ALIGNBOT_GITHUB_TOKEN="bad")`."""

    def looked(double: Double | None, device: str = "cpu", **more: str) -> Looked:
        for name in [name for name in os.environ if name.startswith("ALIGNBOT_") or name.lower().endswith("_proxy")]:
            monkeypatch.delenv(name)
        told = variables(double, tmp_path, **{"ALIGNBOT_RUN__PYTHON": str(without_torch), **more})
        for name, text in told.items():
            monkeypatch.setenv(name, text)
        monkeypatch.chdir(tmp_path)
        settings, path = load()
        checks = list(examine(settings, path, device))
        assert [check.name for check in checks] == NAMES
        return {check.name: check for check in checks}

    return looked


def states(checks: Looked, state: State) -> set[str]:
    """The names of those that stand so, but for what this machine has or has not."""
    found = {check.name for check in checks.values() if check.state is state}
    return found - {"interpreter", "sandbox", "device", "disk"}


# all together


@needs_schema
@needs_bwrap
@needs_torch
def test_all_right(double: Double, alignbot: Alignbot, tmp_path: Path) -> None:
    """With everything as it should be each check is ok, the exit code is 0, and nothing was made or asked twice."""
    told = variables(double, tmp_path, ALIGNBOT_RUN__PYTHON=sys.executable, ALIGNBOT_STATE="")
    done = alignbot("doctor", "--device", "cpu", "--json", state=tmp_path / "state", **told)
    answer = json.loads(done.stdout)
    assert [(check["name"], check["state"], check["cure"]) for check in answer["checks"]] == [
        (name, "ok", "") for name in NAMES
    ]
    assert (done.returncode, done.stderr, answer["state"], answer["device"]) == (0, "", "ok", "cpu")
    said = {check["name"]: check["told"] for check in answer["checks"]}
    assert re.fullmatch(rf"{double.url} answers in \d+ ms, without proxy", said["github"])
    assert "personal token of reader, from ALIGNBOT_GITHUB_TOKEN" in said["token"]
    assert re.search(r"torch \d+\.\d+.* and python 3\.\d+.* start in the sandbox", said["device"])
    assert "the first scan makes it" in said["database"]
    assert list(tmp_path.iterdir()) == []
    assert (double.points, {entry.method for entry in double.log}) == (3, {"GET", "POST"})
    assert double.world.token not in done.stdout


def test_warnings_alone_are_no_failure() -> None:
    """The worst of several is told: wrong before warning, and what was skipped counts for nothing."""
    warned, bad, left, good = (Check("x", state, "") for state in ("warning", "wrong", "skipped", "ok"))
    assert [worst(some) for some in ([], [good, left], [good, warned], [warned, bad])] == [
        "ok",
        "ok",
        "warning",
        "wrong",
    ]


@needs_schema
def test_one_wrong_thing_is_one_line(double: Double, look: Look, without_torch: Path) -> None:
    """Nothing but the interpreter is wrong here, and only what needs it is skipped."""
    checks = look(double)
    assert states(checks, State.OK) == set(NAMES) - {"interpreter", "sandbox", "device", "disk"}
    assert checks["interpreter"].told == f"{without_torch} has no torch"
    assert (checks["device"].state, checks["device"].told) == (State.SKIPPED, "interpreter comes first")


# GitHub


def test_no_token(double: Double, look: Look) -> None:
    """Without a token that is what is wrong; what needs one is skipped, and no other question is asked."""
    checks = look(double, ALIGNBOT_GITHUB_TOKEN="")
    assert states(checks, State.WRONG) == {"token"}
    assert "ALIGNBOT_GITHUB_TOKEN" in checks["token"].told
    assert states(checks, State.SKIPPED) == {"budget", "repositories", "permissions"}
    assert [entry.path for entry in double.log] == ["/rate_limit"]


def test_bad_token(double: Double, look: Look) -> None:
    """A token that GitHub does not know is told with where it is from, and never shown."""
    checks = look(double, ALIGNBOT_GITHUB_TOKEN=BAD)
    assert states(checks, State.WRONG) == {"token"}
    assert "Bad credentials" in checks["token"].told
    assert "ALIGNBOT_GITHUB_TOKEN" in checks["token"].told
    assert "xxxx" not in json.dumps([asdict(check) for check in checks.values()])
    assert states(checks, State.SKIPPED) == {"budget", "repositories", "permissions"}


@needs_schema
@pytest.mark.parametrize(
    ("scopes", "private", "state", "told"),
    [
        ((), False, "ok", "scopes: none"),
        (("repo", "admin:org"), False, "warning", "more scopes than reading needs: admin:org, repo"),
        (("repo", "admin:org"), True, "warning", "more scopes than reading needs: admin:org"),
        (("repo",), True, "ok", "scopes: repo"),
        (("public_repo",), True, "warning", "without `repo`, which private repositories need"),
    ],
)
def test_scopes(
    scopes: tuple[str, ...], private: bool, state: str, told: str, world: World, double: Double, look: Look
) -> None:
    """Of a classic token's scopes those that reading does not need are told, and the one that a private one does."""
    world.repositories[TARGET].private = private
    token = world.add_token(Token(value="ghp_" + "s" * 36, login="reader", scopes=scopes))
    checks = look(double, ALIGNBOT_GITHUB_TOKEN=token)
    assert (checks["permissions"].state, told in checks["permissions"].told) == (state, True), checks["permissions"]
    readable = "wrong" if private and "repo" not in scopes else "ok"
    assert checks["repositories"].state == readable


@needs_schema
def test_fine_grained(world: World, double: Double, look: Look) -> None:
    """A fine-grained token that may not read issues is told at the repository, with what to grant."""
    world.repositories[UPSTREAM].restricted = True
    token = Token("github_pat_1", "reader", "fine-grained", permissions={"contents": "read"})
    world.add_token(token)
    checks = look(double, ALIGNBOT_GITHUB_TOKEN=token.value)
    assert states(checks, State.WRONG) == {"repositories"}
    assert "Issues, Pull requests and Contents: read" in checks["repositories"].told
    assert TARGET not in checks["repositories"].told
    assert (checks["permissions"].state, "fine-grained" in checks["permissions"].told) == (State.OK, True)


@needs_schema
@pytest.mark.parametrize(("days", "state"), [(3, "warning"), (30, "ok")])
def test_a_token_ends(days: int, state: str, world: World, double: Double, look: Look) -> None:
    """When a token ends is told, and is a warning in the last week."""
    ends_at = datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)
    token = world.add_token(Token(value="ghp_" + "e" * 36, login="reader", expires_at=ends_at))
    check = look(double, ALIGNBOT_GITHUB_TOKEN=token)["token"]
    assert check.state == state
    assert f"until {ends_at.isoformat().replace('+00:00', 'Z')}" in check.told


@needs_schema
def test_a_token_that_all_may_read(double: Double, look: Look, tmp_path: Path) -> None:
    """A token in a file is told by the setting; one that anybody may read is a warning with what to type."""
    file = tmp_path / "token"
    file.write_text(double.world.token, "ascii")
    for mode, state, cure in ((0o600, "ok", ""), (0o644, "warning", f"type `chmod 600 {file}`")):
        file.chmod(mode)
        check = look(double, ALIGNBOT_GITHUB_TOKEN="", ALIGNBOT_GITHUB__TOKEN_FILE=str(file))["token"]
        assert (check.state, check.cure) == (state, cure)
        assert "from github.token_file" in check.told


@needs_schema
@pytest.mark.parametrize(
    ("permissions", "state", "told"),
    [
        ({"metadata": "read", "issues": "read", "pull_requests": "read", "contents": "read"}, "ok", "has Issues"),
        (
            {"issues": "write", "pull_requests": "read", "contents": "read"},
            "warning",
            "more than reading needs: issues",
        ),
        ({"issues": "read", "contents": "read"}, "warning", "lacks Pull requests: read"),
    ],
)
def test_app(
    permissions: dict[str, str], state: str, told: str, world: World, double: Double, look: Look, tmp_path: Path
) -> None:
    """A GitHub App is told by its name, with what its installation lacks or has too much of."""
    key = rsa.generate_private_key(public_exponent=65_537, key_size=2048)
    file = tmp_path / "key.pem"
    kinds = serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    file.write_bytes(key.private_bytes(*kinds))
    file.chmod(0o600)
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    world.apps[7] = App(7, "aligner", key.public_key().public_bytes(kinds[0], form).decode())
    world.installations[70] = Installation(70, 7, "pytorch", (UPSTREAM, TARGET), permissions)
    app = {"ALIGNBOT_GITHUB__APP_ID": "7", "ALIGNBOT_GITHUB__APP_KEY_FILE": str(file)}
    checks = look(double, ALIGNBOT_GITHUB_TOKEN="", **app)
    assert checks["token"].told.startswith("App aligner")
    assert "github.app_id and github.app_key_file" in checks["token"].told
    assert (checks["permissions"].state, told in checks["permissions"].told) == (state, True), checks["permissions"]
    assert states(checks, State.WRONG) == set()


@needs_schema
@pytest.mark.parametrize(("left", "state"), [(200, "ok"), (30, "warning"), (0, "warning")])
def test_budget(left: int, state: str, world: World, double: Double, look: Look) -> None:
    """Fewer points than a day's window needs are a warning that says when there are more; nothing is wrong by it."""
    world.limits["graphql"] = left
    checks = look(double)
    budget = checks["budget"]
    assert (budget.state, f"{left} of {left} points left until 20" in budget.told) == (state, True)
    assert states(checks, State.WRONG) == set()
    assert states(checks, State.SKIPPED) == (set() if left else {"repositories"})
    assert checks["token"].state is State.OK


@needs_schema
@pytest.mark.parametrize(
    ("seconds", "state", "told"),
    [(0, "ok", "within a second"), (12, "ok", "behind"), (90, "wrong", "behind"), (-90, "wrong", "ahead of")],
)
def test_clock(seconds: float, state: str, told: str, double: Double, look: Look) -> None:
    """A clock that is off by more than half a minute is wrong, and on which side is told."""
    double.add(faults.clock_ahead(seconds, times=None))
    checks = look(double)
    assert (checks["clock"].state, told in checks["clock"].told) == (state, True), checks["clock"]
    if abs(seconds) > 1:
        off = re.match(r"(\d+) s", checks["clock"].told)
        assert off
        assert abs(int(off[1]) - abs(seconds)) <= 2
    assert states(checks, State.WRONG) == ({"clock"} if state == "wrong" else set())


@needs_schema
def test_repositories(world: World, double: Double, look: Look) -> None:
    """A repository that is not there, a renamed one, another branch, no commits: each with the key to set."""
    missing = look(double, ALIGNBOT_UPSTREAM__REPO="pytorch/pytroch")["repositories"]
    assert (missing.state, "no repository pytorch/pytroch" in missing.told) == (State.WRONG, True)
    world.repositories[TARGET].default_branch = "trunk"
    branch = look(double)["repositories"]
    assert branch.told == f"the default branch of {TARGET} is trunk, not main"
    assert branch.cure == "see that changes land there and set target.branch"
    trunk = {"ALIGNBOT_TARGET__REPO": TARGET, "ALIGNBOT_TARGET__BRANCH": "trunk"}
    assert look(double, **trunk)["repositories"].state is State.OK
    landing.rename_repository(world.repositories[UPSTREAM], "pytorch/core")
    both = look(double)["repositories"]
    assert "pytorch/pytorch is now pytorch/core: set upstream.repo; the default branch of" in both.told
    world.add_repository("pytorch/empty")
    empty = look(double, ALIGNBOT_UPSTREAM__REPO="pytorch/empty", **trunk)["repositories"]
    assert (empty.told, empty.cure) == (
        "pytorch/empty has no commits",
        "set upstream.repo to a repository with some",
    )


def test_unreachable(look: Look) -> None:
    """An address where nobody answers is one wrong line; what needs GitHub is skipped, the rest looked at."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        api = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        checks = look(None, ALIGNBOT_GITHUB__API=api, ALIGNBOT_GITHUB_TOKEN=BAD)
    assert states(checks, State.WRONG) == {"github"}
    assert states(checks, State.SKIPPED) == {"clock", "token", "budget", "repositories", "permissions"}
    assert states(checks, State.OK) == {"configuration", "database", "filing"}


def test_silence_ends(look: Look) -> None:
    """A server that accepts and says nothing is given up after the configured time."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        api, began = f"http://127.0.0.1:{silent.getsockname()[1]}", time.monotonic()
        checks = look(None, ALIGNBOT_GITHUB__API=api, ALIGNBOT_GITHUB__TIMEOUT_S="1")
        assert time.monotonic() - began < 30
    assert "did not answer" in checks["github"].told
    assert "without a token" in checks["token"].told


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (faults.html(200), "answers 200, not as GitHub does"),
        (faults.bad_gateway(), "answers 502"),
        (faults.status(301, "Moved", {"Location": "https://elsewhere.example"}), "leads to https://elsewhere.example"),
    ],
)
def test_not_github(fault: faults.Rule, told: str, double: Double, look: Look) -> None:
    """What answers, but not as GitHub, is told by what it said."""
    fault.times = None
    double.add(fault)
    checks = look(double)
    assert (checks["github"].state, told in checks["github"].told) == (State.WRONG, True), checks["github"]
    assert checks["token"].state is State.SKIPPED


@needs_schema
def test_left_alone(double: Double, look: Look) -> None:
    """When GitHub asks to be left alone nothing is wrong, and what could not be asked is skipped with the time."""
    double.add(faults.secondary_limit(60, operation="Repository", times=None))
    checks = look(double)
    assert states(checks, State.WRONG) == set()
    assert (checks["repositories"].state, "it may be asked again at" in checks["repositories"].told) == (
        "skipped",
        True,
    )


@needs_schema
def test_proxy(double: Double, look: Look) -> None:
    """The proxy is told with the setting that names it, and without its password."""
    with proxying() as (address, seen):
        url = address.replace("://", "://user:secret@")
        check = look(double, ALIGNBOT_GITHUB__PROXY=url)["github"]
    assert check.told.endswith(f"through {address} (github.proxy)")
    assert seen


# this machine


@needs_bwrap
def test_the_sandbox_needs_no_torch(look: Look) -> None:
    """bubblewrap is looked at by itself: an interpreter without torch, or none at all, is no fault of the sandbox."""
    assert look(None)["sandbox"].state is State.OK
    checks = look(None, ALIGNBOT_RUN__PYTHON="/nowhere/python")
    assert (checks["sandbox"].state, checks["interpreter"].state) == (State.OK, State.WRONG)
    assert "set run.python" in checks["interpreter"].told


def test_no_bubblewrap(look: Look, tmp_path: Path) -> None:
    """Without bubblewrap on the search path that is what is wrong, with what to type, and the device is skipped."""
    checks = look(None, PATH=str(tmp_path))
    assert checks["sandbox"].cure.startswith("type `apt-get install bubblewrap`")
    assert checks["device"].state is State.SKIPPED


@needs_bwrap
def test_a_sandbox_that_fails(look: Look, tmp_path: Path) -> None:
    """A bubblewrap that does not build a sandbox is wrong, with its own complaint."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", "ascii")
    program.chmod(0o755)
    check = look(None, PATH=f"{tmp_path}:{os.environ['PATH']}")["sandbox"]
    assert (check.state, "No permissions to create new namespace" in check.told) == (State.WRONG, True)


@needs_bwrap
@needs_torch
def test_a_missing_device(look: Look) -> None:
    """A device that torch does not find on this machine is wrong, and what else may be chosen is said."""
    check = look(None, device="mps", ALIGNBOT_RUN__PYTHON=sys.executable)["device"]
    assert (check.state, "finds no mps device" in check.told, "--device" in check.cure) == (State.WRONG, True, True)


def contents(folder: Path) -> dict[str, str]:
    """Every file of a folder with its digest. SQLite's shared memory is there while it is used, and no content."""
    return {
        path.name: "" if path.name.endswith("-shm") else hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
    }


def a_database(folder: Path) -> Path:
    """A database as this version makes it, closed."""
    path = folder / "state/alignbot.db"
    SqlStore(path).close()
    return path


def test_database(look: Look, tmp_path: Path) -> None:
    """A database of this version is told as whole; whether it lies closed, in use or broken off, no byte is changed."""
    path = a_database(tmp_path)
    closed = contents(path.parent)
    assert "whole, writable, journal mode wal" in look(None)["database"].told
    assert contents(path.parent) == closed
    user = sqlite3.connect(path)
    user.execute("BEGIN IMMEDIATE").close()
    assert look(None)["database"].state is State.OK
    user.close()
    program = f"import os, sqlite3\nsqlite3.connect({str(path)!r}).execute('CREATE TABLE x(y)')\nos._exit(0)"
    subprocess.run([sys.executable, "-c", program], check=True)
    broken_off = contents(path.parent)
    assert f"{path.name}-wal" in broken_off
    assert look(None)["database"].state is State.OK
    assert contents(path.parent) == broken_off


def altered(path: Path, *statements: str) -> None:
    """Change a database from outside."""
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statements", "state", "told"),
    [
        (["UPDATE alembic_version SET version_num = '0001'"], "warning", "has schema 0001, this version 0"),
        (["UPDATE alembic_version SET version_num = '9999'"], "wrong", "another alignbot (schema 9999"),
        (["DELETE FROM alembic_version"], "wrong", "tables that are not alignbot's"),
        (["PRAGMA journal_mode=DELETE"], "warning", "journal mode delete, not wal"),
    ],
)
def test_other_databases(statements: list[str], state: str, told: str, look: Look, tmp_path: Path) -> None:
    """An older, a newer and a stranger's database are told apart, and stay what they are."""
    path = a_database(tmp_path)
    altered(path, *statements)
    before = contents(path.parent)
    check = look(None)["database"]
    assert (check.state, told in check.told) == (state, True), check
    assert contents(path.parent) == before


def test_damaged_databases(look: Look, tmp_path: Path) -> None:
    """A database with a spoilt page, and a file that is none, are wrong; an empty file is as good as none."""
    path = a_database(tmp_path)
    altered(path, "PRAGMA journal_mode=DELETE")
    whole = path.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    for spoilt in (whole[:size] + b"\xff" * 8 * size + whole[9 * size :], b"no database at all" * 100):
        path.write_bytes(spoilt)
        assert look(None)["database"].state is State.WRONG
        assert path.read_bytes() == spoilt
    path.write_bytes(b"")
    assert "the first scan makes it" in look(None)["database"].told
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    ("url", "state", "told"),
    [
        ("sqlite://", "warning", "in memory only"),
        ("sqlite:////dev/null/alignbot.db", "wrong", "can't be written"),
        ("no url", "wrong", "no SQLAlchemy URL"),
        ("oracle9://u:secret@h/db", "wrong", "can't be used"),
    ],
)
def test_other_places(url: str, state: str, told: str, look: Look) -> None:
    """A database that can't be kept or made is told before a scan tries, without its password."""
    check = look(None, ALIGNBOT_DATABASE_URL=url)["database"]
    assert (check.state, told in check.told) == (state, True), check
    assert "secret" not in check.told


def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Free space is told for both folders; too little of it, or a folder that can't be written, is wrong."""
    assert machine.disk(tmp_path / "a/b").told.count("GiB free for the") == 2
    assert "can't be written" in machine.disk(Path("/dev/null/state")).told
    monkeypatch.setattr(machine, "LEAST_FREE_BYTES", 1 << 60)
    check = machine.disk(tmp_path)
    assert (check.state, "make room" in check.cure) == (State.WRONG, True)


def test_nothing_is_made(look: Look, tmp_path: Path) -> None:
    """Where there was nothing there is nothing afterwards."""
    look(None)
    assert list(tmp_path.iterdir()) == []


# steps


def test_steps_end() -> None:
    """A step that does not end, fails, or has a bug is told, and the others are taken, but for what needs it."""
    over_at = datetime(2026, 11, 12, tzinfo=UTC)

    def fail(error: Exception) -> Callable[[], object]:
        def look() -> object:
            raise error

        return look

    steps = [
        Step("hangs", lambda: time.sleep(60), 0.2),
        Step("needs it", lambda: ok("never"), 1, needs=("hangs",)),
        Step("needs that", lambda: ok("never"), 1, needs=("needs it",)),
        Step("refused", fail(InputError("no\nway")), 1),
        Step("limited", fail(LimitedError("later", over_at)), 1),
        Step("bug", fail(KeyError("x")), 1),
        Step("last", lambda: wrong("a\n b", "c\nd"), 1),
    ]
    began = time.monotonic()
    checks = list(take(steps))
    assert time.monotonic() - began < 5
    assert [(check.name, check.state, check.told) for check in checks] == [
        ("hangs", "wrong", "no answer within 0.2 s"),
        ("needs it", "skipped", "hangs comes first"),
        ("needs that", "skipped", "needs it comes first"),
        ("refused", "wrong", "no way"),
        ("limited", "skipped", "later"),
        ("bug", "wrong", "the check itself failed: KeyError: 'x'"),
        ("last", "wrong", "a b"),
    ]
    assert checks[-1].cure == "c d"


# as people see it


def test_wrong_usage(alignbot: Alignbot, tmp_path: Path) -> None:
    """An unknown device and a configuration that can't be read are one line and exit code 2."""
    assert "no target profile for 'abacus'" in one_line(alignbot("doctor", "--device", "abacus", state=tmp_path))
    bad = {"ALIGNBOT_RUN__REPEATS": "many"}
    assert "run.repeats" in one_line(alignbot("doctor", state=tmp_path, **bad))


def test_piped(double: Double, alignbot: Alignbot, tmp_path: Path, without_torch: Path) -> None:
    """What is not a terminal gets a line for each check, whole and without colours, however narrow; exit code 1."""
    told = variables(double, tmp_path, ALIGNBOT_GITHUB_TOKEN=BAD, ALIGNBOT_STATE="", COLUMNS="40")
    told["ALIGNBOT_RUN__PYTHON"] = str(without_torch)
    done = alignbot("doctor", "--device", "cpu", state=tmp_path / "state", **told)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr, "\x1b" in done.stdout) == (1, "", False)
    assert [line.split()[0] for line in lines[: len(NAMES)]] == NAMES
    assert lines[3].startswith("token          wrong: GitHub does not accept")
    assert lines[4] == "budget         skipped: token comes first"
    assert re.fullmatch(r"2 wrong, \d skipped", lines[-1])


@pytest.mark.parametrize("width", [80, 200])
def test_on_a_terminal(width: int, tmp_path: Path, without_torch: Path) -> None:
    """On a terminal long lines are wrapped below themselves, no word is lost, and states have colours."""
    reader, writer = pty.openpty()
    told = {"COLUMNS": str(width), "TERM": "xterm-256color", "NO_PROXY": "*", **variables(None, tmp_path)}
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("ALIGNBOT_", "NO_COLOR"))}
    command = [sys.executable, "-m", "bot", "doctor", "--device", "cpu"]
    aside = {"ALIGNBOT_GITHUB__API": "http://127.0.0.1:1", "ALIGNBOT_RUN__PYTHON": str(without_torch)}
    root = Path(__file__).parent.parent
    with subprocess.Popen(command, env={**kept, **told, **aside}, cwd=root, stdout=writer) as bot:
        os.close(writer)
        text = everything(reader)
        bot.wait(60)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r", "").splitlines()
    assert bot.returncode == 1
    assert "\x1b[1;31mwrong\x1b[0m" in text
    assert max(map(len, lines)) <= width
    further = [line for line in lines[:-2] if line[0] == " "]
    assert all(re.match(rf" {{{INDENT}}}\S", line) for line in further)
    assert (len(further) > 5) == (width == 80)
    assert "and this machine's network" in " ".join(" ".join(lines).split())


def everything(reader: int) -> str:
    """All that a terminal is sent until its last user leaves."""
    text = b""
    while True:
        try:
            chunk = os.read(reader, 65_536)
        except OSError as error:
            assert error.errno == errno.EIO
            break
        if not chunk:
            break
        text += chunk
    os.close(reader)
    return text.decode()
