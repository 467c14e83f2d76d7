"""Planned faults show on the device, where the plan says and nowhere else, and leave the reference alone."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.harness.conftest import Observed

from .conftest import simulated
from .operators import CHECKS, FORKED, GENERAL, NARROW, SETTING, calls_script

pytestmark = pytest.mark.torch
SEED = (Path(__file__).parent / "seed.py.txt").read_text("utf-8")


def planned(calls: dict[str, str], kind: str) -> list[dict[str, object]]:
    """The fault in each of the operators."""
    return [{"op": op, "kind": kind} for op in calls]


@cache
def observed(kind: str, dtype: str = "float32", *, nan: bool = False) -> Observed:
    """One run of all calls that show this kind, each of them faulty."""
    calls = NARROW if kind == "narrow-accumulator" else CHECKS if kind == "missing-check" else GENERAL
    with TemporaryDirectory() as folder:
        return simulated(calls_script(calls, dtype, nan=nan), Path(folder), *planned(calls, kind))


def printed(script: str, *faults: dict[str, object]) -> dict[str, str]:
    """Lines `name value` that a script printed."""
    with TemporaryDirectory() as folder:
        ended = simulated(script, Path(folder), *faults)
    assert ended.exit_code == 0, ended.stderr
    return dict(line.split(" ", 1) for line in ended.stdout.decode().splitlines())


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("op", NARROW)
def test_narrow_accumulator(op: str, dtype: str) -> None:
    """The shadow finds a wrong value in this operator and dtype, and that float32 on the same device is right."""
    found = [one for one in observed("narrow-accumulator", dtype).divergences if one["op"] == op]
    assert {(one["kind"], one["dtype"]) for one in found} == {("value", dtype)}
    assert all(one["control"]["agrees"] for one in found)


@pytest.mark.parametrize("op", GENERAL)
def test_int32_wrap(op: str) -> None:
    """The shadow finds wrong values: what lies past the middle is the beginning again."""
    assert "value" in {one["kind"] for one in observed("int32-wrap").divergences if one["op"] == op}


@pytest.mark.parametrize("op", GENERAL)
def test_nan_dropped(op: str) -> None:
    """The shadow finds numbers where NaN is right."""
    assert "nan-inf" in {one["kind"] for one in observed("nan-dropped", nan=True).divergences if one["op"] == op}


@pytest.mark.parametrize("op", GENERAL)
def test_cpu_fallback(op: str) -> None:
    """The operator is not native, its results are right, and the script sees no warning."""
    run = observed("cpu-fallback")
    assert {one["native"] for one in run.end["ops"] if one["op"] == op and one["device"] == "xpu:0"} == {False}
    assert (run.divergences, run.stderr) == ([], "")


@cache
def _strides(kind: str | None) -> dict[str, str]:
    script = calls_script(GENERAL, "float32") + "\n"
    script += "\n".join(f"print('{op}', described(result_{op}))" for op in GENERAL)
    return printed(script, *(planned(GENERAL, kind) if kind else []))


@pytest.mark.parametrize("op", GENERAL)
def test_wrong_stride(op: str) -> None:
    """Other strides, the same shape and numbers."""
    (right, numbers), (wrong, same) = _strides(None)[op].split("|"), _strides("wrong-stride")[op].split("|")
    assert right != wrong
    assert numbers == same


@cache
def _repeated(kind: str | None) -> dict[str, str]:
    script = calls_script(GENERAL, "float32") + "\n"
    script += "\n".join(
        f"print('{op}', len({{bits({expression}) for _ in range(8)}}) > 1)" for op, expression in GENERAL.items()
    )
    return printed(script, *(planned(GENERAL, kind) if kind else []))


@pytest.mark.parametrize("op", GENERAL)
def test_nondeterminism(op: str) -> None:
    """Repeated calls differ bit by bit, and without the fault they don't."""
    assert (_repeated("nondeterminism")[op], _repeated(None)[op]) == ("True", "False")


def test_nondeterminism_is_small() -> None:
    """No result is off by more than rounding explains: only a repeat tells."""
    assert {one["kind"] for one in observed("nondeterminism").divergences} == {"nondeterministic"}


NOT_TOLD = {
    "wrong-stride": {"convolution"},  # its library chooses the layout
    "nondeterminism": {"cumsum"},  # torch lists it as nondeterministic
    "missing-check": {"multinomial"},  # random: it is not compared
}


