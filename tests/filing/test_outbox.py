"""The outbox: one open intent for one thing, one writer, no way past a cap, whatever clocks say."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.edges.leases import LENGTH
from bot.edges.outbox import SqlOutbox
from bot.errors import LeaseLostError, StoreError
from bot.model import DefectKind, Filed, Intent, IntentState, Lease, Limits, Outbound, Wait
from tests.filing.desk import MINUTE, NOON, PLENTY, REPO, issue, outbox_at

HERE = Filed(number=7, url="https://github.com/intel/torch-xpu-ops/issues/7")
HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)


@pytest.fixture
def outbox(tmp_path: Path) -> SqlOutbox:
    return outbox_at(tmp_path)


def taken(outbox: SqlOutbox, holder: str = "one") -> Lease:
    """The lease, which nobody has."""
    lease = outbox.take(holder, NOON)
    assert isinstance(lease, Lease)
    return lease


def sent(outbox: SqlOutbox, lease: Lease, intent: Intent, limits: Limits = PLENTY) -> Intent:
    """An intent that is on its way."""
    sending = outbox.send(lease, outbox.plan(intent), NOON, limits)
    assert isinstance(sending, Intent), sending
    return sending


def test_one_open_intent_for_one_thing(outbox: SqlOutbox) -> None:
    """Planning again changes nothing while it is planned, on its way, unknown, done or refused."""
    lease = taken(outbox)
    first = outbox.plan(issue())
    assert outbox.plan(issue(title="another title")) == first
    sending = sent(outbox, lease, issue())
    assert outbox.plan(issue()).state is IntentState.SENDING
    outbox.doubt(lease, sending, "lost")
    assert outbox.plan(issue()).state is IntentState.UNKNOWN
    done = outbox.confirm(lease, sending, HERE, NOON)
    assert (outbox.plan(issue()), done.filed, done.done_at) == (done, HERE, NOON)
    outbox.give_up(lease, sent(outbox, lease, issue(2)), "422")
    assert outbox.plan(issue(2)).state is IntentState.REFUSED
    assert len(outbox.every()) == 2


def test_the_database_itself_refuses_a_second_open_one(outbox: SqlOutbox, tmp_path: Path) -> None:
    """Also one that is written past the outbox."""
    outbox.plan(issue())
    with sqlite3.connect(tmp_path / "alignbot.db") as raw, pytest.raises(sqlite3.IntegrityError):
        raw.execute("CREATE TEMP TABLE copied AS SELECT * FROM intent")
        raw.execute("UPDATE copied SET id = 'other'")
        raw.execute("INSERT INTO intent SELECT * FROM copied")


def test_what_differs_stands_apart(outbox: SqlOutbox) -> None:
    """Another kind, subject, repository or rehearsal is another thing; the id follows from these alone."""
    others = [{"kind": Outbound.COMMENT, "number": 7}, {"about": "2.14"}, {"repo": "a/b"}, {"rehearsal": True}]
    ids = {outbox.plan(issue(**one)).id for one in ({}, *others)}
    assert len(ids) == 5
    assert outbox.plan(issue(at=NOON + DAY, title="t")).id in ids


def test_order(outbox: SqlOutbox) -> None:
    """Silent wrong results and memory faults leave first, then what is less; of the same severity the oldest."""
    kinds = [DefectKind.NONE, DefectKind.PRECISION, DefectKind.MEMORY_ERROR, DefectKind.SILENT_WRONG_RESULT]
    for number, kind in enumerate(kinds):
        outbox.plan(issue(number, kind, NOON - number * MINUTE))
    outbox.plan(issue(9, DefectKind.PRECISION, NOON - HOUR))
    assert [int(one.fingerprint, 16) for one in outbox.queue()] == [3, 2, 9, 1, 0]


@pytest.mark.parametrize(("cap", "span"), [("per_hour", HOUR), ("per_day", DAY), ("per_week", WEEK)])
def test_caps_of_time(outbox: SqlOutbox, cap: str, span: timedelta) -> None:
    """What is done, on its way or unknown is used up, of all kinds together, until its span ends; no refused one is."""
    lease, limits = taken(outbox), PLENTY.model_copy(update={cap: 3})
    outbox.confirm(lease, sent(outbox, lease, issue(1), limits), HERE, NOON)
    outbox.doubt(lease, sent(outbox, lease, issue(2, kind=Outbound.COMMENT, number=7), limits), "lost")
    outbox.give_up(lease, sent(outbox, lease, issue(3), limits), "422")
    outbox.take_back(lease, sent(outbox, lease, issue(4), limits), "limit")
    sent(outbox, lease, issue(5), limits)
    refused = outbox.send(lease, outbox.plan(issue(6)), NOON, limits)
    assert isinstance(refused, Wait)
    assert (refused.all, f"3 of 3 writes of this {cap[4:]} are used" in refused.reason) == (True, True)
    assert isinstance(outbox.send(lease, outbox.plan(issue(6)), NOON + span - MINUTE, limits), Wait)
    assert isinstance(outbox.send(lease, outbox.plan(issue(6)), NOON + span, limits), Intent)


def test_cap_of_a_window(outbox: SqlOutbox) -> None:
    """It is for ever, holds only its own window, and nothing that belongs to none."""
    lease, limits = taken(outbox), PLENTY.model_copy(update={"per_window": 1})
    sent(outbox, lease, issue(1), limits)
    refused = outbox.send(lease, outbox.plan(issue(2)), NOON + 10 * WEEK, limits)
    assert isinstance(refused, Wait)
    assert (refused.all, "1 of 1 writes for 2026-11-11" in refused.reason) == (False, True)
    for number, window in ((3, "2026-11-12"), (4, ""), (5, "")):
        assert sent(outbox, lease, issue(number, window=window), limits)


def test_a_clock_that_is_set_back_frees_nothing(outbox: SqlOutbox) -> None:
    """What is sent by a clock a day behind counts as sent no earlier than what went before."""
    lease, limits = taken(outbox), PLENTY.model_copy(update={"per_hour": 2})
    sent(outbox, lease, issue(1), limits)
    behind = outbox.send(lease, outbox.plan(issue(2)), NOON - DAY, limits)
    assert isinstance(behind, Intent)
    assert behind.sent_at == NOON - DAY
    for moment in (NOON - 2 * DAY, NOON - DAY, NOON, NOON + 59 * MINUTE):
        assert outbox.used(moment).hour == 2
        assert isinstance(outbox.send(lease, outbox.plan(issue(3)), moment, limits), Wait)
    assert outbox.used(NOON + HOUR).hour == 0


def test_one_writer(outbox: SqlOutbox) -> None:
    """Nobody else gets the lease before its end or its return; each holder's token is larger."""
    first = taken(outbox)
    waits = outbox.take("two", NOON + LENGTH - MINUTE)
    assert isinstance(waits, Wait)
    assert "one writes now" in waits.reason
    assert outbox.renew(first, NOON + 4 * MINUTE).expires_at == NOON + 4 * MINUTE + LENGTH
    assert isinstance(outbox.take("two", NOON + LENGTH), Wait)
    outbox.release(first)
    second = taken(outbox, "two")
    assert second.token > first.token
    third = outbox.take("three", NOON + LENGTH)
    assert isinstance(third, Lease)
    assert third.token > second.token


