"""Every judgement case, and what a finding's fingerprint is made of."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import DefectKind, DivergenceKind, Finding, ItemClass, Ruling, RunEvidence
from bot.stages.find import find
from bot.stages.judge import judge
from tests.laws import files, laws_of_judge, text_of

RUN = {"status": "ok", "exit_code": 0, "duration_s": 1.0, "observed": True, "checked": 10}
DIVERGENCE = {
    "op": "cumsum",
    "overload": "default",
    "dtype": "float16",
    "kind": "value",
    "observed": [1],
    "expected": [2],
}
OP = {"op": "cumsum", "dtype": "float16", "count": 1, "checked": 1, "native": True}
NAMES = st.sampled_from(("cumsum", "sort", "grid_sampler_2d_backward", "nll_loss", "max_pool3d"))
FINDINGS = st.builds(
    Finding,
    target=st.sampled_from(("xpu", "cpu", "cuda")),
    simulated=st.booleans(),
    op=NAMES,
    defect_kind=st.sampled_from(DefectKind),
    symptom=st.sampled_from((*DivergenceKind, "assertion", "crash")),
    sibling=st.sampled_from(("", "bicubic", "bilinear")),
)
MOVING = st.fixed_dictionaries(
    {
        "observed": st.lists(st.floats(), max_size=3),
        "expected": st.lists(st.floats(), max_size=3),
        "max_abs_err": st.floats(0, 1e9),
        "ulps": st.floats(0, 1e9),
        "shape": st.tuples(st.integers(0, 9), st.integers(0, 9)),
        "wrong": st.integers(1, 9),
        "where": st.tuples(st.integers(0, 9)),
        "calls": st.text(),
        "line": st.integers(1, 999),
    }
)


def evidence_of(said: dict[str, Any]) -> RunEvidence:
    """The evidence of a case with everything filled in that its file leaves out, the first repeat's facts on top."""
    device = {"type": "xpu", **said.get("device", {})}
    runs = [
        {
            **RUN,
            **run,
            "divergences": [{**DIVERGENCE, **one} for one in run.get("divergences", [])],
            "ops": [{**OP, "device": device["type"], **one} for one in run.get("ops", [])],
        }
        for run in said.get("runs", [])
        for _ in range(run.get("times", 1))
    ]
    top = runs[0] if runs else {"status": "refused"}
    return RunEvidence.model_validate({**top, "device": device, "runs": runs, **said.get("evidence", {})})


@pytest.mark.parametrize("path", files("judge", "toml"), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """The run is judged as its file says, and the laws hold."""
    said = tomllib.loads(text_of(path))
    judged = laws_of_judge(evidence_of(said), said.get("ops", ()))
    wanted = dict(said["expect"])
    assert wanted.pop("says") in judged.why
    assert wanted == {"bucket": judged.bucket, "verdict": judged.verdict, "oracle": judged.oracle}


@given(FINDINGS, FINDINGS, st.lists(MOVING, max_size=2), st.lists(NAMES, max_size=2))
@settings(deadline=None, derandomize=True, database=None)
def test_fingerprint_holds_what_does_not_move(
    one: Finding, other: Finding, moving: list[dict[str, Any]], dtypes: list[str]
) -> None:
    """Values, lines, shapes and dtypes leave the fingerprint alone; any of the six identifying words changes it."""
    divergences = [{**DIVERGENCE, **each} for each in moving]
    moved = Finding.model_validate({**one.model_dump(), "divergences": divergences, "dtypes": dtypes})
    assert moved.fingerprint == one.fingerprint
    for word in ("target", "simulated", "op", "defect_kind", "symptom", "sibling"):
        changed = one.model_copy(update={word: getattr(other, word)})
        assert (changed.fingerprint == one.fingerprint) == (getattr(other, word) == getattr(one, word))


@given(MOVING, st.floats(0, 1e4), st.text())
@settings(deadline=None, derandomize=True, database=None)
def test_two_runs_of_one_fault_are_one_finding(moved: dict[str, Any], duration_s: float, printed: str) -> None:
    """Another window's run, with other values, lines, times and output, has the fingerprint of the first."""
    ruling = Ruling(
        number=1,
        kind="issue",
        candidate=True,
        item_class=ItemClass.CANDIDATE,
        defect_kind="overflow",
        ops=("cumsum",),
        score=1,
    )
    prints = set()
    for change, run in (({}, {}), (moved, {"duration_s": duration_s, "stdout": printed, "exit_code": 0})):
        evidence = evidence_of({"runs": [{**run, "times": 2, "divergences": [change], "ops": [{}]}]})
        finding = find(ruling, evidence, judge(evidence, ruling.ops))
        assert isinstance(finding, Finding)
        prints.add(finding.fingerprint)
    assert len(prints) == 1
