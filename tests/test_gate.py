"""The ladder of the gate: each rung by itself, what approval replaces and what it doesn't."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.model import (
    Absent,
    Bucket,
    Case,
    Commit,
    Decision,
    DecisionKind,
    DefectKind,
    Dispatched,
    DispatchHow,
    Finding,
    Go,
    Item,
    Judgement,
    Matches,
    Mode,
    Moment,
    Nearness,
    OracleKind,
    Owned,
    Ownership,
    ParityKind,
    Policy,
    RunEvidence,
    SourceEvidence,
    UpstreamChange,
    Verdict,
    Wait,
)
from bot.pipeline import scan
from bot.stages.gate import EVIDENCE, HELD, gate
from bot.stages.parity import parity_of
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

NOW = datetime(2026, 11, 12, 12, tzinfo=UTC)
OP = "grid_sampler_2d_backward"
MATCHES = Matches(repo="intel/torch-xpu-ops", searched=6000, as_of=NOW)
AUTO = Policy(mode=Mode.AUTO)
TOLD = [("approve", None), ("reject", None), ("duplicate", None), ("snooze", NOW + timedelta(days=1))]


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """The seed's case, as a real XPU would have shown it."""
    folder = tmp_path_factory.mktemp("gate")
    store = open_store(folder)
    done = scan(sample(), WINDOW, recorded_line(store, folder), Silent())
    store.close()
    seed = next(one for one in done.cases if one.leader.number == 204496)
    assert isinstance(seed.evidence, RunEvidence)
    facts = seed.evidence.model_dump()
    evidence = RunEvidence.model_validate({**facts, "device": {"type": "xpu"}, "ops": facts["ops"]})
    judgement = Judgement(
        bucket=Bucket.CONFIRMED, verdict=Verdict.NEEDS_XPU_FIX, oracle=OracleKind.DIVERGENCE, why="it is off"
    )
    finding = seed.finding.model_copy(update={"target": "xpu", "verdict": Verdict.NEEDS_XPU_FIX})  # type: ignore[union-attr]
    return seed.model_copy(
        update={"evidence": evidence, "judgement": judgement, "finding": finding, "matches": MATCHES}
    )


def said(kind: str, until: datetime | None = None) -> Decision:
    """A word of a person."""
    return Decision(fingerprint="a" * 16, kind=DecisionKind(kind), reason="seen", decided_at=NOW, until=until)


def asked(
    case: Case,
    policy: Policy = AUTO,
    words: list[Decision] | None = None,
    *,
    finding: dict[str, Any] | None = None,
    **moment: Any,
) -> Go | Wait:
    """What the gate says."""
    assert isinstance(case.finding, Finding)
    changed = case.finding.model_copy(update=finding or {})
    return gate(
        changed, case, words or [], policy, Moment(**{"now": NOW, "found_at": NOW - timedelta(days=1), **moment})
    )


def waits(answer: Go | Wait) -> str:
    """Why."""
    assert isinstance(answer, Wait), "it went"
    return answer.reason


def evidence_of(case: Case, **changes: Any) -> Case:
    """The case with other evidence."""
    assert isinstance(case.evidence, RunEvidence)
    return case.model_copy(update={"evidence": case.evidence.model_copy(update=changes)})


def source(**fields: Any) -> SourceEvidence:
    """What was read."""
    return SourceEvidence(target=Commit(repo="intel/torch-xpu-ops"), files=1, **fields)


def test_the_seed_goes(case: Case) -> None:
    """What a real XPU showed twice in its own kernel, and nobody has told of, may leave by itself."""
    assert asked(case) == Go()


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (Policy(), "filing is off for precision"),
        (Policy(mode=Mode.DRY_RUN), "filing is dry-run for precision"),
        (Policy(mode=Mode.AUTO, kinds={DefectKind.PRECISION: Mode.OFF}), "filing is off for precision"),
        (Policy(mode=Mode.OFF, kinds={DefectKind.PRECISION: Mode.AUTO}), "filing is off for precision"),
        (Policy(mode=Mode.DRAFT, kinds={DefectKind.PRECISION: Mode.AUTO}), "nobody has approved it"),
        (Policy(mode=Mode.AUTO, muted=("grid_*",)), "muted by filing.muted: grid_*"),
        (Policy(mode=Mode.AUTO, muted=("nothing", "src/ATen/native/xpu/*")), "muted by filing.muted: src/ATen"),
    ],
)
def test_what_the_configuration_says(policy: Policy, told: str, case: Case) -> None:
    """A mode of its own can only do less than the mode of all; what is muted waits whatever people say."""
    assert told in waits(asked(case, policy))
    if policy.muted:
        assert told in waits(asked(case, policy, [said("approve")]))


