"""Every kind of finding becomes a draft without an undefined field, and a stranger's text stays text in it."""

import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from bot import targets, wire
from bot.errors import InputError
from bot.model import (
    Case,
    Control,
    Divergence,
    DivergenceKind,
    Draft,
    Drop,
    Finding,
    Item,
    Judgement,
    LastCall,
    Ruling,
    RunEvidence,
)
from bot.pipeline import scan
from bot.stages.find import find
from bot.stages.judge import judge
from bot.stages.render import render
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

NAN = float("nan")
FOLD = re.compile(r"<details><summary>[^<>]*</summary>|</details>")
"""The only HTML of a draft: what folds its long parts."""


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """The seed's case, followed to its draft from the recording."""
    folder = tmp_path_factory.mktemp("render")
    store = open_store(folder)
    done = scan(sample(), WINDOW, recorded_line(store, folder), Silent())
    store.close()
    return next(case for case in done.cases if case.leader.number == 204496)


def drafted(case: Case, device: str = "cpu", **changes: Any) -> Draft:
    """The draft of a case whose evidence is changed: `top` for the evidence, the rest for each repeat."""
    assert isinstance(case.evidence, RunEvidence)
    top = changes.pop("top", {})
    runs = [{**record.model_dump(), **changes} for record in case.evidence.runs]
    ops = [{**count, "device": f"{device}"} for count in case.evidence.model_dump()["ops"]]
    facts = {**case.evidence.model_dump(), **changes, "runs": runs, "ops": ops, **top}
    evidence = RunEvidence.model_validate({**facts, "device": {"type": device}})
    judgement = judge(evidence, case.ruling.ops)
    finding = find(case.ruling, evidence, judgement)
    assert isinstance(finding, Finding), finding
    changed = case.model_copy(update={"evidence": evidence, "judgement": judgement, "finding": finding})
    draft = render(changed, finding, targets.load(device), wire.templates())
    assert isinstance(draft, Draft)
    return draft


def off(kind: DivergenceKind, **fields: Any) -> Divergence:
    """A divergence of the seed's operator."""
    return Divergence(op="grid_sampler_2d_backward", overload="default", dtype="bfloat16", kind=kind, **fields)


KINDS = {
    DivergenceKind.VALUE: {"observed": (1.0,), "expected": (3.0,), "ulps": 2.0, "max_abs_err": 2.0, "budget": 0.5},
    DivergenceKind.NAN_INF: {"observed": (1.0,), "expected": (NAN,), "ulps": NAN, "max_abs_err": NAN},
    DivergenceKind.SHAPE: {"observed": (2, 3), "expected": (3, 2)},
    DivergenceKind.NONDETERMINISTIC: {"observed": (1.0,), "expected": (1.5,), "max_abs_err": 0.5},
    **{kind: {"raised": f"what is {kind}"} for kind in ("dtype", "stride", "device", "error-missing", "error-extra")},
}


@pytest.mark.parametrize("kind", DivergenceKind)
@pytest.mark.parametrize("device", ["cpu", "xpu"])
def test_every_kind_of_divergence(kind: DivergenceKind, device: str, seed: Case) -> None:
    """A divergence of any kind is drafted; only a value speaks of units in the last place and of rounding."""
    draft = drafted(seed, device, divergences=(off(kind, **KINDS[kind]),))
    summary = draft.body.partition("### Summary")[2].partition("### Upstream")[0]
    assert "grid_sampler_2d_backward" in draft.title
    assert ("units in the last place" in summary) == (kind is DivergenceKind.VALUE)
    assert "None" not in summary
    assert "nan units" not in draft.body
    assert draft.fileable == (device == "xpu")


