"""What is told of a build: enough to get the same one, nothing that is anybody's own."""

import getpass
import json
import socket
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from bot.harness import build, surroundings  # noqa: E402

pytestmark = pytest.mark.torch


def test_a_reader_can_get_the_same_build() -> None:
    """Version, commit, compiler, packages; what this build doesn't have is left out."""
    told = build.environment("cpu", "a processor")
    assert told["torch"] == torch.__version__
    assert len(told["torch_git"]) == 40
    assert told["packages"]["torch"].startswith(torch.__version__.partition("+")[0])
    assert "GCC" in told["torch_built_with"] or "C++ Version" in told["torch_built_with"]
    assert None not in told.values()


def test_nothing_private_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No path, no host name, no user name, wherever they stand."""
    monkeypatch.setenv("USER", "mallory")
    told = json.dumps(build.environment("cpu", f"mallory's processor of {socket.gethostname()} in {tmp_path}/x.txt"))
    assert "mallory" not in told
    assert str(tmp_path) not in told
    assert len(socket.gethostname()) < 4 or socket.gethostname() not in told
    assert getpass.getuser() == "root" or getpass.getuser() not in told
    assert "\\u2026" in told


@pytest.mark.parametrize(
    ("version", "day"),
    [("2.16.0.dev20261111+xpu", "2026-11-11"), ("2.13.0+cpu", None), ("2.13.0a0+git12ab", None)],
)
def test_a_nightly_says_its_day(version: str, day: str | None) -> None:
    """A release says none."""
    assert build.build_date(version) == day


def test_compilers_are_read_from_torch_s_own_text() -> None:
    """Names with their versions, no flags, whatever order they stand in."""
    lines = ["GCC 13.3", "C++ Version: 202002", "Intel(R) MKL-DNN v3.12.0 (Git Hash ab)", "Build settings: OpenMP=1"]
    shown = "PyTorch built with:\n" + "".join(f"  - {line}\n" for line in lines)
    assert dict(build.built_with(shown)) == {"GCC": "13.3", "C++ Version": "202002", "MKL-DNN": "3.12.0"}


def test_the_cpu_is_well() -> None:
    """The probe's own answers are right where nothing is wrong."""
    assert surroundings.probe("cpu") is None
