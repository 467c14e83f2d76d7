"""The kept sweeps and benchmarks: every combination has its row, and the exit code says what the rows say."""

import importlib.util
import itertools
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.test_reproducers import by_hand, metadata, of_kind

MARKS = {kind: f"# ---- the same in every {kind} ---" for kind in ("sweep", "benchmark")}
SWEEPS, BENCHMARKS = of_kind("sweep"), of_kind("benchmark")
SUMMARY = re.compile(r"^(\d+) of (\d+) rows are wrong, (\d+) absent$")

# Observed with torch 2.13.0 on the CPU: where a sum of ones stops growing. Every other row was exact.
STOPS = {
    "float16": {"addbmm", "index_add", "index_put", "segment_reduce", "conv_transpose2d", "index_select", "embedding",
                "embedding_bag", "replication_pad2d", "avg_pool2d backward", "max_pool2d",
                "adaptive_avg_pool2d", "adaptive_max_pool2d", "histc", "layer_norm"},
    "bfloat16": {"fold", "unfold"},
}  # fmt: skip
STOPS["bfloat16"] |= STOPS["float16"]

each_sweep = pytest.mark.parametrize("file", SWEEPS, ids=lambda file: file.stem)
each_benchmark = pytest.mark.parametrize("file", BENCHMARKS, ids=lambda file: file.stem)


def named(files: list[Path], stem: str) -> Path:
    return next(file for file in files if file.stem == stem)


def table(file: Path) -> list[list[str]]:
    """The rows of a sweep on the CPU, as words: its labels first, the answer last."""
    return [line.split() for line in by_hand(file, "--device", "cpu").stdout.splitlines()[2:-1]]


def loaded(file: Path) -> ModuleType:
    pytest.importorskip("torch", reason="the reproducers need torch")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_two_sweeps_and_a_benchmark() -> None:
    """The second seed's claim is kept, and a second sweep shows that its pattern carries."""
    assert {"grid_sample_sweep", "reduction_sweep"} <= {file.stem for file in SWEEPS}
    assert "grid_sample_benchmark" in {file.stem for file in BENCHMARKS}


@pytest.mark.parametrize("kind", MARKS)
def test_how_it_is_asked_is_the_same_everywhere(kind: str) -> None:
    """Below its mark every file of a kind is the same to the byte: to sweep another operator, write what is above."""
    parts = [file.read_text("utf-8").split(MARKS[kind]) for file in of_kind(kind)]
    assert all(len(part) == 2 for part in parts)
    assert len({part[1] for part in parts}) == 1


@pytest.mark.parametrize("file", [*SWEEPS, *BENCHMARKS], ids=lambda file: file.stem)
def test_it_is_short(file: Path) -> None:
    """It stands alone in less than 250 lines."""
    assert len(file.read_text("utf-8").splitlines()) < 250


@each_sweep
def test_a_sweep_runs_by_hand_on_the_cpu(file: Path) -> None:
    """Each row ends in its answer, each dtype has as many rows, the last line counts, and the exit code agrees."""
    run, rows = by_hand(file, "--device", "cpu"), table(file)
    assert run.stderr == ""
    answers = [row[-1] for row in rows]
    assert set(answers) <= {"yes", "no", "absent"}
    wrong, asked, absent = map(int, SUMMARY.match(run.stdout.splitlines()[-1]).groups())
    assert (wrong, absent, asked + absent) == (answers.count("no"), answers.count("absent"), len(answers))
    assert run.returncode == int(wrong > 0)
    assert len({sum(dtype in row for row in rows) for dtype in metadata(file)["dtypes"]}) == 1


@each_sweep
def test_float32_is_right_in_every_row(file: Path) -> None:
    """The control passes: no float32 row is wrong, so a wrong row is not the script's own doing."""
    assert {row[-1] for row in table(file) if "float32" in row} <= {"yes", "absent"}


@each_sweep
def test_labels_choose_rows(file: Path) -> None:
    """--only keeps the rows that have all labels, and ends with 2 and one line where there is none."""
    some = by_hand(file, "--device", "cpu", "--only", "float32", "contiguous")
    assert some.returncode == 0
    assert all({"float32", "contiguous"} <= set(line.split()) for line in some.stdout.splitlines()[2:-1])
    none = by_hand(file, "--device", "cpu", "--only", "float64")
    assert (none.returncode, none.stdout, none.stderr.count("\n")) == (2, "", 1)


