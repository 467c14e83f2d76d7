"""The command `bench`, in the real sandbox with real torch."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Alignbot, needs_bwrap, needs_torch, one_line

CASES = """
[[operation]]
call = "grid_sampler_2d"
sizes = ["N", "C", "H", "W"]
shapes = [[1, 2, 8, 8]]
dtypes = ["float32", "bfloat16"]
layouts = ["contiguous", "channels_last"]
modes = { bilinear = 0, bicubic = 2 }
ways = ["forward", "backward"]
arguments = [
    { tensor = ["N", "C", "H", "W"], layout = true, grad = true },
    { tensor = ["N", "H", "W", 2] },
    "$mode", 0, true,
]
"""
MISSING = '[[operation]]\ncall = "nonsense_op"\nsizes = ["n"]\nshapes = [[1]]\ndtypes = ["float32"]\n'
QUICK = ("--device", "cpu", "--calls", "5", "--seconds", "0.5", "--repeat", "1")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(CASES, "utf-8")
    return path


@needs_torch
@needs_bwrap
@pytest.mark.torch
def test_times_are_kept_and_compared(alignbot: Alignbot, small: Path, tmp_path: Path) -> None:
    """A run is stored in the state folder, a later one is compared with it, and what is slower is never passed."""
    first = alignbot("bench", small, *QUICK, "--save", "kept", state=tmp_path)
    assert (first.returncode, first.stderr) == (0, "")
    kept = tmp_path / "baselines" / "small-cpu.json"
    stored = json.loads(kept.read_text("utf-8"))
    assert len(stored["rows"]) == 16
    for factor in (1e9, 1e-9):
        changed = [row | {"ms": row["ms"] * factor, "spread_ms": 0} for row in stored["rows"]]
        kept.write_text(json.dumps(stored | {"torch": "1.0", "rows": changed}), "utf-8")
        done = alignbot("bench", small, *QUICK, "--against", "kept", "--json", state=tmp_path)
        assert "torch 1.0" in done.stderr
        answers = {row["fast_enough"] for row in json.loads(done.stdout)["rows"]}
        # which of the two depends on how busy the machine is; that neither is "yes" does not
        assert answers <= ({"yes"} if factor > 1 else {"no", "unclear"})
        assert done.returncode == (0 if factor > 1 else 1 if "no" in answers else 3)


@needs_torch
@needs_bwrap
@pytest.mark.torch
def test_a_baseline_of_another_device_is_refused(alignbot: Alignbot, small: Path, tmp_path: Path) -> None:
    """Times of a device with another name are no baseline."""
    (tmp_path / "other.json").write_text('{"device": "B60", "torch": "2.13.0", "rows": []}', "utf-8")
    done = alignbot("bench", small, *QUICK, "--against", tmp_path / "other.json", state=tmp_path)
    assert "it is of B60, this is" in one_line(done)


@needs_torch
@needs_bwrap
@pytest.mark.torch
def test_what_is_absent_leaves_it_incomplete(alignbot: Alignbot, small: Path, tmp_path: Path) -> None:
    """A case that the device does not offer has its reason in the table and makes the exit code 3."""
    small.write_text(MISSING, "utf-8")
    done = alignbot("bench", small, *QUICK, state=tmp_path)
    assert done.returncode == 3
    assert "no attribute 'nonsense_op'" in done.stdout


@needs_torch
def test_the_script_runs_by_hand(alignbot: Alignbot, small: Path, tmp_path: Path) -> None:
    """--script prints what would run; where only torch is, it prints a row of JSON for each case."""
    text = alignbot("bench", small, *QUICK, "--script", state=tmp_path).stdout
    done = subprocess.run([sys.executable, "-I", "-"], input=text, capture_output=True, text=True, check=True)
    assert len([json.loads(row) for row in done.stdout.splitlines()]) == 16


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing", "--device", "cpu"), "there are grid_sampler_2d"),
        (("nothing.toml", "--device", "cpu"), "nothing.toml can't be read"),
        (("grid_sampler_2d", "--device", "cpu", "--against", "cpu"), "--against cpu is for other devices"),
        (("grid_sampler_2d", "--device", "cpu", "--against", "kept"), "store a run there with --save first"),
        (("grid_sampler_2d", "--device", "abacus"), "no target profile for 'abacus'"),
    ],
)
def test_what_can_not_be_asked(alignbot: Alignbot, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    """Cases, baselines and devices that are not there end with 2 and one line that says what is."""
    assert told in one_line(alignbot("bench", *arguments, state=tmp_path))


@pytest.mark.parametrize(
    ("text", "told"),
    [("[[operation", "neither TOML nor JSON"), ("{", "neither TOML nor JSON"), ("operation = []", "at least 1")],
)
def test_files_that_are_no_cases(alignbot: Alignbot, small: Path, tmp_path: Path, text: str, told: str) -> None:
    """An unreadable file of cases is named, with what is wrong in it."""
    small.write_text(text, "utf-8")
    line = one_line(alignbot("bench", small, "--device", "cpu", state=tmp_path))
    assert told in line
    assert "small.toml" in line