def test_who_lost_the_lease_changes_nothing(outbox: SqlOutbox) -> None:
    """Neither a row nor the lease, though it comes back to life in the middle of anything."""
    first = taken(outbox)
    sending, planned = sent(outbox, first, issue(1)), outbox.plan(issue(2))
    second = outbox.take("two", NOON + LENGTH)
    assert isinstance(second, Lease)
    before = outbox.every()
    attempts = [
        lambda: outbox.send(first, planned, NOON, PLENTY),
        lambda: outbox.confirm(first, sending, HERE, NOON),
        lambda: outbox.doubt(first, sending, "lost"),
        lambda: outbox.give_up(first, sending, "422"),
        lambda: outbox.take_back(first, sending, "limit"),
        lambda: outbox.replace(first, sending, issue(3), "edited"),
        lambda: outbox.plan_again(first, issue(1), "again"),
        lambda: outbox.keep_waiting(first, {planned.id: "caps"}),
        lambda: outbox.renew(first, NOON),
    ]
    for attempt in attempts:
        with pytest.raises(LeaseLostError, match="two has it since"):
            attempt()
    outbox.release(first)
    assert outbox.every() == before
    assert outbox.renew(second, NOON + LENGTH).token == second.token
    outbox.release(second)
    with pytest.raises(LeaseLostError, match="given back"):
        outbox.renew(second, NOON)


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=3650)])
def test_a_clock_that_is_ahead_blocks_nobody(outbox: SqlOutbox, ahead: timedelta) -> None:
    """A lease from the future counts as ended; who took it is stopped by the token. Minutes ahead, it is waited for."""
    wrong = outbox.take("wrong", NOON + ahead)
    assert isinstance(wrong, Lease)
    right = outbox.take("right", NOON)
    assert isinstance(right, Lease)
    with pytest.raises(LeaseLostError):
        outbox.renew(wrong, NOON + ahead)
    outbox.release(right)
    assert isinstance(outbox.take("little", NOON + 4 * MINUTE), Lease)
    assert isinstance(outbox.take("right", NOON), Wait)


