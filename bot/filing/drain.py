"""One turn of the filer: what was lost is looked for, then what waits is sent, the severest first, up to the caps.

Nothing is sent twice. The intent is in the database as `sending` before its request, and from then on only what the
tracker shows makes it `done`: it is looked for, later and later, and at last left to a person. Whatever is no plain
success ends the turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.model import (
    Answer,
    Carried,
    Declined,
    Filed,
    Intent,
    IntentState,
    Lease,
    Limits,
    Outbound,
    Overtaken,
    Unsent,
    Wait,
)
from bot.seams import Clock, ForgeError, Gate, LeaseLostError, Outbox, Stop, Tracker

LOOKS = 12
"""How often what was lost is looked for. Listings lag, by seconds mostly; outages last longer."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
"""Between two looks: twice as long each time."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a filer works with."""

    outbox: Outbox
    tracker: Tracker
    clock: Clock
    """The tracker's, as well as it is known: what this machine takes for the time frees no cap."""
    stop: Stop
    gate: Gate
    limits: Limits
    rehearsal: bool = False
    """Only what was planned for a rehearsal is sent, or nothing that was."""
    after: Gate | None = None
    """Asked, in place of `gate`, about what follows on an issue that is there."""


@dataclass(slots=True)
class Drained:
    """What a turn did."""

    changed: list[Intent] = field(default_factory=list)
    """Every intent that is another than before, as it is now."""
    waiting: dict[str, str] = field(default_factory=dict)
    """Why what is still planned waits, by id."""
    halted: str = ""
    """What ended the turn before its end; empty where nothing did."""


def drain(desk: Desk, holder: str, only: str | None = None) -> Drained:
    """One turn, alone: only the holder of the lease does anything. `only` leaves out all findings but one.

    Raises InputError for what people must mend before anything can be sent, StoreError when the database fails.
    """
    turn = _Turn(desk, only)
    if why := desk.stop.why():
        turn.done.halted = why
        return turn.done
    repos = sorted({one.repo for one in (*desk.outbox.unsettled(), *desk.outbox.queue())})
    if not repos:
        return turn.done
    try:
        for repo in repos:
            desk.tracker.greet(repo)
    except ForgeError as error:
        turn.done.halted = str(error)
        return turn.done
    lease = desk.outbox.take(holder, desk.clock.now())
    if isinstance(lease, Wait):
        turn.done.halted = lease.reason
        return turn.done
    try:
        turn.work(lease)
    except (ForgeError, LeaseLostError) as error:
        turn.done.halted = str(error)
    finally:
        desk.outbox.release(lease)
    return turn.done


