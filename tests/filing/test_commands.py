"""`file`, `pause`, `resume` and what the doctor says of them, typed against a double and a store with findings."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import outgoing, wire
from bot.cli import _answer
from bot.config import load
from bot.doctor.filing import filing as doctor
from bot.edges.decisions import SqlDecisions
from bot.edges.store import SqlStore
from bot.errors import InputError, LimitedError
from bot.filing import Rules, prepared
from bot.model import Case, Decision, DecisionKind, DefectKind, Draft, Finding, Intent, Matches, RunEvidence, Wait
from bot.model.marks import mark
from bot.sanitising import ExitRules, leaving
from tests.dashboard.sample import found_case
from tests.double import faults
from tests.filing.desk import NOON, REPO, Room, marks, open_gate

Typed = Callable[..., tuple[int, str]]


def other(case: Case, op: str, kind: DefectKind = DefectKind.PRECISION, **more: object) -> Case:
    """Another finding of the same window, with all that its evidence needs."""
    assert isinstance(case.finding, Finding)
    assert isinstance(case.evidence, RunEvidence)
    leader = case.items[0].model_copy(update={"number": sum(op.encode())})
    finding = case.finding.model_copy(update={"op": op, "defect_kind": kind, **more})
    facts = case.evidence.model_dump()
    for ran in [facts, *facts["runs"]]:
        for one in (*ran["ops"], *ran["divergences"]):
            one["op"] = op if one["op"] == case.finding.op else one["op"]
    evidence = RunEvidence.model_validate(facts)
    return case.model_copy(update={"finding": finding, "items": (leader,), "evidence": evidence})


REAL = found_case("xpu").model_copy(update={"matches": Matches(repo="intel/torch-xpu-ops", searched=6000)})
SEVERE = other(REAL, "index_add", DefectKind.SILENT_WRONG_RESULT)
SIMULATED = found_case("xpu", simulated=True)


def as_they_are(title: str, body: str) -> tuple[str, str]:
    """A Sanitiser that changes nothing."""
    return title, body


def name(case: Case) -> str:
    """The fingerprint of its finding."""
    assert isinstance(case.finding, Finding)
    return case.finding.fingerprint


def parts(case: Case) -> tuple[Finding, Draft, Case]:
    """As the store gives it."""
    assert isinstance(case.finding, Finding)
    assert isinstance(case.draft, Draft)
    return case.finding, case.draft, case


def decide(store: SqlStore, case: Case, kind: DecisionKind = DecisionKind.APPROVE) -> None:
    """A maintainer's word."""
    word = Decision(fingerprint=name(case), kind=kind, reason="seen", decided_at=NOON)
    SqlDecisions(store.engine).decide(word)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """Two findings of a real device and one of a simulated one."""
    with closing(SqlStore(tmp_path / "alignbot.db")) as opened:
        for case in (REAL, SEVERE, SIMULATED):
            opened.save_case(case, NOON)
        yield opened


@pytest.fixture
def typed(
    store: SqlStore, tmp_path: Path, room: Room, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typed:
    """A command line and its exit code and output: `typed("file", "--execute")`."""
    for variable in [one for one in os.environ if one.startswith("ALIGNBOT_")]:
        monkeypatch.delenv(variable)
    told = {"STATE": str(tmp_path), "GITHUB__API": room.double.url, "FILING_TOKEN": room.token, "FILING__MODE": "draft"}
    for variable, text in told.items():
        monkeypatch.setenv(f"ALIGNBOT_{variable}", text)
    room.double.world.clock.advance((wire.SystemClock().now() - room.double.world.clock.now()).total_seconds())

    def run(*arguments: str, **variables: str) -> tuple[int, str]:
        for variable, text in variables.items():
            monkeypatch.setenv(variable, text)
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["alignbot", *arguments])
        code = _answer(list(arguments))
        out = capsys.readouterr()
        return code, out.out + out.err

    return run


def outgoing_of(text: str) -> dict[str, dict[str, Any]]:
    """What `--json` tells, by fingerprint."""
    return {one["fingerprint"]: one for one in json.loads(text)["outgoing"]}


