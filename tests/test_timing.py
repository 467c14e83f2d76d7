"""Benchmarks as values: what is asked, and what times say beside others."""

import ast
import json

import pytest
from pydantic import ValidationError

from bot.cli.timing import Order
from bot.edges.benchmarks import harness_text, shipped
from bot.errors import InputError
from bot.model import Job, RunEvidence, RunStatus
from bot.model.timing import Baseline, Benchmark, Pace, Timed
from bot.stages.timing import cases, compared, heading, line, refusal, rows, script

OPERATION = {
    "call": "grid_sampler_2d",
    "sizes": ["N", "C", "H", "W"],
    "shapes": [[1, 2, 3, 4], [5, 6, 7, 8]],
    "dtypes": ["float32", "float16"],
    "layouts": ["contiguous", "channels_last"],
    "modes": {"bilinear": 0, "bicubic": 2},
    "arguments": [
        {"tensor": ["N", "C", "H", "W"], "layout": True},
        {"tensor": ["N", "H", "W", 2]},
        "$mode",
        0,
        True,
    ],
}
FIELDS = {"call": "relu", "dtype": "float16", "mode": "-", "layout": "contiguous", "way": "forward", "device": "xpu"}


def timed(ms: float | None, spread: float = 0.0, **fields: object) -> Timed:
    return Timed.model_validate({**FIELDS, "shape": [2, 3], "ms": ms, "median_ms": ms, "spread_ms": spread} | fields)


def pace(here: Timed, there: Timed | None, factor: float = 1.5) -> Pace:
    return compared([here], [there] if there else [], factor)[0].fast_enough


def test_every_combination() -> None:
    """Dtype x mode x layout x shape, each once, with shapes in numbers and the mode's value in its place."""
    found = cases(Benchmark.model_validate({"operation": [OPERATION]}))
    assert len({json.dumps([one[key] for key in ("dtype", "mode", "layout", "shape")]) for one in found}) == 16
    assert len(found) == 16
    first, last = found[0]["arguments"], found[-1]["arguments"]
    assert (first[0]["tensor"], first[1]["tensor"], first[2:]) == ([1, 2, 3, 4], [1, 3, 4, 2], [0, 0, True])
    assert (last[0]["tensor"], last[2]) == ([5, 6, 7, 8], 2)
    assert last[3] == 0
    assert last[4] is True


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"shapes": [[1, 2, 3]]}, "needs 4 numbers"),
        ({"shapes": [[1, 2, 3, 0]]}, "numbers from 1"),
        ({"arguments": [{"tensor": ["N", "K"]}]}, "K is none of the sizes"),
        ({"ways": ["forward", "backward"]}, "grad = true"),
        ({"dtype": ["float32"]}, "Extra inputs"),
        ({"call": "import os"}, "pattern"),
        ({"dtypes": []}, "at least 1"),
    ],
)
def test_a_slip_of_the_pen_is_told(change: dict[str, object], told: str) -> None:
    """Shapes and sizes must fit, what is asked for must be there, and unknown keys are refused."""
    with pytest.raises(ValidationError, match=told):
        Benchmark.model_validate({"operation": [OPERATION | change]})


def test_what_ships_is_valid() -> None:
    """Every shipped file is a benchmark; the second seed's has its shapes, modes and layouts, forward and backward."""
    import tomllib  # noqa: PLC0415

    found = {name: Benchmark.model_validate(tomllib.loads(path.read_text("utf-8"))) for name, path in shipped().items()}
    seed = found["grid_sampler_2d"]
    assert [one.call for one in seed.operation] == ["grid_sampler_2d", "grid_sampler_2d_backward"]
    assert all(
        one.shapes[-1] == (16, 128, 256, 256) and set(one.modes) == {"bilinear", "bicubic"} for one in seed.operation
    )
    assert len(cases(seed)) == 96


def test_the_script_stands_alone() -> None:
    """It is Python, imports torch and the standard library, and holds its cases whatever letters are in them."""
    asked = [{"call": "x", "mode": "'\"\\\n'''"}]
    text = script(harness_text(), asked, ["xpu", "cpu"], 2.0, 50)
    tree = ast.parse(text)
    roots = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert roots == {"json", "statistics", "time", "collections.abc", "typing", "torch"}
    literal = next(node.value for node in ast.walk(tree.body[-1]) if isinstance(node, ast.Constant))
    order = json.loads(literal)
    assert order == {"cases": asked, "devices": ["xpu", "cpu"], "seconds": 2.0, "most": 50, "warmup": 5}