class _Turn:
    """The work between taking and giving back the lease."""

    def __init__(self, desk: Desk, only: str | None) -> None:
        self._desk = desk
        self._only = only
        self._outbox = desk.outbox
        self._own: dict[str, Mapping[str, Sequence[Filed]]] = {}
        self.done = Drained()

    def work(self, lease: Lease) -> None:
        """Look, then send."""
        for intent in self._outbox.unsettled():
            lease = self._outbox.renew(lease, self._now())
            if not self.done.halted and _due(intent, self._now()):
                self._note(self._looked_for(lease, intent))
        queue = [one for one in self._outbox.queue() if self._only in (None, one.fingerprint)]
        for place, intent in enumerate(queue):
            if why := self.done.halted or self._sent(lease, intent):
                self.done.waiting |= {one.id: why for one in queue[place:] if not self._has_changed(one)}
                break
        self._outbox.keep_waiting(lease, self.done.waiting)

    def _looked_for(self, lease: Lease, intent: Intent) -> Intent:
        """A look that fails counts, so that one that always fails stands before nothing else for long."""
        seen = "not to be seen"
        try:
            filed = self._desk.tracker.find(intent)
        except ForgeError as error:
            filed, seen = None, self._halt(str(error))
        if filed is not None:
            return self._outbox.confirm(lease, intent, filed, self._now())
        nth = intent.looks + 1
        why = intent.why.partition("; ")[0] or "the filer was stopped in the middle of it"
        told = f"{why}; looked for {nth} of {LOOKS} times: {seen}"
        if nth >= LOOKS:
            told += f"; look yourself, then type `alignbot file --finding {intent.fingerprint} --again --execute`"
        return self._outbox.doubt(lease, intent, told, self._now())

    def _sent(self, lease: Lease, intent: Intent) -> str:
        """Send one. Why everything else waits; empty where the next one may follow."""
        if why := self._halting():
            return why
        if why := self._held_back(intent):
            self.done.waiting[intent.id] = why
            return ""
        lease = self._outbox.renew(lease, self._now())
        try:
            filed = self._there_already(intent)
        except ForgeError as error:
            return self._halt(str(error))
        if filed is not None:
            self._note(self._outbox.confirm(lease, intent, filed, self._now()))
            return ""
        return self._posted(lease, intent)

    def _posted(self, lease: Lease, intent: Intent) -> str:
        """Send what is nowhere yet, if the caps and the switch let it."""
        sending = self._outbox.send(lease, intent, self._now(), self._desk.limits)
        if isinstance(sending, Wait):
            self.done.waiting[intent.id] = sending.reason
            return sending.reason if sending.all else ""
        if why := self._halting():
            self._note(self._outbox.take_back(lease, sending, why))
            return why
        return self._settled(lease, sending, self._desk.tracker.post(sending))

    def _settled(self, lease: Lease, sending: Intent, answer: Answer) -> str:
        """Write down what came of it. Why the turn ends; empty where it goes on."""
        match answer:
            case Carried():
                self._note(self._outbox.confirm(lease, sending, answer.filed, self._now()))
                return ""
            case Unsent():
                self._note(self._outbox.take_back(lease, sending, answer.why))
            case Overtaken():
                self._note(self._outbox.replace(lease, sending, _instead(sending, self._now()), answer.why))
                return ""
            case Declined():
                self._note(self._outbox.give_up(lease, sending, answer.why))
                if answer.all:
                    self._desk.stop.halt(f"the tracker refuses the filer: {answer.why}")
            case _:
                self._note(self._outbox.doubt(lease, sending, answer.why))
        return self._halt(answer.why)

    def _there_already(self, intent: Intent) -> Filed | None:
        """An issue of ours with this finding's mark that no row knows: what a lost or restored database forgot."""
        if intent.kind is not Outbound.ISSUE:
            return None
        if intent.repo not in self._own:
            self._own[intent.repo] = self._desk.tracker.own(intent.repo)
        shown = self._own[intent.repo].get(intent.fingerprint, ())
        known = (
            {one.filed.number for one in self._outbox.every() if one.filed and one.repo == intent.repo} if shown else ()
        )
        return next((filed for filed in reversed(shown) if filed.number not in known), None)

    def _held_back(self, intent: Intent) -> str:
        if intent.rehearsal != self._desk.rehearsal:
            return "it was planned for a rehearsal" if intent.rehearsal else "it is for no rehearsal"
        follows = intent.kind is not Outbound.ISSUE and self._desk.after
        said = (follows or self._desk.gate)(intent.fingerprint)
        return said.reason if isinstance(said, Wait) else ""

    def _halting(self) -> str:
        why = self._desk.stop.why()
        return self._halt(why) if why else ""

    def _halt(self, why: str) -> str:
        self.done.halted = why
        return why

    def _note(self, intent: Intent) -> None:
        self.done.changed.append(intent)

    def _has_changed(self, intent: Intent) -> bool:
        return any(one.id == intent.id and one.state is not IntentState.PLANNED for one in self.done.changed)

    def _now(self) -> datetime:
        return self._desk.clock.now()


def _due(intent: Intent, now: datetime) -> bool:
    """Is it time for another look? What was looked for in the future was looked for by a clock that was wrong."""
    if intent.looked_at is None:
        return True
    pause = min(FIRST_PAUSE * 2 ** max(intent.looks - 1, 0), LONGEST_PAUSE)
    return intent.looks < LOOKS and not intent.looked_at <= now < intent.looked_at + pause


def _instead(edit: Intent, now: datetime) -> Intent:
    """What an edit had to say, as a comment below."""
    return Intent(
        kind=Outbound.COMMENT,
        fingerprint=edit.fingerprint,
        repo=edit.repo,
        about=edit.about or f"edit {edit.attempt}",
        rehearsal=edit.rehearsal,
        window=edit.window,
        number=edit.number,
        body=edit.body,
        defect_kind=edit.defect_kind,
        created_at=now,
    )