def test_again_is_for_the_unknown_and_the_refused(outbox: SqlOutbox) -> None:
    """Their rows stay and say so; what is planned or done is given as it is."""
    lease = taken(outbox)
    assert outbox.plan_again(lease, issue(1), "by hand") == outbox.plan(issue(1))
    for number, settle in ((1, outbox.doubt), (2, outbox.give_up)):
        settle(lease, sent(outbox, lease, issue(number)), "why")
        again = outbox.plan_again(lease, issue(number), "by hand")
        assert (again.attempt, again.state) == (2, IntentState.PLANNED)
    rows = {(int(one.fingerprint, 16), one.attempt): (one.state.value, one.why) for one in outbox.every()}
    assert rows == {
        (1, 1): ("cancelled", "by hand"), (2, 1): ("refused", "why"), (1, 2): ("planned", ""), (2, 2): ("planned", ""),
    }  # fmt: skip
    done = outbox.confirm(lease, sent(outbox, lease, issue(1)), HERE, NOON)
    assert outbox.plan_again(lease, issue(1), "by hand") == done
    assert outbox.used(NOON).hour == 2, "the cancelled one may have been written"


def test_a_cancelled_one_may_be_planned_anew(outbox: SqlOutbox) -> None:
    """With another id; what replaced it stands beside it."""
    lease = taken(outbox)
    edit = issue(1, kind=Outbound.EDIT, number=7)
    comment = outbox.replace(lease, sent(outbox, lease, edit), issue(1, kind=Outbound.COMMENT, number=7), "edited")
    assert (comment.kind, comment.state) == (Outbound.COMMENT, IntentState.PLANNED)
    anew = outbox.plan(edit)
    assert (anew.attempt, anew.state) == (2, IntentState.PLANNED)
    assert outbox.used(NOON).hour == 0


def test_what_does_not_follow_is_an_error_of_ours(outbox: SqlOutbox) -> None:
    """A done intent can't be lost or sent, and an intent is not sent twice."""
    lease = taken(outbox)
    done = outbox.confirm(lease, sent(outbox, lease, issue()), HERE, NOON)
    for change in (outbox.doubt, outbox.give_up, outbox.take_back):
        with pytest.raises(ValueError, match="is done: that does not follow"):
            change(lease, done, "why")
    refused = outbox.send(lease, done, NOON, PLENTY)
    assert isinstance(refused, Wait)
    assert refused.reason == "it is done by now"


def test_reasons_of_waiting(outbox: SqlOutbox) -> None:
    """Written for those that are planned and named, and for no others."""
    lease = taken(outbox)
    one, two = outbox.plan(issue(1)), outbox.plan(issue(2))
    sending = sent(outbox, lease, issue(3))
    outbox.keep_waiting(lease, {one.id: "caps", sending.id: "no"})
    outbox.keep_waiting(lease, {one.id: "caps"})
    assert {int(each.fingerprint, 16): each.why for each in outbox.every()} == {1: "caps", 2: "", 3: ""}
    assert two.why == ""


def test_looks_are_counted(outbox: SqlOutbox) -> None:
    """A doubt alone is no look."""
    lease = taken(outbox)
    sending = sent(outbox, lease, issue())
    assert outbox.doubt(lease, sending, "lost").looks == 0
    looked = outbox.doubt(lease, sending, "lost", NOON + MINUTE)
    assert (looked.looks, looked.looked_at, looked.fence) == (1, NOON + MINUTE, lease.token)
    assert outbox.unsettled() == [looked]


def test_a_row_that_can_not_be_read(outbox: SqlOutbox) -> None:
    """One line that names it."""
    planned = outbox.plan(issue())
    with outbox._engine.begin() as connection:
        connection.execute(text("UPDATE intent SET document = '{}'"))
    with pytest.raises(StoreError, match=f"intent {planned.id}"):
        outbox.queue()
    assert planned.repo == REPO