@pytest.mark.parametrize(
    ("finding", "told"),
    [
        ({"simulated": True}, "simulated"),
        ({"target": "cpu"}, "it ran on cpu"),
        ({"sandboxed": False}, "outside the sandbox"),
        ({"symptom": "source"}, "a suspicion from source needs a run first"),
    ],
)
def test_evidence_that_is_none(finding: dict[str, Any], told: str, case: Case) -> None:
    """What no real XPU showed never leaves, approved or not."""
    assert told in waits(asked(case, finding=finding))
    assert told in waits(asked(case, words=[said("approve")], finding=finding))


def test_evidence_that_lacks_something(case: Case) -> None:
    """No run, a sick device, a fallback, no native proof, one repeat, repeats that differ, no verdict: each is told."""
    assert isinstance(case.evidence, RunEvidence)
    assert case.judgement is not None
    ops = case.evidence.ops
    fallen = tuple(one.model_copy(update={"native": False}) if one.op == OP else one for one in ops)
    composite = tuple(one.model_copy(update={"native": None}) if one.op == OP else one for one in ops)
    differing = (case.evidence.runs[0], case.evidence.runs[1].model_copy(update={"divergences": ()}))
    older = case.judgement.model_copy(update={"verdict": Verdict.VERIFICATION_GAP, "why": "the build is of October"})
    related = case.judgement.model_copy(update={"bucket": Bucket.RELATED_FAILURE})
    table = {
        "a suspicion from source": case.model_copy(update={"evidence": Absent(absent="nothing to run")}),
        "the device was not well: it hung": evidence_of(case, void="it hung"),
        "fell back to the CPU in that run": evidence_of(case, ops=fallen),
        "was not seen to run in the device's own kernel": evidence_of(case, ops=composite),
        "fresh processes that ran it: 1, ": evidence_of(case, runs=case.evidence.runs[:1]),
        "not every repeat shows it": evidence_of(case, runs=differing),
        "verification-gap: the build is of October": case.model_copy(update={"judgement": older}),
        "no run has confirmed it": case.model_copy(update={"judgement": related}),
    }
    for told, changed in table.items():
        assert told in waits(asked(changed)), told
        assert told in waits(asked(changed, words=[said("approve")])), told
    assert "no run has confirmed it" in waits(asked(case.model_copy(update={"judgement": None})))


def test_a_crash_is_native_by_its_last_call(case: Case) -> None:
    """A run that did not come back counts its operator as native where the clean processes saw that."""
    last = {"op": OP, "calls": "x", "how": "signal 11", "shown": 2, "tried": 2, "native": True}
    assert isinstance(case.evidence, RunEvidence)
    facts = {**case.evidence.model_dump(), "ops": [], "last_call": last}
    changed = case.model_copy(update={"evidence": RunEvidence.model_validate(facts)})
    assert asked(changed, finding={"divergences": ()}) == Go()


def test_whose_code_it_is(case: Case) -> None:
    """Shared code, a composite, a fallback and a fix that reaches the target stop it; unknown owners need a person."""
    owned = {kind: Owned(ownership=kind, why="so it is") for kind in Ownership}

    def dispatched(how: DispatchHow) -> SourceEvidence:
        return source(dispatch=(Dispatched(op=OP, how=how, key="XPU", why="the table says so"),))

    covered = UpstreamChange(
        kind="added-check", rule="missing-check", path="a.h", line=1, covers="it is", why="a.h is built"
    )
    own = covered.model_copy(update={"covers": ""})
    table = {
        "shared-upstream: so it is": {"ownership": owned[Ownership.SHARED_UPSTREAM]},
        "vendor: so it is": {"ownership": owned[Ownership.VENDOR]},
        "not the target's own kernel: the table says so": {"source": dispatched(DispatchHow.COMPOSITE)},
        "the upstream fix reaches the target: a.h is built": {"source": source(changes=(covered,))},
    }
    for told, changes in table.items():
        assert told in waits(asked(case.model_copy(update=changes), words=[said("approve")])), told
    assert "not the target's own" in waits(asked(case.model_copy(update={"source": dispatched(DispatchHow.FALLBACK)})))
    assert asked(case.model_copy(update={"source": dispatched(DispatchHow.NATIVE)})) == Go()
    assert asked(case.model_copy(update={"source": source(changes=(covered, own))})) == Go()
    for unknown in (owned[Ownership.UNKNOWN], None):
        changed = case.model_copy(update={"ownership": unknown})
        assert "whose code it is is not known" in waits(asked(changed))
        assert asked(changed, words=[said("approve")]) == Go()