@pytest.mark.parametrize(
    ("kind", "calls", "told"),
    [
        ("wrong-stride", GENERAL, "stride"),
        ("nondeterminism", GENERAL, "nondeterministic"),
        ("missing-check", CHECKS, "error-missing"),
    ],
)
def test_every_fault_is_found(kind: str, calls: dict[str, str], told: str) -> None:
    """The oracle tells the fault of every operator, those excepted that it can't judge, and nothing of another kind."""
    run = observed(kind)
    found = {one["op"].removesuffix("_") for one in run.divergences if one["kind"] == told}
    assert {one["kind"] for one in run.divergences} == {told}
    assert set(calls) - found == NOT_TOLD[kind]


@cache
def _refused(kind: str | None) -> dict[str, str]:
    return printed(calls_script(CHECKS, "float32"), *(planned(CHECKS, kind) if kind else []))


@pytest.mark.parametrize("op", CHECKS)
def test_missing_check(op: str) -> None:
    """A call that is refused without the fault returns with it."""
    assert op in _refused(None)
    assert op not in _refused("missing-check")


@cache
def _children(kind: str, ask: str) -> dict[str, str]:
    script = calls_script({}, "float32") + FORKED
    script += "\n".join(f"print('{op}', {ask}(child(lambda: {expression})))" for op, expression in GENERAL.items())
    return printed(script, *planned(GENERAL, kind))


@pytest.mark.parametrize("op", GENERAL)
def test_crash(op: str) -> None:
    """The process that calls the operator dies of SIGSEGV."""
    assert _children("crash", "ended")[op] == "-11"


@pytest.mark.parametrize("op", GENERAL)
def test_hang(op: str) -> None:
    """The call never returns; SIGTERM does not end it."""
    assert _children("hang", "blocked")[op] == "True"


def test_seed(tmp_path: Path) -> None:
    """The first seed, as filed: float16 [1024, 0], bfloat16 [128, 0], float32 [2048, 0], for both output masks."""
    fault = {"op": "grid_sampler_2d_backward", "dtypes": ["float16", "bfloat16"], "kind": "narrow-accumulator"}
    run = simulated(SEED, tmp_path, fault)
    rows = [(dtype, mask, first) for dtype, first in ROWS for mask in ("[False, True]", "[True, True]")]
    wanted = [f"torch.{dtype} {mask} [{first}, 0.0] expected [2048.0, 0.0]" for dtype, mask, first in rows]
    assert run.stdout.decode().splitlines() == wanted
    assert [(one["dtype"], one["observed"], one["control"]["observed"]) for one in run.divergences] == [
        (dtype, [value, 0.0], [2048.0, 0.0]) for dtype, value in SEEN for _ in range(2)
    ]


SEEN = [("float16", 1024.0), ("bfloat16", 128.0)]
ROWS = [*SEEN, ("float32", 2048.0)]


def test_the_plan_is_kept_to(tmp_path: Path) -> None:
    """Another dtype, another argument and another operator stay right; in place and out= are the same operator."""
    script = """
import torch
for dtype in (torch.float16, torch.bfloat16):
    big = torch.full((3,), 2000.0, device="xpu", dtype=dtype)
    big + big, torch.add(big, big, alpha=2), big - -big
    big.add_(big)
"""
    fault = {"op": "add", "dtypes": ["float16"], "kind": "narrow-accumulator", "when": {"alpha": 1}}
    found = simulated(script, tmp_path, fault).divergences
    assert [(one["op"], one["overload"], one["dtype"], one["observed"]) for one in found] == [
        ("add", "Tensor", "float16", [2048.0] * 3),
        ("add_", "Tensor", "float16", [2048.0] * 3),
    ]


@pytest.mark.parametrize("op", ["_to_copy", "detach", "copy_", "clone"])
def test_reference_has_no_faults(op: str, tmp_path: Path) -> None:
    """A fault in an operator by which the observer reads the device does not reach what it compares with."""
    script = "import torch\nx = torch.rand(4, 4).to('xpu')\ny = x.exp()\n"
    found: list[dict[str, Any]] = simulated(script, tmp_path, {"op": op, "kind": "int32-wrap"}).divergences
    assert {one["op"] for one in found} <= {op}


def test_long_integers_wrap(tmp_path: Path) -> None:
    """A sum past 2^31 comes out modulo 2^32."""
    script = "import torch\nprint(torch.full((3,), 2**30, device='xpu').sum().item(), 2**30 * 3 - 2**32)"
    got, wanted = simulated(script, tmp_path, {"op": "sum", "kind": "int32-wrap"}).stdout.split()
    assert got == wanted


def test_enough_operators() -> None:
    """Each kind is shown in at least 30 operators."""
    assert min(map(len, (GENERAL, NARROW, CHECKS))) >= 30
    assert SETTING
