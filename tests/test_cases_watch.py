"""Every case of following up, and what holds for all of them."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import (
    Build,
    ChangeState,
    DefectKind,
    Finding,
    Fix,
    FollowPolicy,
    Intent,
    ItemState,
    Note,
    Observation,
    Outbound,
    Standing,
    Tracked,
)
from bot.stages.hush import hush
from bot.stages.watch import follow_up
from tests.laws import files, shuffled, text_of

FINDING = Finding(target="xpu", op="cumsum", defect_kind=DefectKind.PRECISION, symptom="value")
NOW = datetime(2026, 11, 20, tzinfo=UTC)
FILED = datetime(2026, 11, 12, tzinfo=UTC)
PATHS = files("watch", "toml")


def build(day: Any) -> Build:
    """The build of a day."""
    return Build(version="2.16", day=day) if day else Build(version="2.16")


def intent(fields: dict[str, Any]) -> Intent:
    """One that the outbox has; `BUILD 15` is the build of that day of the month."""
    about = str(fields["about"])
    for day in range(10, 20):
        about = about.replace(f"BUILD {day}", build(datetime(2026, 11, day).date()).key)  # noqa: DTZ001
    named = {**fields, "about": about}
    return Intent(fingerprint=FINDING.fingerprint, repo="a/b", number=7, created_at=FILED, **named)


def facts(said: dict[str, Any]) -> dict[str, Any]:
    """A case as arguments of `follow_up`."""
    seen = [
        Observation(
            fingerprint=FINDING.fingerprint,
            build=build(one.get("day")),
            shows=one.get("shows"),
            why="the device was sick" if "shows" not in one else "",
            at=one["at"],
        )
        for one in said["observations"]
    ]
    planned = tuple(intent(one) for one in said.get("planned", ()))
    return {
        "finding": FINDING,
        "tracker": Tracked(repo="a/b", number=7, filed_at=FILED, planned=planned, **said.get("tracker", {})),
        "observations": seen,
        "upstream": {key: Standing(**one) for key, one in said.get("upstream", {}).items()},
        "policy": FollowPolicy(**said.get("policy", {})),
        "now": NOW,
    }


def intents(told: list[Intent | Note]) -> list[Intent]:
    """What is to be written."""
    return [one for one in told if isinstance(one, Intent)]


def laws(asked: dict[str, Any]) -> list[Intent | Note]:
    """What follows: the same in any order, nothing more a second time, in the order in which it is to leave."""
    told = follow_up(**asked)
    assert follow_up(**{**asked, "observations": shuffled(asked["observations"])}) == told
    new = intents(told)
    assert sum(one.kind is Outbound.COMMENT for one in new) <= 1
    assert new == sorted(new, key=lambda one: one.created_at)
    assert len({one.key for one in new}) == len(new)
    tracker = asked["tracker"]
    after = tracker.model_copy(update={"planned": (*tracker.planned, *new)})
    again = intents(follow_up(**{**asked, "tracker": after}))
    assert not [one for one in again if one.kind is Outbound.COMMENT]
    assert not {one.key for one in again} & {one.key for one in new}
    return told


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """What follows is what its file says, and the laws hold."""
    said = tomllib.loads(text_of(path))
    told = laws(facts(said))
    assert [one.kind.value for one in intents(told)] == said["follows"]
    comment = next((one.body for one in intents(told) if one.kind is Outbound.COMMENT), "")
    assert said.get("says", "") in comment
    notes = [one.why for one in told if isinstance(one, Note)]
    assert any(said["note"] in one for one in notes) if said.get("note") else not notes


def test_a_third_of_the_cases_are_quiet() -> None:
    """Nothing is written in at least a third of them."""
    quiet = [path for path in PATHS if not tomllib.loads(text_of(path))["follows"]]
    assert len(quiet) * 3 >= len(PATHS)


DAYS = st.integers(12, 18).map(lambda day: datetime(2026, 11, day, 12, tzinfo=UTC))
SEEN = st.builds(
    lambda at, of, shows: Observation(
        fingerprint=FINDING.fingerprint, build=build(of.date()), shows=shows, why="x", at=at
    ),
    DAYS,
    DAYS,
    st.sampled_from((True, False, None)),
)
TRACKERS = st.builds(
    Tracked,
    repo=st.just("a/b"),
    number=st.just(7),
    filed_at=st.just(FILED),
    state=st.sampled_from((ItemState.OPEN, ItemState.CLOSED)),
    state_reason=st.sampled_from((None, "completed", "not_planned", "reopened")),
    closed_at=st.none() | DAYS,
    fix=st.none() | st.builds(Fix, what=st.just("#40"), landed_at=DAYS),
    labels=st.sampled_from(((), ("muted",), ("no longer reproduces",))),
)
STANDINGS = st.dictionaries(
    st.sampled_from(("a/b#1", "a/b#2")),
    st.builds(Standing, state=st.sampled_from(ChangeState), why=st.just("why"), since=st.none() | DAYS),
)


@given(
    TRACKERS,
    st.lists(SEEN, max_size=6),
    STANDINGS,
    st.builds(FollowPolicy, close=st.booleans(), reopen=st.booleans(), muted_labels=st.just(("muted",))),
)
@settings(deadline=None, derandomize=True, database=None)
def test_laws_hold_for_any_history(
    tracker: Tracked, seen: list[Observation], upstream: dict[str, Standing], policy: FollowPolicy
) -> None:
    """The laws; what may not be closed or opened is not; what is left alone gets nothing at all."""
    asked = {"finding": FINDING, "tracker": tracker, "observations": seen, "upstream": upstream, "policy": policy}
    told = intents(laws({**asked, "now": NOW}))
    kinds = {one.kind for one in told}
    assert policy.close or Outbound.CLOSE not in kinds
    assert policy.reopen or Outbound.REOPEN not in kinds
    left = tracker.state is ItemState.CLOSED and tracker.state_reason == "not_planned"
    assert not told or not (left or "muted" in tracker.labels)
    last = max((one for one in seen if one.shows is not None), key=lambda one: one.order, default=None)
    if Outbound.CLOSE in kinds:
        assert last is not None
        assert tracker.fix is not None
        assert last.shows is False
        assert any(one.shows is False and one.build.has(tracker.fix.landed_at) for one in seen)


def test_what_comes_between_of_another_device_says_nothing() -> None:
    """An observation of a simulated device speaks for no real one."""
    said = tomllib.loads(text_of(next(path for path in PATHS if path.stem == "passes_with_the_fix")))
    asked = facts(said)
    asked["observations"] = [one.model_copy(update={"simulated": True}) for one in asked["observations"]]
    assert intents(follow_up(**asked)) == []


def test_hush_of_nothing() -> None:
    """Where nobody said anything, something may be said."""
    assert hush((), NOW) == ""
