"""What maintainers say of findings is kept, shown and given to the classifier's next training."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.edges.decisions import SqlDecisions
from bot.edges.store import SqlStore
from bot.model import Case, Decision, DecisionKind, Finding, ItemClass, Outcome, OutcomeKind
from bot.seams import Decisions, StoreError
from bot.stages.feedback import judged_item, labelled
from tests.conftest import Alignbot, one_line
from tests.dashboard.sample import found_case
from tests.sample_line import open_store

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)


def fingerprint_of(case: Case) -> str:
    """Of a case with a finding."""
    assert isinstance(case.finding, Finding)
    return case.finding.fingerprint


def said(kind: DecisionKind, reason: str = "known", hours: int = 0, **more: object) -> Decision:
    """A word on the sample's finding."""
    moment = NOW + timedelta(hours=hours)
    return Decision.model_validate(
        {"fingerprint": fingerprint_of(found_case()), "kind": kind, "reason": reason, "decided_at": moment, **more}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A state folder whose store holds a finding."""
    store = open_store(tmp_path)
    store.save_case(found_case(), NOW)
    store.close()
    return tmp_path


def test_every_word_is_kept(tmp_path: Path) -> None:
    """A second decision is added to the first; they come back in their order, of each finding by itself."""
    store = open_store(tmp_path)
    decisions: Decisions = SqlDecisions(store.engine)
    assert decisions.history() == {}
    words = [said(DecisionKind.REJECT, item_class="question"), said(DecisionKind.DUPLICATE, "of #1", 1)]
    other = said(DecisionKind.REJECT).model_copy(update={"fingerprint": "0" * 16})
    for one in (words[0], other, words[1]):
        decisions.decide(one)
    assert decisions.history() == {words[0].fingerprint: words, other.fingerprint: [other]}
    store.close()


def test_a_damaged_row_is_named(tmp_path: Path) -> None:
    """A decision that can't be read is a StoreError with its finding."""
    store = open_store(tmp_path)
    SqlDecisions(store.engine).decide(said(DecisionKind.REJECT))
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE decision SET document = '{}'")
    with pytest.raises(StoreError, match=f"decision {fingerprint_of(found_case())} 1"):
        SqlDecisions(store.engine).history()
    store.close()


def test_labels() -> None:
    """A rejected finding's item is of the class that was said, else `other`; a duplicate's was rightly a candidate."""
    case = found_case()
    for words, expected, kind in (
        ([said(DecisionKind.REJECT)], "other", "none"),
        ([said(DecisionKind.REJECT, item_class=ItemClass.SHARED_UPSTREAM)], "shared-upstream", "none"),
        ([said(DecisionKind.REJECT), said(DecisionKind.DUPLICATE)], "candidate", "precision"),
    ):
        (line,) = labelled([case], {fingerprint_of(case): words})
        assert (line["expected_class"], line["defect_kind"], line["number"]) == (expected, kind, 204496)
        assert line["ops"] == ["grid_sampler_2d_backward"]
        assert line["why"] == f"{words[-1].kind}: known"
        assert line["title"] == case.leader.title
    assert labelled([case], {}) == []


def test_two_findings_of_one_item() -> None:
    """Where one was told before the item was a candidate, in any order of the findings; else the later word counts."""
    case = found_case()
    assert isinstance(case.finding, Finding)
    other = case.model_copy(update={"finding": case.finding.model_copy(update={"target": "cuda"})})
    marks = fingerprint_of(case), fingerprint_of(other)
    for first, second, expected in (
        (said(DecisionKind.DUPLICATE), said(DecisionKind.REJECT, "no", 1), "candidate"),
        (said(DecisionKind.REJECT, "no", 1, item_class="question"), said(DecisionKind.REJECT), "question"),
    ):
        history = {
            mark: [one.model_copy(update={"fingerprint": mark})]
            for mark, one in zip(marks, (first, second), strict=True)
        }
        for cases in ([case, other], [other, case]):
            (line,) = labelled(cases, history)
            assert line["expected_class"] == expected


def test_the_item_that_was_ruled_on_is_the_labelled_one() -> None:
    """Where another member of the chain was the candidate, the label is that item's."""
    case = found_case()
    ruling = case.ruling.model_copy(update={"number": 204495})
    assert judged_item(case.model_copy(update={"ruling": ruling})).number == 204495


def test_from_finding_to_training(alignbot: Alignbot, folder: Path) -> None:
    """Rejected on the command line, it is shown so in list and show, and exported as one labelled line."""
    mark = fingerprint_of(found_case())
    assert alignbot("findings", "export", state=folder).stdout == ""
    done = alignbot(
        "findings", "reject", mark[:8], "--reason", "expected numerics", "--class", "question", state=folder
    )
    assert (done.returncode, done.stdout) == (0, f"{mark}: reject\n")
    (listed,) = json.loads(alignbot("findings", "list", "--json", state=folder).stdout)
    assert (listed["decision"]["kind"], listed["decision"]["reason"]) == ("reject", "expected numerics")
    assert "reject" in alignbot("findings", "list", state=folder).stdout
    assert "reject: expected numerics" in alignbot("findings", "show", mark, state=folder).stdout
    again = alignbot("findings", "duplicate", mark, "--reason", "of intel/torch-xpu-ops#1", "--json", state=folder)
    assert json.loads(again.stdout).items() >= {"fingerprint": mark, "kind": "duplicate"}.items()
    shown = json.loads(alignbot("findings", "show", mark, "--json", state=folder).stdout)
    assert [one["kind"] for one in shown["decisions"]] == ["reject", "duplicate"]
    output = folder / "labelled.jsonl"
    assert alignbot("findings", "export", "--output", output, state=folder).stdout == ""
    (line,) = map(json.loads, output.read_text("utf-8").splitlines())
    assert (line["expected_class"], line["why"]) == ("candidate", "duplicate: of intel/torch-xpu-ops#1")
    classified = alignbot("classify", output, state=folder)
    assert classified.returncode == 0, classified.stderr


def test_a_duplicate_of_an_issue_is_taken_back(alignbot: Alignbot, folder: Path) -> None:
    """`--of` and who said it are kept and shown; taken back, the finding is no labelled item, and its log has both."""
    mark = fingerprint_of(found_case())
    done = alignbot("findings", "duplicate", mark, "--of", "#5508", "--by", "ada", "--reason", "same", state=folder)
    assert (done.returncode, done.stdout) == (0, f"{mark}: duplicate of #5508\n")
    assert "duplicate of #5508: same (ada)" in alignbot("findings", "show", mark, state=folder).stdout
    back = alignbot("findings", "unduplicate", mark, "--reason", "it is not", "--json", state=folder)
    told = json.loads(back.stdout)
    assert (told["kind"], told["of"], bool(told["by"])) == ("unduplicate", None, True)
    assert alignbot("findings", "export", state=folder).stdout == ""
    shown = json.loads(alignbot("findings", "show", mark, "--json", state=folder).stdout)
    assert [(one["kind"], one["of"]) for one in shown["decisions"]] == [("duplicate", 5508), ("unduplicate", None)]
    for wrong in ("#0", "x", "-1", "9999999999", "²"):
        assert "write #5508" in one_line(
            alignbot("findings", "duplicate", mark, f"--of={wrong}", "--reason", "x", state=folder)
        )


def test_a_merged_finding_is_taken_up_again(alignbot: Alignbot, tmp_path: Path) -> None:
    """One that was never a draft can be named by its fingerprint, and its window's scan is due again."""
    case = found_case()
    outcome = Outcome(kind=OutcomeKind.MERGED, stage="dedupe", reason="issue #7 is open")
    with closing(SqlStore(tmp_path / "alignbot.db")) as store:
        store.begin_scan(case.window, case.device, case.heads)
        store.save_case(case.model_copy(update={"draft": None, "outcome": outcome}), case.window.end)
        store.finish_scan(case.window, case.device, "done")
    mark = fingerprint_of(case)
    done = alignbot("findings", "unduplicate", mark[:6], "--reason", "another kernel", state=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{mark}: unduplicate\n")
    with closing(SqlStore(tmp_path / "alignbot.db")) as store:
        assert [one.state for one in store.windows()] == ["stale"]


def test_what_cannot_be_decided(alignbot: Alignbot, folder: Path) -> None:
    """No such finding is exit code 1; no reason, a class that makes no sense and a bad path are one line each."""
    mark = fingerprint_of(found_case())
    assert alignbot("findings", "duplicate", "ffff", "--reason", "x", state=folder).returncode == 1
    assert "--reason" in one_line(alignbot("findings", "reject", mark, state=folder))
    assert "say why" in one_line(alignbot("findings", "reject", mark, "--reason", " ", state=folder))
    assert "no UTF-8" in one_line(alignbot("findings", "reject", mark, "--reason", "\udcff", state=folder))
    for wrong in ("candidate", "nonsense"):
        done = alignbot("findings", "reject", mark, "--reason", "x", "--class", wrong, state=folder)
        assert f"is no '{wrong}'" in one_line(done)
    done = alignbot("findings", "export", "--output", folder / "no/such/folder", state=folder)
    assert "can't be written" in one_line(done)
