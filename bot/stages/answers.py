"""answers: what follows from commands on an issue of ours: decisions, a reaction to each comment, one comment of ours.

Everything is told from the comments as they are now, so that a look that was cut short, or made twice, changes
nothing. The comment of ours is written anew in its place, and only when it says something else.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import (
    Case,
    Decision,
    DecisionKind,
    Finding,
    Intent,
    ItemClass,
    Observation,
    Outbound,
    Remark,
    Tracked,
    rfc3339,
)
from bot.stages.comments import Command, Verb, commands
from bot.stages.follow_words import shown_at
from bot.stages.in_place import in_place

KNOWN = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
NEAR = frozenset({"CONTRIBUTOR"})
"""Those who are told that they may not; others are not answered at all."""
ANSWER = "answer"
LAST = 10
"""Commands that our comment lists."""
KINDS = {
    Verb.DUP: DecisionKind.DUPLICATE,
    Verb.UNDUP: DecisionKind.UNDUPLICATE,
    Verb.INVALID: DecisionKind.REJECT,
    Verb.RETEST: DecisionKind.RETEST,
    Verb.SNOOZE: DecisionKind.SNOOZE,
}
TOLD = {
    Verb.UNDUP: "noted: it stands by itself again",
    Verb.INVALID: "noted: it is no fault; nothing more is said here",
    Verb.RETEST: "the reproducer runs again with the next look",
    Verb.EXPLAIN: "see below",
    Verb.HELP: "see below",
}
HELP = """| command | what it does |
|---|---|
| `/alignbot dup #12 why` | it was told before, in that issue |
| `/alignbot undup why` | it was not, after all |
| `/alignbot invalid why` | it is no fault |
| `/alignbot retest` | run the reproducer again |
| `/alignbot snooze 14d why` | say nothing for so long |
| `/alignbot explain` | how this was found, and what builds show |
| `/alignbot help` | this table |"""


@dataclass(frozen=True, slots=True)
class Order:
    """A command, and the comment that gave it."""

    remark: Remark
    command: Command


def orders(remarks: Sequence[Remark], people: Collection[str], ours: str) -> tuple[Order, ...]:
    """What people who may have asked for, oldest first; bots and our own account are not read."""
    may = (one for one in remarks if not _machine(one, ours) and _may(one, people))
    found = (Order(one, command) for one in may for command in commands(one.body))
    return tuple(sorted(found, key=lambda one: (one.remark.at, one.remark.id)))


def decisions(fingerprint: str, given: Sequence[Order], number: int, said: Sequence[Decision]) -> list[Decision]:
    """What is to be stored of that: what was not said before by the same comment as it is now."""
    there = {(one.comment, one.kind, one.decided_at) for one in said}
    new = (_decision(fingerprint, one, number) for one in given if one.command.verb in KINDS)
    return [one for one in new if (one.comment, one.kind, one.decided_at) not in there]


def reactions(
    finding: Finding, tracker: Tracked, remarks: Sequence[Remark], people: Collection[str], ours: str, now: datetime
) -> list[Intent]:
    """One for each comment that holds commands, as it is now; none that was planned before."""
    there = {one.about for one in tracker.planned if one.kind is Outbound.REACTION}
    made = []
    for one in remarks:
        found = () if _machine(one, ours) else commands(one.body)
        about = f"comment {one.id} {rfc3339(one.at)}"
        if not found or about in there or not (_may(one, people) or one.author_association in NEAR):
            continue
        good = _may(one, people) and all(command.verb for command in found)
        plain = _plain(finding, tracker, Outbound.REACTION, about, now)
        made.append(plain.model_copy(update={"comment": one.id, "body": "+1" if good else "confused"}))
    return made


def text_of(given: Sequence[Order], case: Case, finding: Finding, observations: Sequence[Observation]) -> str:
    """What our comment says; empty where nobody asked."""
    if not given:
        return ""
    lines = [_line(one) for one in given[-LAST:]]
    asked = {one.command.verb for one in given[-LAST:]}
    parts = ["\n".join(lines)]
    if Verb.EXPLAIN in asked:
        parts.append("\n".join(_explained(case, finding, observations)))
    if Verb.HELP in asked or None in asked:
        parts.append(HELP)
    return "\n\n".join(parts)


def answer(finding: Finding, tracker: Tracked, text: str, now: datetime) -> list[Intent]:
    """Our comment, or an edit of it, where it says something else than what stands or is planned."""
    first = _plain(finding, tracker, Outbound.COMMENT, ANSWER, now).model_copy(update={"body": text})
    return in_place(first, tracker.planned) if text else []


def _machine(remark: Remark, ours: str) -> bool:
    return remark.bot or remark.author.lower() == ours.lower()


def _may(remark: Remark, people: Collection[str]) -> bool:
    named = remark.author.lower() in {one.lower() for one in people}
    return named or remark.author_association in KNOWN


def _decision(fingerprint: str, order: Order, number: int) -> Decision:
    command, remark = order.command, order.remark
    assert command.verb is not None  # noqa: S101  only those with a kind are asked for
    return Decision(
        fingerprint=fingerprint,
        kind=KINDS[command.verb],
        reason=command.reason or f"`{command.said}` on #{number}",
        decided_at=remark.at,
        item_class=ItemClass.OTHER if command.verb is Verb.INVALID else None,
        of=command.number,
        by=remark.author,
        until=remark.at + command.span if command.span else None,
        comment=remark.id,
    )


def _plain(finding: Finding, tracker: Tracked, kind: Outbound, about: str, now: datetime) -> Intent:
    return Intent(
        kind=kind,
        fingerprint=finding.fingerprint,
        repo=tracker.repo,
        about=about,
        rehearsal=tracker.rehearsal,
        number=tracker.number,
        defect_kind=finding.defect_kind,
        created_at=now,
    )


def _line(order: Order) -> str:
    command, remark = order.command, order.remark
    if command.verb is Verb.DUP:
        told = f"noted: a duplicate of `#{command.number}`"
    elif command.verb is Verb.SNOOZE and command.span:
        told = f"nothing is said here until {rfc3339(remark.at + command.span)}"
    elif command.verb is None:
        told = f"not understood: {_code(command.reason)}"
    else:
        told = TOLD[command.verb]
    return f"- {_code(command.said)} ({_code(remark.author)}, {remark.at.date()}): {told}"


def _explained(case: Case, finding: Finding, observations: Sequence[Observation]) -> Iterator[str]:
    """How it was found, and what builds showed since."""
    items = ", ".join(_code(one.key) for one in case.items)
    yield f"Found for {_code(finding.op)} ({finding.defect_kind.value}, {_code(finding.symptom)}) from {items}."
    if case.judgement is not None:
        yield f"What the run showed: {_code(case.judgement.why)}"
    yield from (f"- {shown_at(one)}" for one in sorted(observations, key=lambda one: one.order)[-LAST:])


def _code(text: str) -> str:
    """A stranger's words, or ours, as one line of code."""
    return f"`{' '.join(text.replace('`', ' ').split())}`"
