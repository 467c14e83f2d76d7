"""One turn of the filer: severest first, up to the caps, nothing sent twice, everything that waits has its reason."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from bot.edges.leases import LENGTH
from bot.errors import InputError
from bot.filing import Desk, Drained, drain, plan_again
from bot.filing.drain import LOOKS
from bot.model import DefectKind, Go, Intent, IntentState, Lease, Limits, Outbound, Wait
from tests.double import changes, faults
from tests.filing.desk import MINUTE, NOON, PLENTY, REPO, Room, fingerprint, issue, marks

HOUR = timedelta(hours=1)
POST = {"method": "POST", "path": "/issues$"}
LIST = {"method": "GET", "path": "/issues$"}
CAPS = Limits(per_window=1_000, per_hour=3, per_day=6, per_week=15)


def turn(room: Room, only: str | None = None) -> Drained:
    """One turn of a filer that starts anew."""
    with room.desk() as desk:
        return drain(desk, "filer", only)


def states(room: Room) -> dict[int, str]:
    """How each finding's newest intent stands."""
    return {
        int(one.fingerprint, 16): one.state.value for one in sorted(room.outbox.every(), key=lambda one: one.attempt)
    }


def test_filed_with_marker_and_labels(room: Room) -> None:
    """The issue is as it was planned, and the intent says where it is."""
    planned = room.outbox.plan(issue())
    done = turn(room)
    (thread,) = room.repository.threads.values()
    assert (thread.title, thread.body, thread.labels) == (planned.title, planned.text, ["ai_generated"])
    assert thread.author is not None
    assert thread.author.login == "alignbot"
    (changed,) = done.changed
    assert changed.filed is not None
    assert (changed.state, changed.filed.number, done.waiting, done.halted) == (IntentState.DONE, 1, {}, "")
    assert changed.filed.url == "https://github.com/intel/torch-xpu-ops/issues/1"
    assert turn(room).changed == []


def test_nothing_to_do_asks_nobody(room: Room) -> None:
    """An empty outbox costs no request."""
    assert turn(room) == Drained()
    assert room.double.log == []


def test_the_severest_first_up_to_the_cap(room: Room) -> None:
    """The rest stays in the queue with its reason, and a second passes between two writes."""
    room.limits = CAPS
    kinds = [DefectKind.NONE, DefectKind.MISSING_CHECK, DefectKind.SILENT_WRONG_RESULT, DefectKind.PRECISION]
    for number, kind in enumerate([*kinds, DefectKind.MEMORY_ERROR]):
        room.outbox.plan(issue(number, kind))
    done = turn(room)
    assert states(room) == {0: "planned", 1: "planned", 2: "done", 3: "done", 4: "done"}
    assert [one.title for one in room.repository.threads.values()][2].startswith("[xpu-alignment] operator_3")
    assert sum(room.time.slept) >= 2
    assert set(done.waiting.values()) == {"3 of 3 writes of this hour are used (filing.caps.per_hour)"}
    assert [one.why for one in room.outbox.queue()] == list(done.waiting.values())


def test_five_hundred_findings_and_three_restarts(room: Room) -> None:
    """A storm is filed at the rate of the caps, whatever is lost on the way and however often the filer starts anew."""
    room.limits = CAPS
    for number in range(500):
        room.outbox.plan(issue(number))
    for restart in range(3):
        room.double.add(faults.reset_after(**POST), faults.afterwards(faults.bad_gateway(**POST, nth=3)))
        for _ in range(4):
            turn(room)
            room.pass_time(10 * MINUTE)
        assert len(room.outbox.every()) == 500
        made = sorted(one.created_at for one in room.repository.threads.values())
        assert len(made) <= 3 * (restart + 1)
        room.pass_time(HOUR)
    counts = Counter(one.state for one in room.outbox.every())
    assert set(counts) == {IntentState.PLANNED, IntentState.DONE}
    assert counts[IntentState.DONE] == len(room.repository.threads) == 6, "the cap of the day"
    assert all(one.why for one in room.outbox.queue())
    assert all(len(numbers) == 1 for numbers in marks(room.repository).values())


def test_a_window_that_is_full_holds_back_no_other(room: Room) -> None:
    """What belongs to another window leaves."""
    room.limits = PLENTY.model_copy(update={"per_window": 1})
    for number, window in enumerate(("a", "a", "b")):
        room.outbox.plan(issue(number, window=window))
    done = turn(room)
    assert states(room) == {0: "done", 1: "planned", 2: "done"}
    assert list(done.waiting.values()) == ["1 of 1 writes for a are used (filing.caps.per_window)"]


