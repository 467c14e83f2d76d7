"""What these tests share: a GitHub on loopback, and a command line that is typed in this process."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.cli import _answer
from tests.double import Double
from tests.double.published import MISSING, schema_path
from tests.online.loopback import Loopback, Typed

Type = Callable[..., Typed]


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """GitHub, with both repositories and nothing in them; its own faults fail the test."""
    if schema_path() is None:
        pytest.skip(MISSING)
    with Double() as double:
        yield Loopback.over(double)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The state folder."""
    return tmp_path / "state"


@pytest.fixture
def typed(
    loopback: Loopback, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Type]:
    """Type a command line: `typed("windows", "--json", ALIGNBOT_WINDOWS__LENGTH="6h")`; it is run in this process.

    None that is typed may show the token, and no file may hold it.
    """
    token = loopback.double.world.token
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ALIGNBOT_")]:
        monkeypatch.delenv(name)
    for name, text in {**loopback.variables, "ALIGNBOT_STATE": str(state), "COLUMNS": "200"}.items():
        monkeypatch.setenv(name, text)

    def run(*arguments: object, **variables: str) -> Typed:
        capsys.readouterr()
        with monkeypatch.context() as here:
            for name, text in variables.items():
                here.setenv(name, text)
            code = _answer([str(argument) for argument in arguments])
        done = Typed(code, *capsys.readouterr())
        assert token not in done.stdout + done.stderr
        return done

    yield run
    files = (path for path in tmp_path.rglob("*") if path.is_file())
    assert not [path for path in files if token.encode() in path.read_bytes()]
