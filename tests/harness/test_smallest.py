"""The smallest form of a diverging call: it still diverges, it stands alone, and its relatives are told as they are."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from bot.harness.smallest.probe import Probe, Variant  # noqa: E402
from bot.harness.smallest.shrink import least_size, plain, smallest, wrong_of  # noqa: E402
from bot.harness.smallest.tell import of_call  # noqa: E402
from bot.harness.smallest.vary import siblings_of  # noqa: E402

pytestmark = pytest.mark.torch
JOB = {"device": "cpu", "dispatch_key": "CPU", "name": "reproducer.py"}
HALF = torch.bfloat16
EMBEDDING = (
    torch.ops.aten.embedding_dense_backward.default,
    (torch.ones(4096, 3, dtype=HALF), torch.arange(4096) % 2, 5, -1, False),
)
CALLS = {
    "embedding": (*EMBEDDING, "value", 0),
    "index_add": (
        torch.ops.aten.index_add.default,
        (torch.full((1,), 0.5, dtype=HALF), 0, torch.zeros(4096, dtype=torch.long), torch.ones(4096, dtype=HALF)),
        "value",
        0,
    ),
    "in place": (
        torch.ops.aten.index_add_.default,
        (torch.zeros(1, dtype=HALF), 0, torch.zeros(4096, dtype=torch.long), torch.ones(4096, dtype=HALF)),
        "value",
        0,
    ),
    "second output": (
        torch.ops.aten.grid_sampler_2d_backward.default,
        (
            torch.ones(1, 2048, 1, 1, dtype=HALF),
            torch.tensor([[0.0, 1.0], [0.0, 1.0]]).expand(1, 2048, 2, 2).to(HALF).contiguous(),
            torch.zeros(1, 1, 1, 2, dtype=HALF),
            0,
            0,
            False,
            [False, True],
        ),
        "value",
        1,
    ),
    "nan": (torch.ops.aten.linalg_matrix_exp.default, (torch.full((3, 3), 2.0, dtype=HALF),), "nan-inf", 0),
}


def of(name: str) -> Any:
    """What is told of a call."""
    func, args, kind, output = CALLS[name]
    told = of_call(Variant(func, args, {}), kind, output, JOB)
    assert told is not None
    return told


@pytest.mark.parametrize("name", CALLS)
def test_the_script_stands_alone(name: str, tmp_path: Path) -> None:
    """At most 20 lines; by itself it ends with 1 on the CPU, and with 0 where nothing is computed in half."""
    script = of(name)["script"]
    assert len(script.splitlines()) <= 20
    for text, code in ((script, 1), (script.replace("bfloat16", "float32"), 0)):
        (tmp_path / "least.py").write_text(text, "utf-8")
        ended = subprocess.run(
            [sys.executable, "-I", tmp_path / "least.py", "cpu"], capture_output=True, text=True, check=False
        )
        assert ended.returncode == code, ended.stdout + ended.stderr


def test_it_is_small() -> None:
    """A sum of 4,096 ones that stops at 256 is wrong from some ten more on, and other sizes become 1."""
    func, args, kind, output = CALLS["embedding"]
    wrong = wrong_of(Probe(JOB, 60), kind, output)
    least = smallest(plain(Variant(func, args, {}), wrong), wrong)
    assert 256 < least.tensors[0].shape[0] < 300
    assert least.tensors[0].shape[1] == 1
    assert wrong(least)


def test_relatives_are_told_as_they_are() -> None:
    """Both half dtypes stop at their own power of two, float32 is right, and so is another layout's answer wrong."""
    rows = {one["what"]: one for one in of("embedding")["relatives"]}
    assert {name: row["shows"] for name, row in rows.items() if name.startswith("dtype")} == {
        "dtype float16": "wrong",
        "dtype bfloat16": "wrong",
        "dtype float32": "right",
    }
    assert max(rows["dtype float16"]["observed"]) == 2048
    assert max(rows["dtype bfloat16"]["observed"]) == 256
    assert 256 < rows["dtype bfloat16"]["starts_at"] < 300
    assert 2048 < rows["dtype float16"]["starts_at"] < 2100
    assert rows["not contiguous"]["shows"] == "wrong"


def test_what_does_not_diverge_has_no_smallest_form() -> None:
    """A call that is right, or wrong in another way than was said, is not made smaller."""
    func, args, _, _ = CALLS["embedding"]
    right = tuple(one.float() if isinstance(one, torch.Tensor) and one.dtype is HALF else one for one in args)
    assert of_call(Variant(func, right, {}), "value", 0, JOB) is None
    assert of_call(Variant(func, args, {}), "nan-inf", 0, JOB) is None


@pytest.mark.parametrize("least", [1, 2, 3, 17, 63, 64])
def test_the_least_size_is_found(least: int) -> None:
    """Whatever it is, in some steps: None where not even one element less diverges."""
    variant = Variant(torch.ops.aten.sum.default, (torch.ones(64),), {})
    asked = []

    def wrong(one: Variant) -> bool:
        asked.append(one)
        return one.tensors[0].shape[0] >= least

    assert least_size(variant, 64, wrong) == (least if least < 64 else None)
    assert len(asked) <= 13


def test_no_seconds_left_is_no_more_shrinking() -> None:
    """A spent budget leaves the call as it is."""
    func, args, kind, output = CALLS["embedding"]
    wrong = wrong_of(Probe(JOB, -1), kind, output)
    assert smallest(Variant(func, args, {}), wrong).tensors[0].shape == (4096, 3)


def test_siblings_take_the_same_arguments() -> None:
    """A sum along a dimension has relatives by name; none of them writes, none is the operator itself."""
    names = [one._schema.name for one in siblings_of(torch.ops.aten.cumsum.default)]
    assert "aten::cumprod" in names
    assert "aten::cumsum" not in names
    assert not [name for name in names if name.endswith("_")]
