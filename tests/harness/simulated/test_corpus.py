"""Scripts of all sorts do on the simulated XPU what they do on the CPU."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .conftest import cases, on_cpu, simulated, without_device

pytestmark = pytest.mark.torch
BEGIN = "-- begin "


def _together() -> str:
    """One script of all: importing torch takes longer than any of them."""
    lines = ["import torch"]
    for name, text in cases().items():
        lines += [f"print({BEGIN + name!r})", f"exec(compile({text!r}, {name!r}, 'exec'), {{'__name__': {name!r}}})"]
    return "\n".join(lines)


def _parts(printed: str) -> dict[str, str]:
    """What each printed."""
    named = (part.partition("\n") for part in printed.split(BEGIN)[1:])
    return {name: without_device(text) for name, _, text in named}


@cache
def _printed() -> tuple[dict[str, str], dict[str, str]]:
    """On the CPU and on the simulated device."""
    with TemporaryDirectory() as folder:
        wanted = on_cpu(_together(), Path(folder))
        there = simulated(_together(), Path(folder))
    assert there.exit_code == 0, there.stderr
    assert there.divergences == []
    return _parts(wanted), _parts(there.stdout.decode())


@pytest.mark.parametrize("name", cases())
def test_prints_the_same(name: str) -> None:
    """The script prints on the device what it prints on the CPU, and no call of it diverges."""
    wanted, got = _printed()
    assert wanted[name]
    assert got[name] == wanted[name]
