"""Values that the page tests fill the fake store with: findings, the other ends of a case, and a hostile one."""

from datetime import UTC, datetime

from bot.model import (
    Absent,
    Bucket,
    Case,
    Control,
    DefectKind,
    DeviceFacts,
    Divergence,
    DivergenceKind,
    Draft,
    Edit,
    Finding,
    FrozenHeads,
    Item,
    ItemClass,
    ItemKind,
    ItemState,
    Judgement,
    OpCount,
    Oracle,
    OracleKind,
    Origin,
    Outcome,
    OutcomeKind,
    Port,
    Reason,
    Reproducer,
    Ruling,
    RunEvidence,
    RunRecord,
    RunStatus,
    Span,
    Verdict,
    Window,
)
from tests.dashboard.fake_store import FakeStore

DAY = Window.parse("2026-11-11")
DAY_BEFORE = Window.parse("2026-11-10")
HALF_DAY = Window.parse("2026-11-09T12:00:00Z/2026-11-10")
HEADS = FrozenHeads(upstream="4be1c09d7f2a" + "0" * 28, target="9a0d33e6c1b4" + "1" * 28)
HOSTILE = (
    "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    "</textarea></pre></title><svg onload=document.title='taken'> \x1b[31mred\x1b[0m \u202egnp.exe\u202c {{ 7 * 7 }}"
)


def item(number: int, title: str, kind: ItemKind = ItemKind.ISSUE, state: ItemState = ItemState.OPEN) -> Item:
    moment = datetime(2026, 11, 11, 7, 30, tzinfo=UTC)
    return Item(
        repo="pytorch/pytorch",
        number=number,
        kind=kind,
        title=title,
        state=state,
        author="kernel-reader",
        created_at=moment,
    )


def divergence(dtype: str = "bfloat16", observed: float = 256.0) -> Divergence:
    return Divergence(
        op="grid_sampler_2d_backward",
        overload="default",
        dtype=dtype,
        kind=DivergenceKind.VALUE,
        observed=[observed, 0.0],
        expected=[2048.0, 0.0],
        max_abs_err=2048.0 - observed,
        ulps=112.0,
        expected_representable=True,
        control=Control(dtype="float32", observed=[2048.0, 0.0], exact=True),
        output=1,
        wrong=1,
        total=2,
        where=(0, 0, 0, 0),
        budget=8.0,
        calls=f"aten.grid_sampler_2d_backward.default({dtype}[1,2048,1,1], {dtype}[1,2048,2,2], {dtype}[1,1,1,2])",
        line=9,
    )


SCRIPT = """import torch

for dtype in (torch.float16, torch.bfloat16, torch.float32):
    image = torch.tensor([[0.0, 1.0], [0.0, 1.0]]).expand(1, 2048, 2, 2).to("xpu", dtype).contiguous()
    upper = torch.ones(1, 2048, 1, 1, device="xpu", dtype=dtype)
    grid = torch.zeros(1, 1, 1, 2, device="xpu", dtype=dtype)
    got = torch.ops.aten.grid_sampler_2d_backward(upper, image, grid, 0, 0, False, [False, True])[1]
    torch.xpu.synchronize()
    print(dtype, got.flatten().tolist(), "expected [2048.0, 0.0]")
"""

BODY = """## Summary

`grid_sampler_2d_backward` stops adding once a channel's share falls below half a unit in the last place. With 2048
channels of 1 each, bfloat16 returns **[256, 0]**; the exact [2048, 0] is representable.

| dtype | observed | expected |
|---|---|---|
| bfloat16 | [256, 0] | [2048, 0] |
| float32 | [2048, 0] | [2048, 0] |

## Upstream source

- [pytorch/pytorch#204496](https://github.com/pytorch/pytorch/issues/204496): the report, measured on ROCm
- [a page elsewhere](https://example.com/kernels) is not made a link

## Reproducer

```python
got = torch.ops.aten.grid_sampler_2d_backward(upper, image, grid, 0, 0, False, [False, True])[1]
```
"""


def evidence(device: str, simulated: bool = False, stdout: str = "", stderr: str = "") -> RunEvidence:
    printed = stdout or "torch.bfloat16 [256.0, 0.0] expected [2048.0, 0.0]\n"
    counts = (
        OpCount(op="grid_sampler_2d_backward", dtype="bfloat16", device=device, count=2, native=True),
        OpCount(op="expand", dtype="float32", device="cpu", count=3),
    )
    run = RunRecord(
        status=RunStatus.OK,
        exit_code=0,
        duration_s=3.52,
        stdout=printed,
        stderr=stderr,
        ops=counts,
        divergences=(divergence(),),
        observed=True,
        checked=6,
        unchecked={"random numbers": 1},
    )
    return RunEvidence(
        status=RunStatus.OK,
        exit_code=0,
        duration_s=3.52,
        stdout=printed,
        stderr=stderr,
        device=DeviceFacts(type=device, name="Arc Pro B60" if device == "xpu" else None, simulated=simulated),
        environment={"torch": "2.16.0.dev20261111", "python": "3.13.13", "packages": ["numpy 2.4.6", "sympy 1.14.0"]},
        ops=counts,
        divergences=(divergence(), divergence("float16", 1024.0)),
        runs=(run, run),
        script_sha256="5d" * 32,
    )


def ruling(number: int, item_class: ItemClass, kind: ItemKind = ItemKind.ISSUE) -> Ruling:
    span = Span(field="title", text="accumulates in the input dtype")
    reason = Reason(rule="narrow_accumulator", why="A sum kept in half precision loses its tail.", span=span)
    return Ruling(
        number=number,
        kind=kind,
        candidate=item_class is ItemClass.CANDIDATE,
        item_class=item_class,
        defect_kind=DefectKind.PRECISION if item_class is ItemClass.CANDIDATE else DefectKind.NONE,
        ops=("grid_sampler_2d_backward",),
        score=0.93,
        reasons=(reason,),
    )


def found_case(
    device: str = "xpu",
    simulated: bool = False,
    window: Window = DAY,
    hostile: str = "",
    sandboxed: bool = True,
    verdict: Verdict = Verdict.NEEDS_XPU_FIX,
) -> Case:
    """A case that ended in a finding; `hostile` goes wherever a stranger's text can stand."""
    finding = Finding(
        target=device,
        simulated=simulated,
        sandboxed=sandboxed,
        verdict=verdict,
        op="grid_sampler_2d_backward",
        defect_kind=DefectKind.PRECISION,
        symptom="value",
        sibling="bilinear",
        dtypes=("float16", "bfloat16"),
        divergences=(divergence(), divergence("float16", 1024.0)),
    )
    title = f"{hostile[:60]} grid_sampler_2d_backward: bfloat16 sums stop at 256" if hostile else ""
    draft = Draft(
        title=title or "grid_sampler_2d_backward loses the grid gradient in float16 and bfloat16",
        body=f"{BODY}\n{hostile}\n",
        reproducer=SCRIPT + hostile,
        template_sha256="0c" * 32,
        fileable=finding.fileable,
    )
    return Case(
        window=window,
        heads=HEADS,
        device=device,
        items=(
            item(204496, hostile or "grid_sampler_2d backward: half-precision grad_grid is summed too narrow"),
            item(204495, "Accumulate the half-precision grid gradient in float32", ItemKind.PULL, ItemState.CLOSED),
        ),
        ruling=ruling(204496, ItemClass.CANDIDATE),
        reproducer=Reproducer(
            code=SCRIPT.replace("xpu", "cuda") + hostile,
            origin=Origin(where="body", index=0),
            language="python",
            score=0.97,
            oracle=Oracle(kind=OracleKind.STATED, expected="[2048, 0]", source=hostile or "should be [2048, 0]"),
        ),
        port=Port(
            device=device,
            code=SCRIPT + hostile,
            edits=(Edit(line=5, before='device="cuda"' + hostile, after='device="xpu"', rule="device_string"),),
        ),
        evidence=evidence(device, simulated, stdout=hostile, stderr=hostile),
        judgement=Judgement(
            bucket=Bucket.CONFIRMED,
            verdict=verdict,
            oracle=OracleKind.STATED,
            why="Both repeats return the same wrong sum, and the float32 control on the same kernel is exact.",
            reasons=(Reason(rule="control_exact", why="Widened inputs give the stated value." + hostile),),
        ),
        finding=finding,
        draft=draft,
        outcome=Outcome(kind=OutcomeKind.FINDING, stage="render", reason="Drafted for a maintainer."),
    )


def ended_case(number: int, title: str, item_class: ItemClass, outcome: Outcome | None) -> Case:
    """A case without a finding."""
    return Case(
        window=DAY,
        heads=HEADS,
        device="xpu",
        items=(item(number, title),),
        ruling=ruling(number, item_class),
        reproducer=Absent(absent="The thread holds no code."),
        outcome=outcome,
    )


def filled() -> FakeStore:
    """Findings on three kinds of device, and the other ways in which a case can end."""
    again = datetime(2026, 11, 18, tzinfo=UTC)
    dropped = Outcome(kind=OutcomeKind.DROPPED, stage="classify", reason="Speed only: no value changes.")
    held = Outcome(
        kind=OutcomeKind.HELD, stage="judge", reason="The device was sick before the run.", look_again_at=again
    )
    watched = Outcome(kind=OutcomeKind.WATCHED, stage="classify", reason="Shared code: upstream's fix covers XPU.")
    return FakeStore(
        [
            found_case(),
            found_case("cpu"),
            found_case(simulated=True, window=HALF_DAY),
            found_case(window=DAY_BEFORE),
            ended_case(204511, "Faster layer_norm for short rows", ItemClass.PERFORMANCE, dropped),
            ended_case(204512, "cumsum is off by one row", ItemClass.CANDIDATE, held),
            ended_case(204513, "einsum reorders operands wrongly", ItemClass.SHARED_UPSTREAM, watched),
            ended_case(204514, "median of an empty tensor", ItemClass.CANDIDATE, None),
        ]
    )


def hostile() -> FakeStore:
    """One finding whose every text comes from somebody who means harm."""
    return FakeStore([found_case(hostile=HOSTILE)])