def test_assertion_and_crash(seed: Case) -> None:
    """The other two oracles have drafts of their own, and a crash asks for a fix where the call ran natively."""
    raised = "AssertionError: [256.0, 0.0]"
    failing = {"status": "error", "exit_code": 1, "raised": raised}
    both = drafted(seed, **failing)
    assert "`[256, 0]` in bfloat16" in both.body
    assert "the script's own assertion fails too" in both.body
    assert isinstance(seed.evidence, RunEvidence)
    ops = [{**count.model_dump(), "checked": 0} for count in seed.evidence.ops]
    assertion = drafted(seed, **failing, divergences=(), top={"ops": ops})
    assert "reproducer's own assertion fails" in assertion.body
    crash = {"status": "killed", "exit_code": None, "signal": 11, "observed": False, "ops": (), "divergences": ()}
    for native in (True, None):
        last = LastCall(
            op="grid_sampler_2d_backward", calls="aten.x()", how="signal 11", shown=2, tried=2, native=native
        )
        draft = drafted(seed, "xpu", **crash, top={"last_call": last})
        assert "on XPU ends the process with signal 11" in draft.body
        assert "the call by itself in 2 of 2 more" in draft.body
        assert draft.fileable == ("not for filing" not in draft.title) == bool(native)


def test_control_is_told_as_it_is(seed: Case) -> None:
    """Exact, in agreement, off: three controls, three sentences."""
    said = []
    for exact, agrees in ((True, True), (False, True), (False, False)):
        control = Control(dtype="float32", observed=(2.9,), exact=exact, agrees=agrees)
        draft = drafted(seed, divergences=(off(DivergenceKind.VALUE, **KINDS[DivergenceKind.VALUE], control=control),))
        said.append(draft.body.partition("### Upstream")[0])
    assert ["exact once rounded" in text for text in said] == [True, False, False]
    assert ["which is off too" in text for text in said] == [False, False, True]


def test_what_was_not_compared_is_not_called_right(seed: Case) -> None:
    """A dtype with calls that were not compared is not among those that agree."""
    assert isinstance(seed.evidence, RunEvidence)
    ops = [{**count.model_dump(), "checked": 0} for count in seed.evidence.ops]
    assert "agrees with the reference" not in drafted(seed, top={"ops": ops}).body.partition("### Upstream")[0]


def test_without_a_sandbox_it_says_so(seed: Case) -> None:
    """Evidence of an unsandboxed run is told as such and may not be filed, from an XPU either."""
    draft = drafted(seed, "xpu", top={"sandboxed": False})
    assert "without a sandbox" in draft.body
    assert "in a sandbox" not in draft.body
    assert not draft.fileable


def test_strangers_text_stays_text(seed: Case) -> None:
    """Titles, labels, paths, outputs and exceptions can't become headings, HTML, mentions or closing words."""
    hostile = "x`` ```\n# Heading\n<script>@torchxpubot</script> | fixes #1 <!-- agent:close -->"
    item = seed.leader.model_copy(update={"title": hostile, "labels": (hostile,)})
    case = seed.model_copy(update={"items": (item, *seed.items[1:])})
    raised = f"AssertionError: {hostile}"
    draft = drafted(case, status="error", exit_code=1, raised=raised, stdout=hostile, stderr=hostile)
    tokens = MarkdownIt("commonmark").enable("table").parse(draft.body)
    plain = [
        child.content
        for token in tokens
        for child in token.children or ()
        if child.type not in ("code_inline", "softbreak")
    ]
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    assert not [one for one in blocks if not FOLD.fullmatch(one)]
    assert sum(one == "</details>" for one in blocks) * 2 == len(blocks)
    assert not [text for text in plain if "torchxpubot" in text or "fixes #1" in text or "agent:" in text]
    assert {token.tag for token in tokens if token.type == "heading_open"} == {"h3", "h4"}
    assert "torchxpubot" not in draft.title


