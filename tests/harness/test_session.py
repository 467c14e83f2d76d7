"""What the session tells of a run: the seed case in the real sandbox, ends of all kinds, notices of a fallback."""

import json
import math
import shutil
import sys
from pathlib import Path

import pytest

from bot import targets
from bot.edges.executors.local import LocalExecutor
from bot.harness import ending
from bot.model import Job, RunEvidence, RunStatus

from .conftest import observe, text

pytestmark = pytest.mark.torch


def sandboxed(script: str) -> RunEvidence:
    """One run in the real sandbox on the CPU."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is missing: apt-get install bubblewrap")
    executor = LocalExecutor(python=Path(sys.executable), target=targets.load("cpu"))
    return executor.run(Job(script=script, device="cpu", repeats=1, timeout_s=60))


def test_seed() -> None:
    """The seed case in the sandbox: bfloat16 gives [256, 0] for [2048, 0], a number of bfloat16, 112 units off."""
    evidence = sandboxed(text("wrong/seed"))
    assert (evidence.status, evidence.why) == (RunStatus.OK, "")
    direct, backward = evidence.divergences
    for one, line in ((direct, 10), (backward, 11)):
        assert (one.op, one.overload, one.dtype, one.kind.value) == (
            "grid_sampler_2d_backward",
            "default",
            "bfloat16",
            "value",
        )
        assert (one.output, one.shape, one.wrong, one.total, one.line) == (1, (1, 1, 1, 2), 1, 2, line)
        assert (one.observed, one.expected, one.max_abs_err, one.ulps) == ((256, 0), (2048, 0), 1792, 112)
        assert one.expected_representable is True
        assert one.control is not None
        assert (one.control.dtype, one.control.observed, one.control.exact) == ("float32", (2048, 0), True)
    dtypes = {count.dtype: count for count in evidence.ops if count.op == "grid_sampler_2d_backward"}
    assert {dtype: (count.count, count.native) for dtype, count in dtypes.items()} == {
        "bfloat16": (2, True),
        "float16": (2, True),
        "float32": (2, True),
    }


def test_nan_arrives() -> None:
    """A NaN in a divergence reaches the evidence, and the evidence is JSON again."""
    evidence = sandboxed("import torch\ntorch.linalg.matrix_exp(torch.full((3, 3), 2.0, dtype=torch.bfloat16))")
    (one,) = evidence.divergences
    assert one.kind.value == "nan-inf"
    assert one.max_abs_err is not None
    assert math.isnan(one.max_abs_err)
    assert one.observed is not None
    assert math.isnan(one.observed[0])
    assert json.loads(evidence.model_dump_json())["divergences"][0]["observed"] == ["NaN"] * 9


@pytest.mark.parametrize(
    ("script", "exit_code", "raised"),
    [
        ("import torch\ntorch.ones(2) @ torch.ones(3)", 1, "RuntimeError: inconsistent tensor size, expected tensor"),
        ("x = (", 1, "SyntaxError: '(' was never closed (reproducer.py, line 1)"),
        ("\ufeffprint(1)\nraise ValueError('\\udcff' + 'x' * 6_000_000)", 1, "ValueError: \\udcffxxx"),
    ],
    ids=["torch", "syntax", "long"],
)
def test_end(script: str, exit_code: int, raised: str, tmp_path: Path) -> None:
    """The end event has the process's exit code and the exception, its name first, within a bounded length."""
    seen = observe(script, tmp_path)
    assert (seen.exit_code, seen.end["event"], seen.end["exit_code"]) == (exit_code, "end", exit_code)
    assert seen.end["raised"].startswith(raised)
    assert len(seen.end["raised"]) <= 100_000


@pytest.mark.parametrize(
    ("code", "expected"), [(None, 0), (0, 0), (300, 44), (-1, 255), (True, 1), ("text", 1), ((), 1)], ids=repr
)
def test_exit_code(code: object, expected: int, capsys: pytest.CaptureFixture[str]) -> None:
    """SystemExit gives the code that Python gives, and prints what is no number."""
    assert ending.code_of(SystemExit(code)) == expected
    assert capsys.readouterr().err == ("" if code is None or isinstance(code, int) else f"{code}\n")


def test_fallback(tmp_path: Path) -> None:
    """A notice of a fallback is seen whatever the script does to warnings, not shown, and its operator not native."""
    script = """
import warnings, torch
warnings.simplefilter("ignore")
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("error")
    torch.ones(2) + 1
    warnings.warn("The operator 'aten::add.Tensor on the XPU backend is falling back to run on the CPU.")
warnings.simplefilter("always")
torch.ones(2) * 2
warnings.warn("another")
print(len(seen))
"""
    seen = observe(script, tmp_path, fallback_pattern=targets.load("xpu").fallback_pattern)
    assert (seen.exit_code, seen.stdout) == (0, b"0\n"), seen.stderr
    assert {one["op"]: one["native"] for one in seen.end["ops"]} == {"add": False, "mul": True, "ones": None}
    assert seen.stderr.count("UserWarning") == 1


def test_refused(tmp_path: Path) -> None:
    """A script that is not the job's is not run."""
    seen = observe("print(1)", tmp_path, script_sha256="0" * 64)
    assert (seen.exit_code, seen.stdout, [event["event"] for event in seen.events]) == (97, b"", ["refused"])
