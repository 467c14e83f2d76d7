"""The timing harness: what is called in which order, statistics of given numbers, rows of cases."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the harness runs on torch")

from bot.harness import timing  # noqa: E402

from .conftest import observe  # noqa: E402


class Watched:
    """A clock that work moves on, and a list of what was done."""

    def __init__(self, *costs: float) -> None:
        self.now, self.done, self._costs = 0.0, [], list(costs)

    def work(self) -> None:
        """The next cost, the last one for ever."""
        self.done.append("work")
        self.now += self._costs.pop(0) if len(self._costs) > 1 else self._costs[0]

    def synchronize(self) -> None:
        """Costs nothing."""
        self.done.append("synchronize")

    def sampled(self, **limits: Any) -> list[float]:
        """Its times."""
        return timing.sampled(self.work, self.synchronize, clock=lambda: self.now, **limits)


def case(**fields: object) -> dict[str, Any]:
    tensor = {"tensor": [2, 3, 4, 5], "fill": "randn", "layout": True, "grad": True, "below": 1}
    told = {"call": "relu", "dtype": "float16", "mode": "-", "layout": "contiguous", "shape": [2], "way": "forward"}
    return {**told, "arguments": [tensor], "keywords": {}, **fields}


def rows(capsys: pytest.CaptureFixture[str], *cases: dict[str, Any], devices: tuple[str, ...] = ("cpu",)) -> list[Any]:
    order = {"cases": cases, "devices": devices, "seconds": 0.1, "most": 5, "warmup": 1}
    assert timing.main(order) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_call_stands_between_two_synchronisations() -> None:
    """The device is idle before a call begins and before its end is read; warm-up calls come first and don't count."""
    watched = Watched(1.0)
    assert watched.sampled(seconds=100, most=2, warmup=3) == [1.0, 1.0]
    assert watched.done == ["work", "synchronize"] * 3 + ["synchronize", "work", "synchronize"] * 2


def test_a_spent_budget_ends_it() -> None:
    """Calls end once the seconds are spent; the warm-up takes at most half, and three calls are always timed."""
    assert len(Watched(1.0).sampled(seconds=10, most=100, warmup=2)) == 9
    long = Watched(60.0)
    assert long.sampled(seconds=10, most=100, warmup=10) == [60.0] * timing.LEAST
    assert long.done.count("work") == timing.LEAST + 1


def test_extremes_are_left_out() -> None:
    """Of twenty times two are left out at each end: mean and spread are those of the rest, the median that of all."""
    times = [1000.0, 0.0, 0.0, 1000.0, *[1.0, 3.0] * 8]
    found = timing.summary([one / 1000 for one in times])
    assert found == pytest.approx({"ms": 2.0, "median_ms": 2.0, "spread_ms": 2.0, "count": 20})


def test_of_few_times_none_is_left_out() -> None:
    """Trimmed to one of three, a time would have no spread and every difference would count."""
    assert timing.summary([0.001, 0.002, 0.006]) == pytest.approx(
        {"ms": 3.0, "median_ms": 2.0, "spread_ms": 5.0, "count": 3}
    )


def test_a_cpu_needs_no_synchronisation() -> None:
    """On a CPU nothing is waited for; elsewhere that very device is asked, so one that is missing says so."""
    assert timing.synchronizer("cpu")() is None
    if not torch.cuda.is_available():
        with pytest.raises((AssertionError, RuntimeError)):
            timing.synchronizer("cuda:0")()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("relu", lambda: torch.ops.aten.relu),
        ("add.Tensor", lambda: torch.ops.aten.add.Tensor),
        ("prims::sin", lambda: torch.ops.prims.sin),
        ("torch.nn.functional.grid_sample", lambda: torch.nn.functional.grid_sample),
    ],
)
def test_names(name: str, found: Callable[[], object]) -> None:
    """Operators go by their aten name, by a namespace, or by their path below torch."""
    assert timing.resolved(name) is found()


def test_layouts() -> None:
    """The values stay and the strides are those of the layout."""
    tensor = torch.randn(2, 3, 4, 5)
    assert torch.equal(timing.laid_out(tensor, "channels_last"), tensor)
    assert timing.laid_out(tensor, "channels_last").stride() == (60, 1, 15, 3)
    assert timing.laid_out(tensor.permute(3, 2, 1, 0), "contiguous").is_contiguous()
    strided = timing.laid_out(tensor, "strided")
    assert torch.equal(strided, tensor)
    assert strided.stride() == (120, 40, 10, 2)


def test_inputs_are_what_was_asked_for() -> None:
    """A tensor has the case's dtype, layout and device, integers stay integers, each case draws the same numbers."""
    seen: list[Any] = []
    told = case(layout="channels_last", dtype="bfloat16")
    draw = torch.Generator().manual_seed(0)
    image = timing.argument(told["arguments"][0], told, "cpu", draw)
    assert (image.dtype, image.stride(), image.requires_grad) == (torch.bfloat16, (60, 1, 15, 3), False)
    whole = {"tensor": [7], "fill": "integers", "below": 3, "layout": False, "grad": False}
    index = timing.argument(whole, told, "cpu", draw)
    assert index.dtype is torch.int64
    assert set(index.tolist()) <= {0, 1, 2}
    seen = [timing.prepared(case(), "cpu")() for _ in range(2)]
    assert torch.equal(seen[0], seen[1])


def test_a_row_for_each_case_and_device(capsys: pytest.CaptureFixture[str]) -> None:
    """Cases are timed in order, each on each device in turn, forward and backward."""
    found = rows(capsys, case(), case(way="backward"), devices=("cpu", "cpu"))
    assert [(row["way"], row["device"]) for row in found] == [("forward", "cpu")] * 2 + [("backward", "cpu")] * 2
    assert all(row["ms"] > 0 and row["count"] >= timing.LEAST and "absent" not in row for row in found)


def test_what_is_not_offered_is_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    """An operator that is unknown, or not there for the dtype, has its reason for its times; the next one follows."""
    unknown, refused, fine = rows(capsys, case(call="nonsense_op"), case(call="linalg_qr"), case())
    assert "nonsense_op" in unknown["absent"]
    assert "RuntimeError" in refused["absent"] or "NotImplementedError" in refused["absent"]
    assert "ms" not in refused
    assert "ms" in fine


def test_an_unobserved_script(tmp_path: Path) -> None:
    """With `observe` false a script runs to its end with no call compared or counted; without it, it is compared."""
    script = "import torch\nprint(torch.ones(3).add(1).sum().item())"
    seen = observe(script, tmp_path, observe=False)
    assert (seen.exit_code, seen.stdout, seen.end["event"]) == (0, b"6.0\n", "end")
    assert not {"ops", "checked"} & set(seen.end)
    assert observe(script, tmp_path).end["checked"] > 0
    failed = observe("raise ValueError('x')", tmp_path, observe=False)
    assert (failed.exit_code, failed.end["raised"]) == (1, "ValueError: x")
