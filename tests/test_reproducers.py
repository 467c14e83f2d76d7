"""The kept reproducers: each describes itself, runs by hand, and tells right from wrong by its exit code."""

import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from bot.resources import resource

FILES = sorted(resource("reproducers").glob("*.py"))
BLOCK = re.compile(r"^# /// reproducer\n((?:#(?: .*)?\n)+?)# ///\n", re.MULTILINE)
ROW = re.compile(r"^(\w+)\s+(\[\w+, \w+\])\s+(\[.*?\])\s+(\[.*?\])\s+(yes|no)$", re.MULTILINE)
MASKS = ("[False, True]", "[True, True]")

# Observed with torch 2.13.0 on the CPU, AVX2 and scalar code alike, for either mask; every other row was exact.
MEASURED = {
    "grid_sampler_2d_backward_bilinear": {"bfloat16": "[256.0, 0.0]"},
    "grid_sampler_2d_backward_bicubic": {"float16": "[2048.0, 0.0]", "bfloat16": "[256.0, 0.0]"},
    "grid_sampler_3d_backward_bilinear": {"float16": "[512.0, 0.0, 0.0]", "bfloat16": "[64.0, 0.0, 0.0]"},
}


def metadata(file: Path) -> dict[str, object]:
    blocks = BLOCK.findall(file.read_text(encoding="utf-8"))
    assert len(blocks) == 1, f"{file.name} needs exactly one '# /// reproducer' block"
    return tomllib.loads("".join(line[2:] or "\n" for line in blocks[0].splitlines(keepends=True)))


def of_kind(kind: str | None) -> list[Path]:
    """The files of a kind: None for one operator's exact values, `sweep`, `benchmark`."""
    return [file for file in FILES if metadata(file).get("kind") == kind]


each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
each_exact = pytest.mark.parametrize("file", of_kind(None), ids=lambda file: file.stem)


@cache
def by_hand(file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("torch", reason="the reproducers need torch")
    command = [sys.executable, "-I", str(file), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def rows(file: Path) -> list[tuple[str, str, str, str, str]]:
    return ROW.findall(by_hand(file, "--device", "cpu").stdout)


def test_there_are_reproducers() -> None:
    """The folder holds at least the three files of the grid-sampler series."""
    assert set(MEASURED) <= {file.stem for file in FILES}


@each_file
def test_metadata(file: Path) -> None:
    """The block is TOML with all five keys, the file name begins with the operator, and upstream is named in full.

    What is no table of exact values says its kind, with which its name ends.
    """
    found = metadata(file)
    assert file.stem.endswith(str(found.get("kind", "")))
    assert found.pop("kind", "sweep") in {"sweep", "benchmark"}
    assert set(found) == {"operator", "upstream", "oracle", "dtypes", "min_torch"}
    assert file.stem.startswith(str(found["operator"]))
    assert found["upstream"]
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#[1-9]\d*", item) for item in found["upstream"])
    assert str(found["oracle"]).endswith(".")
    assert set(found["dtypes"]) <= {"float16", "bfloat16", "float32", "float64"}
    assert re.fullmatch(r"\d+\.\d+", str(found["min_torch"]))


@each_exact
def test_runs_by_hand_on_the_cpu(file: Path) -> None:
    """It ends with 0 or 1, prints one row for each dtype and mask in order, and nothing on standard error."""
    run = by_hand(file, "--device", "cpu")
    assert run.returncode in {0, 1}, run.stderr
    assert run.stderr == ""
    assert [row[:2] for row in rows(file)] == [(d, m) for d in metadata(file)["dtypes"] for m in MASKS]


@each_exact
def test_exit_code_says_what_the_rows_say(file: Path) -> None:
    """It ends with 1 if and only if a row says no, and a row says no if and only if its two values differ."""
    found = rows(file)
    assert by_hand(file, "--device", "cpu").returncode == int(any(exact == "no" for *_, exact in found))
    assert all((observed == expected) == (exact == "yes") for _, _, observed, expected, exact in found)


@each_exact
def test_float32_is_exact(file: Path) -> None:
    """The control passes: in float32 every row is exact, so a wrong row is not the script's own doing."""
    assert {exact for dtype, *_, exact in rows(file) if dtype == "float32"} == {"yes"}


@pytest.mark.parametrize("name", MEASURED)
def test_exactly_the_measured_rows_are_wrong(name: str) -> None:
    """With torch 2.13.0 on the CPU the wrong rows are those that were measured, with those values, and no others."""
    torch = pytest.importorskip("torch", reason="the reproducers need torch")
    if torch.__version__.partition("+")[0] != "2.13.0":
        pytest.skip(f"measured with torch 2.13.0, this is {torch.__version__}")
    wrong = [row[:3] for row in rows(resource("reproducers") / f"{name}.py") if row[4] == "no"]
    assert wrong == [(d, m, MEASURED[name][d]) for d in ("float16", "bfloat16") if d in MEASURED[name] for m in MASKS]


@each_file
@pytest.mark.parametrize("device", ["nonsense", "meta"])
def test_unknown_device_is_one_line(file: Path, device: str) -> None:
    """A device that is not there ends with 2, one line on standard error that names it, and no table."""
    run = by_hand(file, "--device", device)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1
    assert f"'{device}'" in run.stderr


@pytest.mark.parametrize("name", MEASURED)
def test_an_expected_value_that_does_not_fit_is_refused(name: str) -> None:
    """A size whose exact answer is not representable ends with 2 instead of blaming the device."""
    run = by_hand(resource("reproducers") / f"{name}.py", "--device", "cpu", "--channels", "1365")
    assert (run.returncode, run.stdout) == (2, "")
    assert "not representable" in run.stderr


def test_float16_of_the_cpu_is_right_by_luck() -> None:
    """With 4096 channels the 2-D bilinear script finds float16 wrong as well, wherever it finds bfloat16 wrong."""
    file = resource("reproducers") / "grid_sampler_2d_backward_bilinear.py"
    exact = {row[0]: row[4] for row in ROW.findall(by_hand(file, "--device", "cpu", "--channels", "4096").stdout)}
    assert exact["float16"] == exact["bfloat16"]
    assert exact["float32"] == "yes"