def test_what_would_be_posted(store: SqlStore, typed: Typed, room: Room) -> None:
    """Title, body with its mark, labels, caps and what is in the way; nothing is written, sent or even asked."""
    decide(store, REAL)
    code, text = typed("file", "--json")
    told = json.loads(text)
    assert (code, told["mode"], told["executed"], told["stopped"], told["halted"]) == (0, "draft", False, "", "")
    assert told["caps"]["hour"] == {"most": 3, "used": 0, "left": 3}
    ours = outgoing_of(text)
    assert {key: one["state"] for key, one in ours.items()} == {
        name(REAL): "ready", name(SEVERE): "waiting", name(SIMULATED): "waiting",
    }  # fmt: skip
    assert ours[name(SEVERE)]["why"].startswith("nobody has approved it")
    assert ours[name(SIMULATED)]["why"].startswith("only what a real XPU showed")
    real = ours[name(REAL)]
    assert mark(name(REAL), real["intent"]) in real["body"]
    assert (real["repo"], real["labels"], real["title"]) == (REPO, ["ai_generated"], parts(REAL)[1].title)
    code, text = typed("file", "--finding", name(REAL)[:6])
    assert (code, parts(REAL)[1].title in text, real["body"].strip() in text) == (0, True, True)
    assert "left: 3 of 3 this hour" in text
    assert room.double.log == []
    assert wire.outbox(store).every() == []


def test_posted(store: SqlStore, typed: Typed, room: Room) -> None:
    """What was approved, once; the rest says why not; a second time nothing happens."""
    decide(store, REAL)
    code, text = typed("file", "--execute", "--json")
    real = outgoing_of(text)[name(REAL)]
    assert (code, real["state"], real["filed"]["number"]) == (0, "done", 1)
    (thread,) = room.repository.threads.values()
    assert (thread.body, thread.labels) == (real["body"], ["ai_generated"])
    again = outgoing_of(typed("file", "--execute", "--json")[1])[name(REAL)]
    assert again == real
    assert len(room.posts) == 1
    assert "https://github.com/intel/torch-xpu-ops/issues/1" in typed("file", COLUMNS="200")[1]


def test_a_late_no_counts(store: SqlStore, typed: Typed, room: Room) -> None:
    """What was approved, planned and then rejected is not sent; nor is what was approved first and is a duplicate."""
    decide(store, REAL)
    typed("pause")
    assert typed("file", "--execute")[0] == 3
    decide(store, REAL, DecisionKind.DUPLICATE)
    typed("resume")
    code, text = typed("file", "--execute", "--json")
    real = outgoing_of(text)[name(REAL)]
    assert (code, real["state"], real["why"]) == (3, "planned", "duplicate: seen")
    assert room.posts == []


def test_caps_of_the_configuration(store: SqlStore, typed: Typed, room: Room) -> None:
    """The severest goes, the other waits and says for what."""
    decide(store, REAL)
    decide(store, SEVERE)
    code, text = typed("file", "--execute", "--json", ALIGNBOT_FILING__CAPS__PER_HOUR="1")
    ours = outgoing_of(text)
    assert (code, ours[name(SEVERE)]["state"], ours[name(REAL)]["state"]) == (3, "done", "planned")
    assert "filing.caps.per_hour" in ours[name(REAL)]["why"]
    assert json.loads(text)["caps"]["hour"] == {"most": 1, "used": 1, "left": 0}
    assert len(room.posts) == 1


@pytest.mark.parametrize("mode", ["off", "dry-run"])
def test_modes_in_which_nothing_is_posted(mode: str, store: SqlStore, typed: Typed, room: Room) -> None:
    """Exit code 2 and one line; what would be posted is shown all the same."""
    decide(store, REAL)
    code, text = typed("file", "--execute", ALIGNBOT_FILING__MODE=mode)
    assert (code, f"filing.mode is {mode}" in text, len(text.splitlines())) == (2, True, 1)
    assert typed("file")[0] == 0
    assert room.double.log == []


def test_one_finding(store: SqlStore, typed: Typed, room: Room) -> None:
    """By its first digits; others stay. No such finding is exit code 1, too few digits 2."""
    decide(store, REAL)
    decide(store, SEVERE)
    assert typed("file", "--finding", name(REAL)[:8], "--execute")[0] == 0
    assert set(marks(room.repository)) == {name(REAL)}
    for execute in ((), ("--execute",)):
        code, text = typed("file", "--finding", "zz", *execute)
        assert (code, "no finding zz" in text) == (1, True)
        assert typed("file", "--finding", "", *execute)[0] == 1