def test_processes_are_put_together() -> None:
    """The median process counts, and the spread is at least the distance between processes; other lines are no rows."""
    outputs = [
        "\n".join(["a library says hello", timed(ms, spread).model_dump_json(), "{}"])
        for ms, spread in ((1.0, 0.1), (4.0, 0.2), (2.0, 0.3))
    ]
    (row,) = rows(outputs)
    assert (row.ms, row.spread_ms) == (2.0, 3.0)
    (same,) = rows([timed(1.0, 0.5).model_dump_json(), timed(1.1, 0.2).model_dump_json()])
    assert same.spread_ms == 0.5


def test_rows_keep_their_order_and_device() -> None:
    """A case on two devices is two rows; a row without times stands where no process has any."""
    printed = [timed(1.0), timed(2.0, device="cpu"), timed(None, call="x", absent="RuntimeError: no")]
    text = "\n".join(row.model_dump_json() for row in printed)
    assert [(row.call, row.device, row.ms) for row in rows([text, text])] == [
        ("relu", "xpu", 1.0),
        ("relu", "cpu", 2.0),
        ("x", "xpu", None),
    ]


@pytest.mark.parametrize(
    ("here", "there", "answer"),
    [
        (timed(1.4), timed(1.0), Pace.OK),
        (timed(1.4, 5.0), timed(1.0), Pace.OK),
        (timed(2.0), timed(1.0), Pace.SLOWER),
        (timed(2.0, 0.9), timed(1.0, 0.9), Pace.SLOWER),
        (timed(2.0, 1.0), timed(1.0), Pace.UNCLEAR),
        (timed(2.0), timed(1.0, 1.2), Pace.UNCLEAR),
        (timed(2.0), None, Pace.UNKNOWN),
        (timed(2.0), timed(1.0, shape=[3, 2]), Pace.UNKNOWN),
        (timed(None), timed(1.0), Pace.UNKNOWN),
        (timed(2.0), timed(None), Pace.UNKNOWN),
    ],
)
def test_slower_is_said_only_beyond_the_spread(here: Timed, there: Timed | None, answer: Pace) -> None:
    """A case is slower where it is by more than the factor and by more than either spread."""
    assert pace(here, there) is answer


def test_a_stored_run_is_of_the_same_device() -> None:
    """Runs of devices with other names are not compared; another torch on the same device is what is compared."""
    mine = Baseline(device="B60", torch="2.14", rows=())
    assert refusal(mine.model_copy(update={"torch": "2.13"}), mine) is None
    assert refusal(mine.model_copy(update={"device": "B580"}), mine) == "it is of B580, this is B60"


def test_lines_stand_under_their_heading() -> None:
    """The columns of the second seed come first, each as wide as its heading; a row without times says why."""
    assert heading(asked=False).split() == ["dtype", "mode", "layout", "shape", "way", "ms", "spread"]
    (one,) = compared([timed(3.0, 0.25)], [timed(1.5)], 1.5)
    told = line(one, asked=True)
    assert told.split()[-5:] == ["3.000", "0.250", "1.500", "2.00", "no"]
    assert told.index("(2, 3)") == heading(asked=True).index("shape")
    (none,) = compared([timed(None, absent="RuntimeError: no")], [], 1.5)
    assert line(none, asked=True).endswith("RuntimeError: no")


class Dying:
    """An executor whose process prints one row and dies, or prints none."""

    def __init__(self, *printed: Timed) -> None:
        self.jobs: list[Job] = []
        self._printed = printed

    def run(self, job: Job) -> RunEvidence:
        """The evidence of one process that a signal ended."""
        self.jobs.append(job)
        text = "".join(row.model_dump_json() + "\n" for row in self._printed)
        ending = {"status": RunStatus.KILLED, "signal": 6, "stdout": text, "why": "ended by signal 6 (SIGABRT)"}
        facts = {"device": {"type": "xpu", "name": "B60"}, "environment": {"torch": "2.14"}}
        return RunEvidence.model_validate({**ending, **facts, "runs": [ending]})


def test_what_was_timed_before_a_crash_is_kept() -> None:
    """A process that dies leaves the rows that it had printed, with why there are no more; with none it is an error."""
    order = Order(Benchmark.model_validate({"operation": [OPERATION]}), "xpu", 1.0, 10, beside=None)
    executor = Dying(timed(1.0))
    run = order.run(executor, 2, 1 << 30)
    assert ([row.ms for row in run.mine.rows], run.whole) == ([1.0], False)
    assert (run.mine.device, run.mine.torch, run.why) == ("B60", "2.14", "ended by signal 6 (SIGABRT)")
    assert (executor.jobs[0].observe, executor.jobs[0].repeats) == (False, 2)
    with pytest.raises(InputError, match="nothing was timed: ended by signal 6"):
        order.run(Dying(), 2, 1 << 30)