def test_grid_sample_has_every_combination() -> None:
    """Each rank, mode, padding, corner convention, layout and dtype has its rows, forward and backward."""
    rows = [tuple(row[:7]) for row in table(named(SWEEPS, "grid_sample_sweep"))]
    combinations = itertools.product(
        ("4-D", "5-D"), ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), ("outer", "aligned"),
        ("contiguous", "channels_last"), ("float16", "bfloat16", "float32"),
        ("forward", "backward", "far", "far-read", "points"),
    )  # fmt: skip
    assert len(rows) == len(set(rows))
    assert set(combinations) == {row for row in rows if row[6] != "channels"}


def test_bicubic_in_three_dimensions_is_absent() -> None:
    """What no device offers is a row of its own that fails nothing; all else is offered by the CPU."""
    rows = table(named(SWEEPS, "grid_sample_sweep"))
    assert all((row[-1] == "absent") == (row[:2] == ["5-D", "bicubic"]) for row in rows)


def test_exactly_the_measured_sums_stop() -> None:
    """With torch 2.13.0 on the CPU the sums that were measured to stop do, in each layout, and no others."""
    torch = pytest.importorskip("torch", reason="the reproducers need torch")
    if torch.__version__.partition("+")[0] != "2.13.0":
        pytest.skip(f"measured with torch 2.13.0, this is {torch.__version__}")
    for operator, way, _, dtype, *_, answer in table(named(SWEEPS, "reduction_sweep")):
        stops = {operator, f"{operator} {way}"} & STOPS.get(dtype, set())
        assert (answer == "no") == bool(stops), (operator, way, dtype)


@each_benchmark
def test_a_benchmark_runs_by_hand_on_the_cpu(file: Path, tmp_path: Path) -> None:
    """Each combination has its row with a time, nothing is on standard error, and --save stores the same rows."""
    stored = tmp_path / "times.json"
    run = by_hand(file, "--device", "cpu", "--quick", "--save", str(stored))
    assert (run.returncode, run.stderr) == (0, "")
    lines = run.stdout.splitlines()[2:-1]
    rows = json.loads(stored.read_text("utf-8"))["rows"]
    assert len(lines) == len(rows) > 0
    for line, row in zip(lines, rows, strict=True):
        assert all(label in line for label in row["labels"])
        assert row["ms"] > 0
        assert row["spread"] >= 0
    assert {dtype for dtype in metadata(file)["dtypes"] if any(dtype in row["labels"] for row in rows)} == set(
        metadata(file)["dtypes"]
    )


@each_benchmark
def test_a_baseline_is_compared(file: Path, tmp_path: Path) -> None:
    """A baseline that took for ever makes every row fast enough; one of another device or none at all is refused."""
    stored = tmp_path / "times.json"
    by_hand(file, "--device", "cpu", "--quick", "--only", "float32", "--save", str(stored))
    content = json.loads(stored.read_text("utf-8"))
    for row in content["rows"]:
        row["ms"] = 1e9
    content["torch"] = "1.0"
    stored.write_text(json.dumps(content), "utf-8")
    asked = ("--device", "cpu", "--quick", "--only", "float32", "--baseline", str(stored))
    run = by_hand(file, *asked)
    assert run.returncode == 0, run.stderr
    assert "baseline of torch 1.0" in run.stdout
    assert all(line.endswith(" yes") for line in run.stdout.splitlines()[3:-1])
    stored.write_text(json.dumps(content | {"device": "another"}), "utf-8")
    refused = by_hand(file, *asked, "--seconds", "9")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is of another, this is" in refused.stderr
    stored.write_text("[]", "utf-8")
    assert by_hand(file, *asked, "--seconds", "8").returncode == 2


@each_benchmark
@pytest.mark.parametrize(
    ("here", "there", "answer"),
    [
        ({"ms": 1.4, "spread": 0}, {"ms": 1.0, "spread": 0}, "yes"),
        ({"ms": 1.6, "spread": 0.5}, {"ms": 1.0, "spread": 0.1}, "no"),
        ({"ms": 1.6, "spread": 0.7}, {"ms": 1.0, "spread": 0.1}, "unclear"),
        ({"ms": 1.6, "spread": 0.1}, {"ms": 1.0, "spread": 0.7}, "unclear"),
    ],
)
def test_spread_keeps_a_benchmark_silent(
    file: Path, here: dict[str, float], there: dict[str, float], answer: str
) -> None:
    """A row says no only where it is slower by the factor and by more than the spread of both."""
    assert loaded(file).answer(here, there, 1.5) == answer
