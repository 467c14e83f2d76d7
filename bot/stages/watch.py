"""watch: what follows for an issue of ours from its tracker, from later builds and from what upstream did since.

A rule looks at the facts and answers a step, or nothing; the first step with something new to say wins, so that a build
brings one comment at the most. Each step has an event for a name, made of what began it and not of today, so that the
next build, the next look or another order of the same facts does not say it again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.model import (
    ChangeState,
    Finding,
    FollowPolicy,
    Intent,
    ItemState,
    Note,
    Observation,
    Outbound,
    Standing,
    StateReason,
    Tracked,
)
from bot.stages import follow_words as words

AT_BUILD = "; build "
NEWS = frozenset({ChangeState.LANDED, ChangeState.REVERTED, ChangeState.SUPERSEDED})
WELL = ("passes since ", "gone since ")
"""How events begin that say that it passes."""
LEFT = frozenset({StateReason.NOT_PLANNED, StateReason.DUPLICATE})


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules look at."""

    finding: Finding
    tracker: Tracked
    seen: tuple[Observation, ...]
    """What counts, in its order; at least one unless `streak` is empty."""
    streak: tuple[Observation, ...]
    """The last of these that all say the same."""
    upstream: Mapping[str, Standing]
    policy: FollowPolicy

    @property
    def last(self) -> Observation | None:
        """The last word of a build."""
        return self.streak[-1] if self.streak else None

    @property
    def passed_before(self) -> bool:
        """Did it pass before it failed?"""
        return any(one.shows is False for one in self.seen[: len(self.seen) - len(self.streak)])


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done, and what has caused it."""

    event: str
    text: str
    """Of a comment; empty: none is made."""
    acts: tuple[tuple[Outbound, str], ...] = ()
    """Further intents, with a body or a label."""
    note: str = ""
    person: bool = False


Rule = Callable[[Facts], Step | None]


def follow_up(
    finding: Finding,
    tracker: Tracked,
    observations: Sequence[Observation],
    upstream: Mapping[str, Standing],
    policy: FollowPolicy,
    now: datetime,
) -> list[Intent | Note]:
    """What follows, in the order in which it is to be written. What was planned before is not planned again."""
    why = _left_alone(tracker, policy)
    if why:
        return [Note(fingerprint=finding.fingerprint, why=why)]
    ours = [one for one in observations if one.simulated == finding.simulated]
    seen = tuple(sorted((one for one in ours if one.shows is not None), key=lambda one: one.order))
    facts = Facts(finding, tracker, seen, _streak(seen), upstream, policy)
    told: list[Intent | Note] = [*_not_run(finding, ours, seen)]
    for rule in RULES:
        step = rule(facts)
        told += _new(step, facts, now) if step else ()
        if any(isinstance(one, Intent) for one in told):
            break
    return told


def _left_alone(tracker: Tracked, policy: FollowPolicy) -> str:
    """Why nothing at all is to be said; empty where something may be."""
    if tracker.hush:
        return tracker.hush
    if tracker.state is not ItemState.OPEN and tracker.state_reason in LEFT:
        return f"#{tracker.number} was closed as {str(tracker.state_reason).replace('_', ' ')}: it is left alone"
    muted = sorted({one.lower() for one in policy.muted_labels} & {one.lower() for one in tracker.labels})
    return f"#{tracker.number} has the label '{muted[0]}': it is left alone" if muted else ""


def _streak(seen: Sequence[Observation]) -> tuple[Observation, ...]:
    for place in range(len(seen) - 1, -1, -1):
        if seen[place].shows != seen[-1].shows:
            return tuple(seen[place + 1 :])
    return tuple(seen)


def _not_run(finding: Finding, ours: Sequence[Observation], seen: Sequence[Observation]) -> Iterator[Note]:
    """That the newest build tells nothing."""
    last = max(ours, key=lambda one: one.order, default=None)
    if last is not None and last.shows is None and (not seen or seen[-1].build.key != last.build.key):
        yield Note(fingerprint=finding.fingerprint, why=f"build {last.build.key} tells nothing: {last.why}")


def _new(step: Step, facts: Facts, now: datetime) -> Iterator[Intent | Note]:
    """What of a step was not planned before, each a moment after the one before, so that they leave in this order."""
    fingerprint, tracker = facts.finding.fingerprint, facts.tracker
    if step.note:
        yield Note(fingerprint=fingerprint, why=step.note, person=step.person)
    build = facts.last.build.key if facts.last else f"none on {now.date()}"
    comments = [one.about for one in tracker.planned if one.kind is Outbound.COMMENT]
    there = {(one.kind, one.about.partition(AT_BUILD)[0]) for one in tracker.planned}
    if step.text and (Outbound.COMMENT, step.event) not in there and _spoke(comments, build):
        yield Note(fingerprint=fingerprint, why=f"build {build} has its comment already: the next one is waited for")
        return
    wanted = [(Outbound.COMMENT, step.text)] if step.text else []
    for place, (kind, body) in enumerate([*wanted, *step.acts]):
        if (kind, step.event) in there:
            continue
        yield Intent(
            kind=kind,
            fingerprint=fingerprint,
            repo=tracker.repo,
            about=f"{step.event}{AT_BUILD}{build}" if kind is Outbound.COMMENT else step.event,
            rehearsal=tracker.rehearsal,
            number=tracker.number,
            body="" if kind is Outbound.LABEL else body,
            labels=(body,) if kind is Outbound.LABEL else (),
            defect_kind=facts.finding.defect_kind,
            created_at=now + timedelta(microseconds=place),
        )


def _spoke(comments: Sequence[str], build: str) -> bool:
    return any(one.partition(AT_BUILD)[2] == build for one in comments)


def _came_back(facts: Facts) -> Step | None:
    """It failed, passed, was said to pass or was closed, and fails again."""
    tracker, first = facts.tracker, facts.streak[0] if facts.streak else None
    if first is None or not first.shows or not facts.passed_before:
        return None
    event, closed = f"back since {first.build.key}", tracker.state is not ItemState.OPEN
    if not closed:
        said = any(one.about.startswith(WELL) for one in tracker.planned if one.kind is Outbound.COMMENT)
        return Step(event, words.back(first)) if said else None
    if tracker.closed_at is not None and tracker.closed_at > first.at:
        return None
    if facts.policy.reopen:
        return Step(event, words.back(first), ((Outbound.REOPEN, ""),))
    why = f"build {first.build.key} shows it again: file a new issue that links #{tracker.number}, or set filing.reopen"
    return Step(event, "", note=why, person=True)


def _mended(facts: Facts) -> Step | None:
    """It passes on a build that has the fix."""
    fix, last = facts.tracker.fix, facts.last
    if fix is None or last is None or last.shows:
        return None
    having = [one for one in facts.streak if one.build.has(fix.landed_at)]
    if not having:
        return Step("", "", note=f"build {last.build.key} passes, and is not known to have {fix.what}: it waits")
    close = facts.policy.close and facts.tracker.state is ItemState.OPEN
    acts = ((Outbound.CLOSE, "completed"),) if close else ()
    return Step(f"passes since {having[0].build.key}", words.mended(having[0], fix, closing=close), acts)


def _not_mended(facts: Facts) -> Step | None:
    """A fix landed, and a build that has it fails."""
    fix, last = facts.tracker.fix, facts.last
    if fix is None or last is None or not last.shows:
        return None
    having = [one for one in facts.streak if one.build.has(fix.landed_at)]
    passed = any(one.shows is False and one.build.has(fix.landed_at) for one in facts.seen)
    if not having or passed:
        return None
    return Step(f"still shown after {fix.what}", words.not_mended(having[0], fix))


def _gone(facts: Facts) -> Step | None:
    """It passes, and nobody knows why: that is asked, and nothing is closed."""
    last = facts.last
    if last is None or last.shows or facts.tracker.fix is not None or facts.tracker.state is not ItemState.OPEN:
        return None
    first, label = facts.streak[0], facts.policy.label
    acts = ((Outbound.LABEL, label),) if label and label not in facts.tracker.labels else ()
    return Step(f"gone since {first.build.key}", words.gone(first), acts)


def _closed_and_shown(facts: Facts) -> Step | None:
    """Somebody closed it without a change that we know, and it never passed."""
    last, tracker = facts.last, facts.tracker
    if last is None or not last.shows or tracker.state is ItemState.OPEN or tracker.fix is not None:
        return None
    if facts.passed_before:
        return None
    if tracker.closed_at is None or last.at <= tracker.closed_at:
        return None
    why = f"#{tracker.number} is closed, no fix is known, and build {last.build.key} shows it"
    return Step("", "", note=why, person=True)


def _upstream_moved(facts: Facts) -> Step | None:
    """Upstream's change landed, was taken back or replaced since the issue was filed."""
    since = facts.tracker.filed_at
    news = [
        (standing.since, key, standing)
        for key, standing in facts.upstream.items()
        if standing.state in NEWS and standing.since is not None and standing.since > since
    ]
    if not news or facts.tracker.state is not ItemState.OPEN:
        return None
    at, key, standing = max(news, key=lambda one: (one[0], one[1]))
    return Step(f"upstream {standing.state} {key} {at.isoformat()}", words.upstream(key, standing))


RULES: tuple[Rule, ...] = (_came_back, _mended, _not_mended, _gone, _closed_and_shown, _upstream_moved)
"""The first one that has something new to say is followed."""
