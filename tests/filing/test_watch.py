"""`watch` and `file` from end to end: recorded runs of several builds, and a tracker on loopback."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import wire
from bot.cli import _answer
from bot.edges.store import SqlStore
from bot.model import Case, DecisionKind, DeviceFacts, Finding, Job, Port, RunEvidence
from bot.waiting import PROBE
from tests.dashboard.sample import found_case
from tests.double import changes, faults, landing
from tests.filing.desk import NOON, Room
from tests.filing.test_commands import decide

CASE = found_case("xpu", simulated=True)
TODAY = wire.SystemClock().now()
Typed = Callable[..., tuple[int, str]]


class Builds:
    """A folder of recorded runs, which stands for the build of the day."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def today(self, days: int, *, shows: bool, case: Case = CASE, **more: Any) -> None:
        """From now on this build is there: of a day so many after today's, and its runs show the fault or not."""
        assert isinstance(case.evidence, RunEvidence)
        assert isinstance(case.port, Port)
        day = (TODAY + timedelta(days=days)).date()
        environment = {"torch": f"2.16.0.dev{day:%Y%m%d}", "torch_build_date": str(day), "torch_git": "4b" * 20}
        device = DeviceFacts(type="xpu", simulated=True)
        ran = case.evidence.model_copy(update={"environment": environment, "device": device, **more})
        if not shows:
            quiet = tuple(one.model_copy(update={"divergences": ()}) for one in ran.runs)
            ran = ran.model_copy(update={"divergences": (), "runs": quiet})
        for name, script in (("probe", PROBE), ("script", case.port.code)):
            digest = Job(script=script, device="xpu").script_sha256
            text = ran.model_copy(update={"script_sha256": digest}).model_dump_json()
            (self.folder / f"{name}.json").write_text(text)


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    """The fault on a build of today."""
    made = Builds(tmp_path / "recorded")
    made.today(0, shows=True)
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """One simulated finding that a person approved."""
    with closing(SqlStore(tmp_path / "alignbot.db")) as opened:
        opened.save_case(CASE, NOON)
        decide(opened, CASE)
        yield opened