def test_digits_that_several_findings_begin_with(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """More of them are asked for."""
    number = 0
    while True:
        number += 1
        case = other(REAL, f"op_{number}")
        if name(case)[0] == name(REAL)[0]:
            break
    store.save_case(case, NOON)
    with pytest.raises(InputError, match="give more digits"):
        outgoing._chosen(store, name(REAL)[0])


def test_again(store: SqlStore, typed: Typed, room: Room) -> None:
    """Only for one finding and only with --execute; it is filed, and the row that was unknown is cancelled."""
    decide(store, REAL)
    for lacking in (("file", "--again"), ("file", "--again", "--execute"), ("file", "--again", "--finding", "a")):
        assert typed(*lacking)[0] == 2
    room.double.add(faults.reset_before(method="POST", path="/issues$"))
    code, text = typed("file", "--execute")
    assert (code, "unknown" in text) == (3, True)
    code, text = typed("file", "--execute", "--json", "--again", "--finding", name(REAL))
    assert (code, outgoing_of(text)[name(REAL)]["state"]) == (0, "done")
    assert sorted(one.state.value for one in wire.outbox(store).every()) == ["cancelled", "done"]
    assert marks(room.repository) == {name(REAL): [1]}


def test_again_while_another_writes(store: SqlStore, typed: Typed) -> None:
    """It waits, and says for whom."""
    decide(store, REAL)
    wire.outbox(store).take("another host", wire.SystemClock().now())
    code, text = typed("file", "--execute", "--again", "--finding", name(REAL))
    assert (code, "another host writes now" in text) == (3, True)


def test_paused(store: SqlStore, typed: Typed, room: Room, tmp_path: Path) -> None:
    """With its reason and its end; what is planned waits; `resume` lets it go on."""
    decide(store, REAL)
    code, text = typed("pause", "--reason", "a release", "--for", "2h", "--json")
    assert (code, json.loads(text)["stopped"], "a release" in text) == (0, True, True)
    code, text = typed("file", "--execute")
    assert (code, "a release" in text, room.double.log) == (3, True, [])
    assert (tmp_path / "STOP").exists()
    assert typed("resume") == (0, "writing goes on\n")
    assert typed("file", "--execute")[0] == 0
    assert typed("pause", "--for", "soon")[0] == 2
    assert not (tmp_path / "STOP").exists()


def test_stopped_by_the_environment(store: SqlStore, typed: Typed, room: Room) -> None:
    """`resume` can't change that, and says so."""
    decide(store, REAL)
    assert typed("file", "--execute", ALIGNBOT_STOP="1")[0] == 3
    code, text = typed("resume", "--json")
    assert (code, json.loads(text)["why"]) == (1, "writing is stopped by ALIGNBOT_STOP")
    assert "ALIGNBOT_STOP" in typed("file", "--json")[1]
    assert room.posts == []


def test_no_write_token(store: SqlStore, typed: Typed, monkeypatch: pytest.MonkeyPatch, room: Room) -> None:
    """The read token is never used to write, and is not needed to look."""
    monkeypatch.delenv("ALIGNBOT_FILING_TOKEN")
    code, text = typed("file", "--execute", ALIGNBOT_GITHUB_TOKEN=room.token)
    assert (code, "without a write token" in text, "ALIGNBOT_FILING_TOKEN" in text) == (2, True, True)
    assert typed("file")[0] == 0
    assert room.double.log == []


def test_rehearsal(store: SqlStore, typed: Typed, room: Room) -> None:
    """Simulated evidence is filed on loopback, under a title that says so; never elsewhere."""
    decide(store, SIMULATED)
    code, text = typed("file", "--execute", "--json", ALIGNBOT_FILING__REHEARSAL="true")
    one = outgoing_of(text)[name(SIMULATED)]
    assert (code, one["state"]) == (0, "done")
    (thread,) = room.repository.threads.values()
    assert thread.title.startswith("[rehearsal] ")
    code, text = typed("file", "--execute", ALIGNBOT_GITHUB__API="https://api.github.com")
    assert (code, "loopback" in text) == (2, True)


def test_the_sanitiser_has_the_last_word(store: SqlStore) -> None:
    """What it changes is what leaves; what it refuses does not, with its sentence."""

    def clean(title: str, body: str) -> tuple[str, str]:
        return title.replace("grid", "GRID"), body.replace("@", "")

    def refuse(title: str, body: str) -> tuple[str, str]:
        raise InputError("the body holds a token")

    rules = Rules(REPO, ("x",), open_gate, clean)
    ready = prepared(parts(REAL), rules, NOON)
    assert (ready.why_not, "GRID" in ready.intent.title) == ("", True)
    assert prepared(parts(REAL), Rules(REPO, (), open_gate, refuse), NOON).why_not == "the body holds a token"


def test_what_the_exit_refuses_keeps_one_finding_and_no_other(store: SqlStore) -> None:
    """The exit itself, not a double of it: its refusal is that finding's reason, and no error of the command."""

    def out(title: str, body: str) -> tuple[str, str]:
        return leaving(title, body * 70_000, ExitRules(repository=REPO))

    why = prepared(parts(REAL), Rules(REPO, (), open_gate, out), NOON).why_not
    assert "GitHub takes 65,536" in why


def test_what_a_draft_may_not_bring() -> None:
    """Marks of ours are taken out, and a body that leaves no room for them is not filed."""
    finding, draft, case = parts(REAL)
    rules = Rules(REPO, (), open_gate, as_they_are, rehearsal=True)
    forged = draft.model_copy(update={"body": f"text {mark('a' * 16, 'b' * 16)}", "title": "[rehearsal] t"})
    ready = prepared((finding, forged, case), rules, NOON)
    assert (ready.intent.body, ready.intent.title) == ("text ", "[rehearsal] t")
    long = draft.model_copy(update={"body": "x" * 65_500})
    assert "more than the 65536" in prepared((finding, long, case), rules, NOON).why_not


def test_nothing_leaves_while_it_waits_for_limits(
    store: SqlStore, typed: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The switch is asked when a wait is over: what was stopped meanwhile is not sent."""
    settings, _ = load()
    with closing(wire.writing_forge(settings)) as forge:
        forge.limiter._sleep(0)
        wire.stop(settings).halt("stopped while it waited")
        with pytest.raises(LimitedError, match="while it waited"):
            forge.limiter._sleep(0)


def test_the_doctor_tells(typed: Typed, tmp_path: Path) -> None:
    """Mode, caps, and what stops it; nothing is made or changed."""
    settings, _ = load()
    assert doctor(settings).told == "mode draft, at most 3 an hour, 6 a day"
    typed("pause", "--reason", "a release")
    said = doctor(settings)
    assert (said.state, "a release" in said.told, "alignbot resume" in said.cure) == ("warning", True, True)
    assert doctor(settings.model_copy(update={"state": tmp_path / "fresh"})).state == "ok"
    assert not (tmp_path / "fresh").exists()


def test_a_cancelled_issue_may_be_planned_anew(store: SqlStore, typed: Typed) -> None:
    """It is shown with the id that it would have."""
    decide(store, REAL)
    outbox = wire.outbox(store)
    settings, _ = load()
    ready = outgoing._prepared(wire.rules_of_filing(settings, store), store, [name(REAL)])[0].intent
    now = wire.SystemClock().now()
    lease = outbox.take("test", now)
    assert not isinstance(lease, Wait)
    sending = outbox.send(lease, outbox.plan(ready), now, wire.limits(settings))
    assert isinstance(sending, Intent)
    outbox.replace(lease, sending, ready.model_copy(update={"about": "other"}), "test")
    told = json.loads(typed("file", "--json", "--finding", name(REAL))[1])["outgoing"]
    assert sorted(one["state"] for one in told) == ["planned", "ready"]
    assert sending.id not in {one["intent"] for one in told}


def test_spans() -> None:
    """As in the configuration."""
    assert outgoing.span_of("90s") == timedelta(seconds=90)
    with pytest.raises(InputError, match="no length of time"):
        outgoing.span_of("-1h")


def test_nothing_there(tmp_path: Path, typed: Typed, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty store has nothing to file, says how to get something, and has all its caps left."""
    monkeypatch.setenv("ALIGNBOT_STATE", str(tmp_path / "empty"))
    assert typed("file", "--json")[0] == 0
    code, text = typed("file", "--execute")
    assert (code, text.splitlines()) == (
        0,
        [
            "no findings: nothing to file; `alignbot scan` makes some",
            "left: 3 of 3 this hour, 6 of 6 this day, 15 of 15 this week, 3 a window",
        ],
    )
    assert room.double.log == []


@pytest.mark.parametrize(
    ("variable", "text", "told"),
    [
        ("FILING__REFERENCES", '["x"]', "filing.references"),
        ("FILING_TOKEN", "short", "what ALIGNBOT_FILING_TOKEN has is no token"),
        ("GITHUB_TOKEN", "short", "what ALIGNBOT_GITHUB_TOKEN has is no token"),
        ("FILING__KINDS", '{"x": "auto"}', "filing.kinds has 'x'"),
    ],
)
def test_what_can_not_be_used_is_one_line(variable: str, text: str, told: str, typed: Typed) -> None:
    """A reference, a token or a kind of defect that is none ends in one line that names where it stands."""
    code, said = typed("file", **{f"ALIGNBOT_{variable}": text})
    assert code == 2
    assert told in said
    assert len(said.strip().splitlines()) == 1


def test_an_approval_tells_what_is_still_in_the_way(typed: Typed) -> None:
    """What no approval replaces is said at once; where nothing is in the way nothing is said."""
    said = typed("findings", "approve", name(SIMULATED), "--reason", "seen")
    assert said[0] == 0
    assert "it does not leave yet: the device was simulated" in said[1]
    assert "it does not leave yet" not in typed("findings", "approve", name(REAL), "--reason", "seen")[1]
