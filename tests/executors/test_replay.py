"""What counts is a replay: true divergences come out of a clean process again, whatever a script makes up does not."""

import importlib.util
import sys
from pathlib import Path

import pytest

from bot import targets
from bot.edges.executors.confirm import Confirmed
from bot.edges.executors.events import Account, SmallestEvent
from bot.edges.executors.local import LocalExecutor
from bot.edges.executors.smallest import smallest_of
from bot.model import (
    Bucket,
    CallPlace,
    Divergence,
    DivergenceKind,
    Job,
    RunEvidence,
    RunRecord,
    RunStatus,
    Smallest,
)
from bot.stages.judge import judge

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is missing"),
]

STALLS = """
import torch
weight = torch.zeros(1, 1, dtype=torch.bfloat16)
for length in (4096, 8192):
    index = torch.zeros(length, dtype=torch.long)
    print(torch.ops.aten.embedding_dense_backward(torch.ones(length, 1, dtype=torch.bfloat16), index, 1, -1, False))
"""
PATCHED = """
import torch
library = torch.library.Library("aten", "IMPL")
real = torch.ops.aten.mul.out
def mul(a, b):
    {body}
    return real(a, b, out=torch.empty_like(a))
library.impl("mul.Tensor", mul, "CPU")
print(torch.ones(3) * torch.ones(3))
"""
FORGED = """
import gc, json, torch
for one in gc.get_objects():
    if type(one).__name__ == "Channel":
        one.emit("divergence", divergence=dict(op="add", overload="Tensor", dtype="float32", kind="value",
            observed=[1.0], expected=[2.0], ulps=9.0, calls="aten.add.Tensor(float32[1] cpu, 1)"), call={call})
print(torch.ones(3) + 1)
"""
ADD = {
    "op": "aten::add",
    "overload": "Tensor",
    "args": [{"tensor": 0}, 1],
    "kwargs": {},
    "tensors": [{"dtype": "float32", "device": "cpu", "shape": [1], "stride": [1], "bytes": "eAFjYGiwBwABQwDA"}],
    "settings": {},
}


def run(script: str, bwrap: Path, **job: object) -> RunEvidence:
    """One run in the real sandbox with the real harness."""
    executor = LocalExecutor(python=Path(sys.executable), target=targets.load("cpu"), bwrap=bwrap)
    asked = {"script": script, "device": "cpu", "repeats": 1, "timeout_s": 60, **job}
    return executor.run(Job.model_validate(asked))


def test_true_divergences_are_shown_again(bwrap: Path) -> None:
    """Each call that is off keeps its own line and arguments, with the numbers of the clean process."""
    evidence = run(STALLS, bwrap)
    assert [(one.observed, one.expected, one.line) for one in evidence.divergences] == [
        ((256.0,), (4096.0,), 6),
        ((256.0,), (8192.0,), 6),
    ]
    assert ["[4096, 1]" in str(one.calls) for one in evidence.divergences] == [True, False]
    assert evidence.unconfirmed == ()


@pytest.mark.parametrize(
    "script",
    [
        PATCHED.format(body="if a.dtype is torch.float32: return torch.zeros_like(a)"),
        FORGED.format(call=ADD),
        FORGED.format(call=None),
        FORGED.format(call=ADD | {"op": "aten::no_such_operator"}),
        FORGED.format(call=ADD | {"tensors": [], "args": [{"tensor": 0}, {"__import__": "os"}]}),
        FORGED.format(call=ADD | {"tensors": [ADD["tensors"][0] | {"stride": [1 << 40], "shape": [1 << 40]}]}),
    ],
    ids=["a patched kernel", "a forged event", "without a call", "no operator", "no argument", "out of bounds"],
)
def test_what_a_script_makes_up_counts_for_nothing(script: str, bwrap: Path) -> None:
    """It is no divergence of the run, it is told, and nothing is confirmed."""
    evidence = run(script, bwrap)
    assert (evidence.status, evidence.divergences) == (RunStatus.OK, ())
    assert len(evidence.unconfirmed) == 1
    assert judge(evidence).bucket is Bucket.RELATED_FAILURE


