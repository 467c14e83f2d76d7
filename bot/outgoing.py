"""One turn of filing from the store to the tracker: what would be filed, and filing it."""

import os
import platform
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta

from pydantic import TypeAdapter, ValidationError

from bot import wire
from bot.edges.github.tracker import GitHubTracker
from bot.edges.store import SqlStore
from bot.errors import InputError
from bot.filing import Desk, Drained, Prepared, Rules, drain, plan_again, prepared
from bot.model import Intent, IntentState, Limits, Used
from bot.model.outbox import OPEN, identity
from bot.settings import FilingMode, Settings, Span
from bot.stages.status import STATUS

MAY_POST = (FilingMode.DRAFT, FilingMode.AUTO)


@dataclass(frozen=True, slots=True)
class Standing:
    """An intent, planned or not, and why it is where it is."""

    intent: Intent
    state: str
    """Of the intent; `ready` or `waiting` where there is none yet."""
    why: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What would be filed, or what was."""

    standing: Sequence[Standing]
    used: Used
    limits: Limits
    stopped: str
    halted: str = ""

    @property
    def whole(self) -> bool:
        """Is nothing waiting that a later turn or a person has to see to?"""
        open_states = {*OPEN, IntentState.REFUSED, "ready"}
        return not self.halted and not any(one.state in open_states for one in self.standing)


def preview(settings: Settings, finding: str | None) -> Turn | None:
    """What would be filed, nothing changed and nobody asked. None where there is no such finding."""
    with wire.store(settings) as store:
        chosen = _chosen(store, finding)
        return None if chosen is None else _turn(settings, store, chosen)


def execute(settings: Settings, finding: str | None, *, again: bool) -> Turn | None:
    """Plan what may be filed, and send what is planned. None where there is no such finding.

    Raises InputError where the configuration lets nothing be posted, or people must mend something first.
    """
    mode = settings.filing.mode
    if mode not in MAY_POST:
        raise InputError(f"filing.mode is {mode.value}, in which nothing is posted: set draft or auto")
    with wire.store(settings) as store, closing(wire.writing_forge(settings)) as forge:
        chosen = _chosen(store, finding)
        if chosen is None:
            return None
        outbox = wire.outbox(store)
        desk = Desk(
            outbox=outbox,
            tracker=GitHubTracker(forge.rest),
            clock=forge.limiter,
            stop=wire.stop(settings),
            gate=wire.gate(settings, store, None if wire.stop(settings).why() else forge),
            limits=wire.limits(settings),
            rehearsal=settings.filing.rehearsal,
            after=wire.gate_after(settings, store),
        )
        holder = f"{platform.node()} {os.getpid()}"
        rules = replace(wire.rules_of_filing(settings, store), gate=desk.gate)
        ready = [one.intent for one in _prepared(rules, store, chosen) if not one.why_not]
        for intent in ready:
            outbox.plan(intent)
        halted = plan_again(desk, ready, holder) if again else ""
        done = Drained(halted=halted) if halted else drain(desk, holder, chosen[0] if finding is not None else None)
        return _turn(settings, store, chosen, done)


def span_of(text: str) -> timedelta:
    """`2h`, `30m`, `1d`. Raises InputError."""
    try:
        return TypeAdapter[timedelta](Span).validate_python(text)
    except ValidationError as error:
        raise InputError(f"'{text}' is no length of time: write 30m, 2h or 1d") from error


def _chosen(store: SqlStore, finding: str | None) -> list[str] | None:
    """Fingerprints of the findings that are meant. Raises InputError where the digits are too few."""
    there = [found.fingerprint for found, _, _ in store.findings()]
    if finding is None:
        return [*there, STATUS]
    chosen = [one for one in there if finding and one.startswith(finding)]
    if len(chosen) > 1:
        raise InputError(f"{len(chosen)} findings begin with {finding}: give more digits")
    return chosen or None


def _prepared(rules: Rules, store: SqlStore, chosen: Sequence[str]) -> list[Prepared]:
    now = wire.SystemClock().now()
    return [prepared(found, rules, now) for found in store.findings() if found[0].fingerprint in set(chosen)]


def _turn(settings: Settings, store: SqlStore, chosen: Sequence[str], done: Drained | None = None) -> Turn:
    """How everything stands: what is or may be filed of the chosen findings, then what else there is to write."""
    outbox = wire.outbox(store)
    latest = {one.key: one for one in sorted(outbox.every(), key=lambda one: one.attempt)}
    done = done or Drained()
    rules = wire.rules_of_filing(settings, store)
    standing = [_standing(one, latest.pop(one.intent.key, None), done) for one in _prepared(rules, store, chosen)]
    standing += [Standing(one, one.state, one.why) for one in latest.values() if one.fingerprint in set(chosen)]
    return Turn(
        standing=sorted(standing, key=lambda one: (one.intent.severity, one.intent.created_at, one.intent.id)),
        used=outbox.used(wire.SystemClock().now()),
        limits=wire.limits(settings),
        stopped=wire.stop(settings).why() or "",
        halted=done.halted,
    )


def _standing(one: Prepared, there: Intent | None, done: Drained) -> Standing:
    """Of the issue of a finding. One that was cancelled may be planned anew."""
    if there is not None and there.state is not IntentState.CANCELLED:
        return Standing(there, there.state, done.waiting.get(there.id, there.why))
    attempt = there.attempt + 1 if there else 1
    planned = one.intent.model_copy(update={"attempt": attempt, "id": identity(one.intent.key, attempt)})
    return Standing(planned, "waiting" if one.why_not else "ready", one.why_not)