def test_what_the_gate_holds_back_waits(room: Room) -> None:
    """It is asked right before the sending: a late no counts."""
    room.gate = lambda name: Wait(reason="rejected") if name == fingerprint(1) else Go()
    room.outbox.plan(issue(1))
    room.outbox.plan(issue(2))
    assert list(turn(room).waiting.values()) == ["rejected"]
    assert states(room) == {1: "planned", 2: "done"}


def test_rehearsals_and_the_real_thing_never_mix(room: Room) -> None:
    """Neither is sent while the other is meant, and neither stands for the other."""
    room.outbox.plan(issue(1))
    room.outbox.plan(issue(1, rehearsal=True))
    room.rehearsal = True
    assert list(turn(room).waiting.values()) == ["it is for no rehearsal"]
    room.rehearsal = False
    room.outbox.plan(issue(2, rehearsal=True))
    assert list(turn(room).waiting.values()) == ["it was planned for a rehearsal"]
    assert len(room.repository.threads) == 2


def test_one_finding_alone(room: Room) -> None:
    """The others are left where they are, and nothing is said of them."""
    for number in (1, 2):
        room.outbox.plan(issue(number))
    assert turn(room, fingerprint(2)).waiting == {}
    assert states(room) == {1: "planned", 2: "done"}


@pytest.mark.parametrize("after", range(4))
def test_the_switch_stops_between_any_two_steps(after: int, room: Room) -> None:
    """Before the turn, before a finding, between its mark and its request, before the next: nothing more is sent."""
    room.outbox.plan(issue(1))
    room.outbox.plan(issue(2))
    room.switch.after = after
    done = turn(room)
    assert done.halted == "stopped"
    assert len(room.posts) == len(room.repository.threads) == (1 if after == 3 else 0)
    assert [one.state for one in room.outbox.queue()] == [IntentState.PLANNED] * (1 if after == 3 else 2)
    assert room.outbox.used(NOON).hour == len(room.posts)
    room.switch.after = None
    assert turn(room).halted == ""
    assert states(room) == {1: "done", 2: "done"}
    assert len(room.repository.threads) == 2


def test_what_is_lost_is_adopted_later(room: Room) -> None:
    """Not at once, not by sending it again; the turn ends where it was lost."""
    room.outbox.plan(issue(1))
    room.outbox.plan(issue(2))
    room.double.add(faults.reset_after(**POST))
    done = turn(room)
    assert states(room) == {1: "unknown", 2: "planned"}
    assert "the connection to GitHub broke" in done.halted
    assert list(done.waiting.values()) == [done.halted]
    room.pass_time(MINUTE)
    assert turn(room).halted == ""
    assert states(room) == {1: "done", 2: "done"}
    assert len(room.posts) == 2


def test_what_never_shows_is_left_to_a_person(room: Room) -> None:
    """Looked for so many times, later and later, and then never again; it says what to type."""
    room.outbox.plan(issue())
    room.double.add(faults.reset_before(**POST))
    turn(room)
    looks = []
    with room.desk() as desk:
        while sum(looks) < LOOKS:
            room.pass_time(MINUTE)
            before = len(room.double.asked(path=f"/repos/{REPO}/issues"))
            drain(desk, "filer")
            looks.append(len(room.double.asked(path=f"/repos/{REPO}/issues")) > before)
    times = [minute for minute, looked in enumerate(looks) if looked]
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]
    (left,) = room.outbox.unsettled()
    assert f"looked for {LOOKS} of {LOOKS} times: not to be seen" in left.why
    assert f"alignbot file --finding {fingerprint(1)} --again --execute" in left.why
    room.pass_time(100 * HOUR)
    before = room.double.requests
    turn(room)
    assert len(room.double.asked(path=f"/repos/{REPO}/issues")) == LOOKS + 2
    assert room.double.requests == before + 2, "only the greeting"
    assert len(room.posts) == 1


def test_again_by_hand(room: Room) -> None:
    """A person has it filed again; there is one issue, and the old row says by whom."""
    room.outbox.plan(issue())
    room.double.add(faults.reset_before(**POST))
    turn(room)
    with room.desk() as desk:
        assert plan_again(desk, [issue()], "person") == ""
    turn(room)
    assert [one.state.value for one in room.outbox.every()] in (["cancelled", "done"], ["done", "cancelled"])
    assert marks(room.repository) == {fingerprint(1): [1]}