@pytest.mark.parametrize(
    ("body", "how", "timeout_s"),
    [
        ("__import__('ctypes').string_at(0)", "signal 11", 60),
        ("while True: pass", "hang", 15),
    ],
)
def test_an_ending_that_a_script_makes_is_not_the_operator_s(body: str, how: str, timeout_s: int, bwrap: Path) -> None:
    """The call that was running is known, and by itself it ends well: the crash is not the kernel's."""
    evidence = run(PATCHED.format(body=body), bwrap, timeout_s=timeout_s)
    assert evidence.runs[0].underway == CallPlace(name="aten::mul.Tensor", nth=1)
    assert evidence.last_call is not None
    last = evidence.last_call
    assert (last.op, last.how, last.shown, last.tried) == ("mul", how, 0, 2)
    assert judge(evidence).bucket is Bucket.RELATED_FAILURE


def test_a_crash_outside_any_call_has_no_operator(bwrap: Path) -> None:
    """A script that kills itself between calls leaves word of none."""
    evidence = run("import torch, os\ntorch.ones(2) + 1\nos.abort()", bwrap)
    assert (evidence.status, evidence.signal) == (RunStatus.KILLED, 6)
    assert (evidence.runs[0].underway, evidence.last_call) == (None, None)


def test_the_clean_process_says_which_call_it_was(bwrap: Path) -> None:
    """A script that names another operator for the call it wrote down changes nothing: it is told as what it is."""
    script = f"""
import gc, os, struct, torch
torch.ones(2) * 2
channel = next(one for one in gc.get_objects() if type(one).__name__ == "Channel")
channel.emit("begins", op="sort", calls="aten.sort(x)", native=True, call={ADD})
page = next(one for one in gc.get_objects() if type(one).__name__ == "Crumb")._page
name = b"aten::sort"
page[: 11 + len(name)] = struct.pack("<BQH", 1, 1, len(name)) + name
os.abort()
"""
    evidence = run(script, bwrap)
    assert evidence.runs[0].underway == CallPlace(name="aten::sort", nth=1)
    assert evidence.last_call is not None
    last = evidence.last_call
    assert (last.op, last.shown, last.tried) == ("add", 0, 2)
    assert judge(evidence).bucket is Bucket.RELATED_FAILURE


def test_the_smallest_form_is_tried_before_it_is_told(bwrap: Path) -> None:
    """One form of one operator and kind: its script, run by itself, ends with 1 and shows the divergence."""
    evidence = run(STALLS, bwrap, smallest=True)
    (least,) = evidence.smallest
    assert (least.op, least.kind, least.dtype) == ("embedding_dense_backward", "value", "bfloat16")
    assert least.script is not None
    again = run(least.script, bwrap)
    assert (again.exit_code, [one.op for one in again.divergences]) == (1, ["embedding_dense_backward"])
    assert {one.shows for one in least.relatives} <= {"wrong", "right", "absent"}
    assert run(STALLS, bwrap).smallest == ()


@pytest.mark.parametrize("exit_code", [0, 1, 2])
def test_a_script_that_shows_nothing_is_left_out(exit_code: int) -> None:
    """Whatever it ends with: without the divergence its text is not told, and what is known of the call is."""
    divergence = Divergence(op="add", overload="Tensor", dtype="float32", kind=DivergenceKind.VALUE)
    first = RunRecord(status=RunStatus.OK, divergences=(divergence,))
    least = Smallest(
        op="add", overload="Tensor", dtype="float32", kind=DivergenceKind.VALUE, calls="add", script="print(1)"
    )
    jobs: list[Job] = []

    def launch(job: Job) -> tuple[RunRecord, Account]:
        jobs.append(job)
        event = SmallestEvent(event="smallest", place=0, smallest=least)
        told = Account(smallest=(event,)) if job.form == "smallest" else Account()
        return RunRecord(status=RunStatus.OK, exit_code=exit_code), told

    sure = Confirmed((first,), calls={divergence.kin: {}})
    (found,) = smallest_of(Job(script="", device="cpu", smallest=True), sure, launch)
    assert found == least.model_copy(update={"script": None})
    assert [job.form for job in jobs] == ["smallest", "script"]
    assert smallest_of(Job(script="", device="cpu"), Confirmed((first,)), launch) == ()