def test_what_is_told_already(case: Case) -> None:
    """An exact match and a suppression stop it for good, a near one until a person has looked, a far one not at all."""
    near = Nearness(number=9, score=0.6, reasons=("the same operator",))
    exact = Nearness(number=8, score=1.0, exact=True, reasons=("the same marker",))

    def matched(**fields: Any) -> Case:
        return case.model_copy(update={"matches": MATCHES.model_copy(update=fields)})

    assert "#8 tells of it already: the same marker" in waits(asked(matched(exact=exact), words=[said("approve")]))
    assert waits(asked(matched(suppressed="fixed by #7"), words=[said("approve")])) == "fixed by #7"
    assert "#9 may tell of it (0.60: the same operator); a person may approve it" in waits(asked(matched(near=(near,))))
    assert asked(matched(near=(near,)), words=[said("approve")]) == Go()
    assert asked(matched(near=(near.model_copy(update={"score": 0.3}),))) == Go()
    for never in (None, Absent(absent="no tracker")):
        assert "was not searched" in waits(asked(case.model_copy(update={"matches": never}), words=[said("approve")]))


def test_what_is_held_for_a_person(case: Case) -> None:
    """Hardening, expected numerics, the quiet period and a storm wait, and leave with an approval."""
    closed = Item.model_validate({**case.leader.model_dump(), "state": "closed", "state_reason": "not_planned"})
    expected = case.model_copy(update={"items": (closed, *case.items[1:])})
    check = {"defect_kind": DefectKind.MISSING_CHECK}
    assert "hardening: upstream has not settled that such arguments are to be refused" in waits(
        asked(case, finding=check)
    )
    assert asked(case, Policy(mode=Mode.AUTO, hardening=True), finding=check) == Go()
    assert "upstream says that it is expected" in waits(asked(expected))
    assert "the quiet period lasts until 2026-11-12T12:59:00Z" in waits(
        asked(case, found_at=NOW - timedelta(minutes=1))
    )
    assert asked(case, found_at=None) == Go()
    assert "its window has 4 findings, more than 3: all of them wait" in waits(asked(case, in_window=4))
    assert asked(case, in_window=3) == Go()
    approved = [said("approve")]
    assert asked(expected, words=approved, in_window=400, found_at=NOW) == Go()
    assert asked(case, words=approved, finding=check) == Go()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["reject"], "reject: seen"),
        (["duplicate"], "duplicate: seen"),
        (["approve", "reject"], "reject: seen"),
        (["reject", "approve"], ""),
        (["duplicate", "unduplicate"], ""),
        (["reject", "retest"], "reject: seen"),
        (["approve", "retest"], ""),
        (["retest"], ""),
    ],
)
def test_the_last_word_counts(words: list[str], told: str, case: Case) -> None:
    """The last word that says something of filing decides, as it is in every mode that files."""
    answer = asked(case, words=[said(one) for one in words])
    assert (answer.reason if isinstance(answer, Wait) else "") == told


def test_a_snooze_ends(case: Case) -> None:
    """A snoozed finding waits until its time, says until when, and is then asked about as before it."""
    later = said("snooze", NOW + timedelta(days=2))
    over = said("snooze", NOW - timedelta(days=2))
    assert waits(asked(case, words=[later])) == "snooze until 2026-11-14T12:00:00Z: seen"
    assert asked(case, words=[over]) == Go()
    assert waits(asked(case, words=[said("reject"), over])) == "reject: seen"
    assert waits(asked(case, words=[said("snooze")])) == "snooze: seen"


def test_a_rehearsal_needs_no_real_device(case: Case) -> None:
    """With a forge on loopback simulated and unproven evidence may leave; a sick device or one repeat still not."""
    policy = Policy(mode=Mode.AUTO, rehearsal=True)
    assert isinstance(case.evidence, RunEvidence)
    composite = tuple(one.model_copy(update={"native": None}) for one in case.evidence.ops)
    assert case.judgement is not None
    gap = case.judgement.model_copy(update={"verdict": Verdict.VERIFICATION_GAP})
    bare = evidence_of(case, ops=composite).model_copy(update={"matches": None, "judgement": gap})
    assert asked(bare, policy, finding={"simulated": True, "target": "xpu"}) == Go()
    assert "not well" in waits(asked(evidence_of(case, void="it hung"), policy))


def test_parity(case: Case) -> None:
    """A landed fix makes it parity, a missing check that nobody has hardening, and any other fault one of both."""
    assert parity_of(case, DefectKind.PRECISION).kind is ParityKind.BOTH
    assert parity_of(case, DefectKind.MISSING_CHECK).kind is ParityKind.HARDENING
    fix = Item.model_validate(
        {**case.items[1].model_dump(), "state": "closed", "labels": ["Merged"], "landed_sha": "b" * 40}
    )
    landed = case.model_copy(update={"items": (case.leader, fix)})
    told = parity_of(landed, DefectKind.MISSING_CHECK)
    assert told.kind is ParityKind.PARITY
    assert told.why.startswith("pytorch/pytorch#204495 landed")


def test_every_rung_is_a_sentence() -> None:
    """No rung stands on both ladders: what evidence lacks is never what a person may grant."""
    assert not set(EVIDENCE) & set(HELD)