def test_again_finds_what_is_there_after_all(room: Room) -> None:
    """The person has overlooked it: nothing is posted."""
    room.outbox.plan(issue())
    room.double.add(faults.reset_after(**POST))
    turn(room)
    with room.desk() as desk:
        plan_again(desk, [issue()], "person")
    turn(room)
    assert (len(room.posts), states(room)) == (1, {1: "done"})


def test_again_waits_for_another_writer(room: Room) -> None:
    """And changes nothing meanwhile."""
    assert isinstance(room.outbox.take("other", room.time.now()), Lease)
    with room.desk() as desk:
        assert "other writes now" in plan_again(desk, [issue()], "person")
    assert room.outbox.every() == []


def test_a_lost_database_files_nothing_twice(room: Room) -> None:
    """An issue of ours with the finding's mark is adopted, though no row knows of it; one that a row has is another."""
    earlier = changes.create_issue(room.repository, "t", issue(id="a" * 16).text, author="alignbot")
    room.outbox.plan(issue())
    turn(room)
    assert (room.posts, states(room)) == ([], {1: "done"})
    room.outbox.plan(issue(about="it came back"))
    turn(room)
    assert len(room.posts) == 1
    assert marks(room.repository) == {fingerprint(1): [earlier.number, earlier.number + 1]}


def test_another_writer_is_waited_for(room: Room) -> None:
    """Nothing is sent while somebody else has the lease; after a kill that lasts for minutes."""
    room.outbox.plan(issue())
    assert isinstance(room.outbox.take("killed", room.time.now()), Lease)
    assert "killed writes now" in turn(room).halted
    assert room.posts == []
    room.pass_time(LENGTH)
    assert turn(room).halted == ""
    assert states(room) == {1: "done"}


def test_a_lease_that_is_lost_ends_the_turn(room: Room) -> None:
    """In the middle of a request: the row stays as it was, and the next turn finds the issue."""
    room.outbox.plan(issue(1))
    room.outbox.plan(issue(2))

    def taken() -> None:
        room.outbox.take("other", room.time.now() + 2 * LENGTH)

    room.double.add(faults.done_and_called(taken, **POST))
    assert "the right to write was lost" in turn(room).halted
    assert states(room) == {1: "sending", 2: "planned"}
    room.pass_time(3 * LENGTH)
    turn(room)
    assert states(room) == {1: "done", 2: "done"}
    assert len(room.posts) == 2


@pytest.mark.parametrize(("status", "message"), [(404, "Not Found"), (403, "Resource not accessible")])
def test_what_is_refused_for_good_stops_the_filer(status: int, message: str, room: Room) -> None:
    """Where everything would be refused, one is lost to it and not all; a person resumes."""
    for number in (1, 2):
        room.outbox.plan(issue(number))
    room.double.add(faults.status(status, message, **POST))
    turn(room)
    assert states(room) == {1: "refused", 2: "planned"}
    assert message in str(room.switch.reason)
    assert room.outbox.used(NOON).hour == 0
    room.switch.reason = None
    turn(room)
    turn(room)
    assert (states(room), len(room.posts)) == ({1: "refused", 2: "done"}, 2)


def test_what_is_refused_for_its_text_stops_nothing_else(room: Room) -> None:
    """The others leave at the next turn; it is not sent again by itself."""
    room.outbox.plan(issue(1, title=" "))
    room.outbox.plan(issue(2))
    for _ in range(3):
        turn(room)
    assert states(room) == {1: "refused", 2: "done"}
    (refused,) = [one for one in room.outbox.every() if one.state is IntentState.REFUSED]
    assert "title can't be blank" in refused.why
    assert room.switch.reason is None


def test_limits_leave_it_planned(room: Room) -> None:
    """GitHub asked to come again: it is not refused, not unknown, and counts for nothing."""
    room.outbox.plan(issue())
    room.double.add(faults.secondary_limit(600, **POST))
    assert "limits are reached" in turn(room).halted
    assert (states(room), room.outbox.used(NOON).hour) == ({1: "planned"}, 0)
    room.pass_time(HOUR)
    turn(room)
    assert states(room) == {1: "done"}


def test_github_is_down(room: Room) -> None:
    """At the greeting, or while all of ours are listed: nothing is sent, and everything says why it waits."""
    room.outbox.plan(issue())
    for rule in (faults.bad_gateway(path="/user$"), faults.bad_gateway(**LIST)):
        room.double.rules.clear()
        room.double.add(rule)
        assert "502" in turn(room).halted
    assert "502" in room.outbox.queue()[0].why
    assert room.posts == []