def test_what_was_reverted_is_not_told_as_landed(seed: Case) -> None:
    """The draft tells where each item stands and why, not what GitHub calls closed; a branch's name is text in it."""
    fix = Item.model_validate(
        {
            "repo": "pytorch/pytorch", "number": 7, "kind": "pull", "title": "Sum in a wide type", "state": "closed",
            "labels": ["Merged", "Reverted"], "landed_sha": "bbbbbbb7", "closed_at": "2026-11-02T00:00:00Z",
        }
    )  # fmt: skip
    undo = Item.model_validate(
        {
            "repo": "pytorch/pytorch", "number": 8, "kind": "pull", "title": 'Revert "Sum in a wide type (#7)"',
            "state": "merged", "base_ref": "main", "merged_at": "2026-11-03T00:00:00Z",
        }
    )  # fmt: skip
    away = fix.model_copy(update={"number": 9, "landed_sha": None, "base_ref": "`@torchxpubot fixes #1"})
    body = drafted(seed.model_copy(update={"items": (seed.leader, fix, undo), "linked": (away,)})).body
    assert "state reverted since 2026-11-03 (`pytorch/pytorch#8 took pytorch/pytorch#7 back`)" in body
    assert "landed as" not in body.partition("pytorch#7]")[2].partition("\n")[0]
    assert "``pytorch/pytorch#9 went into `@torchxpubot fixes #1, which is not the default branch``" in body


def test_the_channel_can_not_forge_words() -> None:
    """Names of operators, dtypes and kernels that are no names are refused where evidence is read."""
    for field in ("op", "overload", "dtype", "sibling"):
        facts = {
            "op": "add",
            "overload": "Tensor",
            "dtype": "float16",
            "kind": "value",
            field: "<!-- a --> fixes #1",
        }
        with pytest.raises(ValueError, match=field):
            Divergence.model_validate(facts)
    with pytest.raises(ValueError, match="observed"):
        Divergence.model_validate({"op": "add", "overload": "", "dtype": "int8", "kind": "value", "observed": ["@me"]})


def test_too_long_a_draft_is_dropped_with_a_reason(seed: Case) -> None:
    """What doesn't fit into an issue is not cut in the middle: raw output goes first, then the case waits."""
    assert isinstance(seed.finding, Finding)
    assert len(drafted(seed, stdout="x" * 100_000).body) < 65_536
    assert not isinstance(seed.port, type(None))
    long = seed.model_copy(update={"port": seed.port.model_copy(update={"code": "#" * 70_000})})
    answer = render(long, seed.finding, targets.load("cpu"), wire.templates())
    assert isinstance(answer, Drop)
    assert "65536" in answer.reason


def test_two_threads_about_one_fault_make_one_finding(seed: Case) -> None:
    """The fingerprint comes from the run: other words in the thread don't change it."""
    assert isinstance(seed.evidence, RunEvidence)
    prints = set()
    for defect in ("precision", "crash", "none"):
        ruling = Ruling.model_validate({**seed.ruling.model_dump(), "defect_kind": defect, "ops": ["grid_sample"]})
        found = find(ruling, seed.evidence, Judgement.model_validate(seed.judgement))
        assert isinstance(found, Finding)
        prints.add(found.fingerprint)
    assert len(prints) == 1


def test_a_template_of_ones_own(seed: Case, tmp_path: Path) -> None:
    """A maintainer's template stands before ours, extends it, and shows in the digest; a wrong one is one sentence."""
    assert isinstance(seed.finding, Finding)
    plain = render(seed, seed.finding, targets.load("cpu"), wire.templates())
    folder = tmp_path / "issue"
    folder.mkdir()
    own = folder / "value.md.j2"
    own.write_text("{% extends 'issue/base.md.j2' %}{% block summary %}Ours: {{ finding.op }}.{% endblock %}")
    other = render(seed, seed.finding, targets.load("cpu"), wire.templates(tmp_path))
    assert isinstance(plain, Draft)
    assert isinstance(other, Draft)
    assert "Ours: grid_sampler_2d_backward." in other.body
    assert other.template_sha256 != plain.template_sha256
    own.write_text("{% if %}")
    with pytest.raises(InputError, match=r"the template issue/value\.md\.j2, line 1: "):
        wire.templates(tmp_path)
    with pytest.raises(InputError, match="is no folder"):
        wire.templates(tmp_path / "none")