@pytest.fixture
def typed(
    store: SqlStore,
    builds: Builds,
    tmp_path: Path,
    room: Room,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Typed:
    """A command line, its exit code and output; the finding is filed, in a rehearsal."""
    for variable in [one for one in os.environ if one.startswith("ALIGNBOT_")]:
        monkeypatch.delenv(variable)
    caps = {f"FILING__CAPS__PER_{span}": "100" for span in ("WINDOW", "HOUR", "DAY", "WEEK")}
    told = {
        "STATE": str(tmp_path),
        "GITHUB__API": room.double.url,
        "GITHUB_TOKEN": room.token,
        **caps,
        "FILING_TOKEN": room.token,
        "FILING__MODE": "draft",
        "FILING__REHEARSAL": "true",
        "FILING__CLOSE": "true",
        "RUN__RECORDED": str(builds.folder),
    }
    for variable, text in told.items():
        monkeypatch.setenv(f"ALIGNBOT_{variable}", text)
    room.double.world.clock.advance((wire.SystemClock().now() - room.double.world.clock.now()).total_seconds())
    plan = tmp_path / "faults.json"
    plan.write_text('[{"op": "grid_sampler_2d_backward", "dtypes": null, "kind": "narrow-accumulator"}]')

    def run(*arguments: str, **variables: str) -> tuple[int, str]:
        for variable, text in variables.items():
            monkeypatch.setenv(variable, text)
        capsys.readouterr()
        more = [f"--simulate={plan}", "--json"] if arguments[0] == "watch" else []
        code = _answer([*arguments, *more])
        out = capsys.readouterr()
        return code, out.out + (out.err if code == 2 else "")

    assert run("file", "--execute")[0] == 0
    return run


def looked(typed: Typed, code: int = 0) -> dict[str, Any]:
    """What a `watch` tells of the one finding; then what it planned is sent."""
    found, text = typed("watch")
    assert (found, text if found == 2 else "") == (code, "")
    (one,) = json.loads(text)["filed"]
    sent, text = typed("file", "--execute")
    assert sent == 0, text
    return dict(one)


def kinds(one: dict[str, Any]) -> list[str]:
    """What follows."""
    return [each["kind"] for each in one["follows"]]


def said(room: Room) -> list[str]:
    """Our comments, without marks."""
    comments = [each for each in room.repository.threads[1].comments if each.author and each.author.login == "alignbot"]
    return [each.body.split("-->\n", 1)[1].split("\n<!--", 1)[0] for each in comments]


def test_from_the_fault_to_its_end_and_back(typed: Typed, builds: Builds, room: Room, store: SqlStore) -> None:
    """Shown: nothing. Mended and passing: one comment, and closed; once. Shown again: opened with a comment."""
    thread = room.repository.threads[1]
    first = looked(typed)
    assert (kinds(first), first["ran"], first["observation"]["shows"]) == ([], True, True)
    assert looked(typed)["ran"] is False
    pull = changes.create_pull(room.repository, "Sum in float32", "Fixes #1", author="dev")
    landing.merge(room.repository, pull.number)
    changes.reopen(room.repository, 1)
    builds.today(2, shows=False)
    second = looked(typed)
    assert (kinds(second), second["observation"]["shows"]) == (["comment", "close"], False)
    assert (thread.open, thread.state_reason, len(said(room))) == (False, "COMPLETED", 1)
    assert f"#{pull.number}" in said(room)[0] or "commit" in said(room)[0]
    builds.today(3, shows=False)
    assert (kinds(looked(typed)), len(said(room))) == ([], 1)
    builds.today(4, shows=True)
    note = looked(typed)
    assert kinds(note) == []
    assert any(each["person"] and "file a new issue" in each["why"] for each in note["notes"])
    typed("pause", ALIGNBOT_FILING__REOPEN="true")
    typed("resume")
    back = looked(typed)
    assert (kinds(back), thread.open, len(said(room))) == (["comment", "reopen"], True, 2)
    assert kinds(looked(typed)) == []
    assert len(wire.observations(store).of(CASE.finding.fingerprint)) == 4  # type: ignore[union-attr]


def test_passes_and_nobody_knows_why(typed: Typed, builds: Builds, room: Room) -> None:
    """A question and a label, never a close; once, whatever later builds show of the same."""
    looked(typed)
    for day in (1, 2, 3):
        builds.today(day, shows=False)
        looked(typed)
    thread = room.repository.threads[1]
    assert (thread.open, "no longer reproduces" in thread.labels, len(said(room))) == (True, True, 1)


@pytest.mark.parametrize("reason", ["NOT_PLANNED", "DUPLICATE"])
def test_what_people_closed_is_left_alone(reason: str, typed: Typed, builds: Builds, room: Room) -> None:
    """Not planned or duplicate: nothing is run and nothing is said."""
    looked(typed)
    changes.close(room.repository, 1, reason=reason)
    builds.today(1, shows=False)
    one = looked(typed)
    assert (kinds(one), one["ran"], said(room)) == ([], False, [])


def test_commands_are_answered_once(typed: Typed, room: Room, store: SqlStore) -> None:
    """A reaction to the comment, one comment of ours that is edited in place, and a decision with who and why."""
    asked = changes.comment(
        room.repository, 1, "/alignbot dup #7 same sum\n\n/alignbot snooze 3d", author="boss", association="MEMBER"
    )
    first = looked(typed)
    assert kinds(first) == ["reaction", "comment"]
    assert [each.content for each in asked.reactions] == ["+1"]
    words = wire.decisions(store).history()[first["fingerprint"]][1:]
    told = (words[0].kind, words[0].by, words[0].of, words[0].reason)
    assert told == (DecisionKind.DUPLICATE, "boss", 7, "same sum")
    assert (words[1].kind, words[1].until) == (DecisionKind.SNOOZE, words[1].decided_at + timedelta(days=3))
    for _ in range(2):
        assert kinds(looked(typed)) == []
    changes.comment(room.repository, 1, "/alignbot undup it is another\n", author="boss", association="MEMBER")
    assert kinds(looked(typed)) == ["reaction", "edit"]
    assert len(said(room)) == 1
    assert ["dup #7" in said(room)[0], "undup" in said(room)[0]] == [True, True]
    room.double.world.clock.advance(2)
    changes.edit_comment(room.repository, asked.database_id, "/alignbot frobnicate")
    assert kinds(looked(typed)) == ["reaction", "edit"]
    assert sorted(each.content for each in asked.reactions) == ["+1", "confused"]
    assert "not understood" in said(room)[0]
    assert len(wire.decisions(store).history()[first["fingerprint"]]) == 4


@pytest.mark.parametrize(
    ("author", "association", "reaction"),
    [("passer-by", "NONE", []), ("helper", "CONTRIBUTOR", ["confused"]), ("friend", "NONE", ["+1"])],
)
def test_who_may(author: str, association: str, reaction: list[str], typed: Typed, room: Room, store: SqlStore) -> None:
    """Strangers are not answered, contributors are told no, logins of the configuration may; only then is it stored."""
    asked = changes.comment(room.repository, 1, "/alignbot invalid", author=author, association=association)
    typed("pause", ALIGNBOT_FILING__PEOPLE='["Friend"]')
    typed("resume")
    one = looked(typed)
    assert [each.content for each in asked.reactions] == reaction
    assert bool(one["decisions"]) == (reaction == ["+1"])


def test_retest_runs_the_same_build_again(typed: Typed, builds: Builds, room: Room) -> None:
    """Once for each time that it is asked."""
    looked(typed)
    changes.comment(room.repository, 1, "/alignbot retest", author="boss", association="OWNER")
    assert [looked(typed)["ran"] for _ in range(2)] == [True, False]


def test_explain_and_help(typed: Typed, room: Room) -> None:
    """How it was found and what builds show, and the table of commands; no reference becomes a link."""
    looked(typed)
    changes.comment(room.repository, 1, "/alignbot explain\n/alignbot help", author="boss", association="OWNER")
    looked(typed)
    (text,) = said(room)
    assert ["grid_sampler_2d_backward" in text, "`/alignbot retest`" in text, "shows the fault" in text] == [True] * 3
    assert "`pytorch/pytorch#204496`" in text


def test_a_tracker_that_is_not_to_be_read(typed: Typed, room: Room) -> None:
    """Exit code 3 and a sentence; the reproducer is run all the same, and nothing is planned."""
    room.double.add(faults.primary_limit(86_400, method="GET", path="/issues", times=None))
    code, text = typed("watch")
    (one,) = json.loads(text)["filed"]
    assert (code, one["tracker"], one["ran"], kinds(one)) == (3, None, True, [])
    assert "can't be read" in one["held"][0]


def test_a_build_that_tells_nothing(typed: Typed, builds: Builds, room: Room, store: SqlStore) -> None:
    """A device that is not well is held, said, stored once, and tried again."""
    builds.today(1, shows=True, void="the device was sick")
    for _ in range(2):
        one = looked(typed, 3)
        assert (one["ran"], one["observation"]["shows"], kinds(one)) == (True, None, [])
    assert isinstance(CASE.finding, Finding)
    assert len(wire.observations(store).of(CASE.finding.fingerprint)) == 1


def test_nothing_filed(typed: Typed, store: SqlStore) -> None:
    """Another tracker has nothing of ours: an empty list, and GitHub is not asked."""
    code, text = typed("watch", ALIGNBOT_TARGET__REPO="intel/another")
    assert (code, json.loads(text)) == (0, {"filed": [], "watched": [], "held": [], "status": None})


EMPTY = "<!-- alignbot:begin intent=0000000000000000 sha=e3b0c44298fc1c14 -->\n<!-- alignbot:end -->"


@pytest.mark.parametrize("body", [f"How it stands\n\n{EMPTY}\n\nby hand", "no marks of ours"])
def test_the_status_issue(body: str, typed: Typed, room: Room) -> None:
    """Written between our marks, or in one comment where there are none; again only when something has changed."""
    page = changes.create_issue(room.repository, "Status", body, author="alignbot")
    typed("pause", ALIGNBOT_FILING__STATUS_ISSUE=str(page.number))
    typed("resume")
    marks = EMPTY in body
    assert typed("watch")[0] == 0
    assert [typed("file", "--execute")[0] for _ in range(2)] == [0 if marks else 3, 0]
    told = page.body if marks else page.comments[0].body
    assert "| 1 | 1 | 0 | 0 |" in told
    assert page.body.startswith("How it stands") or page.body == "no marks of ours"
    posts = len(room.posts)
    looked(typed)
    assert len(room.posts) == posts
    changes.comment(room.repository, 1, "/alignbot help", author="boss", association="OWNER")
    assert json.loads(typed("watch")[1])["status"]["kind"] == "edit"
    assert typed("file", "--execute")[0] == 0
    assert len(page.comments) == (0 if marks else 1)
    assert "| 1 | 1 | 0 | 2 |" in (page.body if marks else page.comments[0].body)