def test_a_look_that_fails_ends_the_turn_and_counts(room: Room) -> None:
    """Nothing is sent while GitHub is not well; what can never be looked for is left to a person like the rest."""
    room.outbox.plan(issue(1))
    room.outbox.plan(issue(2))
    room.outbox.plan(issue(3))
    for _ in range(2):
        room.double.add(faults.reset_before(**POST))
        turn(room)
    room.double.add(faults.bad_gateway(**LIST, times=None))
    room.pass_time(MINUTE)
    assert "502" in turn(room).halted
    looked = sum(one.looks for one in room.outbox.unsettled())
    assert looked == 2, "one look of the turn before, and the one that failed"
    for _ in range(LOOKS * 2):
        room.pass_time(HOUR)
        turn(room)
    assert [one.looks for one in room.outbox.unsettled()] == [LOOKS, LOOKS]
    assert len(room.posts) == 2
    room.double.rules.clear()
    turn(room)
    assert states(room) == {1: "unknown", 2: "unknown", 3: "done"}


def test_a_clock_that_was_ahead_delays_no_look(room: Room) -> None:
    """What was looked for in the future is looked for now."""
    room.outbox.plan(issue())
    room.double.add(faults.reset_before(**POST))
    turn(room)
    (lost,) = room.outbox.unsettled()
    lease = room.outbox.take("ahead", NOON)
    assert isinstance(lease, Lease)
    room.outbox.doubt(lease, lost, "lost", NOON + 1000 * HOUR)
    room.outbox.release(lease)
    turn(room)
    assert [one.looks for one in room.outbox.unsettled()] == [2]


def test_an_edit_that_people_were_faster_than_becomes_a_comment(room: Room) -> None:
    """Their words stay, ours stand below."""
    room.outbox.plan(issue())
    turn(room)
    changes.edit(room.repository, 1, body="all of it is new")
    room.outbox.plan(issue(kind=Outbound.EDIT, number=1, body="news"))
    assert turn(room).halted == ""
    turn(room)
    thread = room.repository.threads[1]
    assert thread.body == "all of it is new"
    assert ["news" in one.body for one in thread.comments] == [True]
    assert sorted(f"{one.kind} {one.state}" for one in room.outbox.every()) == [
        "comment done", "edit cancelled", "issue done",
    ]  # fmt: skip


def test_every_kind_counts(room: Room) -> None:
    """Comments, labels, reactions and closing are taken from the same caps."""
    room.limits = CAPS
    room.outbox.plan(issue())
    turn(room)
    more: list[dict[str, Any]] = [
        {"kind": Outbound.COMMENT}, {"kind": Outbound.LABEL}, {"kind": Outbound.CLOSE, "body": ""},
    ]  # fmt: skip
    for one in more:
        room.outbox.plan(issue(number=1, **one))
    turn(room)
    assert Counter(one.state for one in room.outbox.every()) == {IntentState.DONE: 3, IntentState.PLANNED: 1}
    assert len(room.posts) == 3


def test_rivals_at_one_moment(room: Room) -> None:
    """A second filer that comes while the first one sends finds the lease taken."""
    room.outbox.plan(issue())
    met: list[Drained] = []
    with room.desk() as first, room.desk() as second:
        room.double.add(faults.done_and_called(lambda: met.append(_other(second, room)), **POST))
        drain(first, "first")
    assert ["first writes now" in one.halted for one in met] == [True]
    assert marks(room.repository) == {fingerprint(1): [1]}


def _other(desk: Desk, room: Room) -> Drained:
    """A turn in the middle of another one's request, while the double's world is held: greeting is left out."""

    class Silent:
        def greet(self, repo: str) -> None:
            """Nobody is asked."""

    return drain(replace(desk, tracker=Silent()), "second")  # type: ignore[arg-type]


def test_what_people_must_mend_is_raised(room: Room) -> None:
    """And the lease is given back."""
    room.outbox.plan(issue())
    room.double.add(faults.status(403, "Resource not accessible by personal access token", **LIST))
    with pytest.raises(InputError, match="not accessible"):
        turn(room)
    assert isinstance(room.outbox.take("next", room.time.now()), Lease)


def test_an_intent_tells_its_severity() -> None:
    """Every kind of defect has one, and the silent ones and memory come first."""
    ranks = {kind: Intent(kind=Outbound.ISSUE, fingerprint="a", repo=REPO, created_at=NOON, defect_kind=kind).severity
             for kind in DefectKind}  # fmt: skip
    assert {kind for kind, rank in ranks.items() if rank == 0} == {
        DefectKind.SILENT_WRONG_RESULT, DefectKind.MEMORY_ERROR,
    }  # fmt: skip
