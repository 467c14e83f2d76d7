"""One look at what was filed: trackers, people's commands, reproducers on today's build, and what follows.

Nothing is posted here: what follows is planned in the outbox, and `file --execute` sends it. What can't be looked at
holds itself alone, and is told.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from bot import wire
from bot.edges.github.watching import GitHubWatch, login
from bot.edges.store import SqlStore
from bot.errors import EdgeError, InputError
from bot.model import (
    Build,
    Case,
    Decision,
    Intent,
    IntentState,
    ItemState,
    Job,
    Note,
    Observation,
    Outbound,
    Port,
    StateReason,
    Tracked,
)
from bot.scanning import working
from bot.seen import Seen, intent_facts
from bot.settings import Settings
from bot.stages import answers
from bot.stages.hush import hush, retest_asked
from bot.stages.reshown import observed
from bot.stages.state import standings
from bot.stages.watch import LEFT, follow_up
from bot.standing import plan_status
from bot.waiting import PROBE, Look, Waited, build_now, look_at_waiting


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look saw."""

    filed: Sequence[Seen]
    """By the number of the issue."""
    waiting: Waited
    status: Intent | None = None
    """What was planned for the status issue."""

    @property
    def whole(self) -> bool:
        """Could everything be looked at?"""
        return not self.waiting.held and not any(one.held for one in self.filed)

    def as_json(self) -> dict[str, Any]:
        """As `watch --json` prints it."""
        status = intent_facts(self.status) if self.status else None
        return {"filed": [one.as_json() for one in self.filed], **self.waiting.as_json(), "status": status}


def watch(settings: Settings, look: Look) -> Looked:
    """Look at all that was filed, then at the cases that wait. Raises InputError for what people must mend."""
    with working(settings) as store, closing(wire.GitHub(settings)) as github:
        seen = list(_filed(settings, store))
        if seen:
            turn = _Turn(settings, store, look)
            turn.read(seen, github)
            turn.run(seen)
            turn.follow(seen)
        waiting = look_at_waiting(settings, store, look)
        try:
            return Looked(seen, waiting, plan_status(settings, store))
        except InputError as error:
            return Looked(seen, replace(waiting, held=[*waiting.held, f"the status may not leave: {error}"]))


def _filed(settings: Settings, store: SqlStore) -> Iterator[Seen]:
    """The findings that have an issue on this tracker, by number."""
    found = {finding.fingerprint: (finding, case) for finding, _, case in store.findings()}
    here = {
        one.fingerprint: (one, one.filed)
        for one in sorted(wire.outbox(store).every(), key=lambda one: (one.created_at, one.attempt))
        if one.kind is Outbound.ISSUE and one.state is IntentState.DONE and one.filed is not None
        if one.repo == settings.target.repo and one.rehearsal == settings.filing.rehearsal
    }
    for fingerprint, (intent, filed) in sorted(here.items(), key=lambda one: one[1][1].number):
        if fingerprint in found:
            finding, case = found[fingerprint]
            yield Seen(finding, case, intent, filed)


class _Turn:
    """The parts of a look, one after the other."""

    def __init__(self, settings: Settings, store: SqlStore, look: Look) -> None:
        self._settings = settings
        self._store = store
        self._look = look
        self._clock = wire.SystemClock()
        self._outbox = wire.outbox(store)
        self._decisions = wire.decisions(store)
        self._observations = wire.observations(store)
        self._sanitise = wire.sanitiser(settings)

    def read(self, seen: Sequence[Seen], github: wire.GitHub) -> None:
        """See the trackers, store what people said there, and plan the answers."""
        repo, people = self._settings.target.repo, self._settings.filing.people
        try:
            reader = GitHubWatch(github().rest)
            shown = reader.issues(repo, [one.filed.number for one in seen])
        except EdgeError as error:
            for one in seen:
                one.held.append(f"the tracker can't be read: {error}")
            return
        for one in seen:
            if one.filed.number not in shown:
                one.held.append(f"#{one.filed.number} is not to be seen on {repo}")
                continue
            issue = shown[one.filed.number]
            try:
                thread = reader.thread(repo, one.filed.number)
            except EdgeError as error:
                one.held.append(f"#{one.filed.number} can't be read: {error}")
                continue
            one.tracker = _tracked(one, issue).model_copy(update={"fix": thread.fix, "planned": self._planned(one)})
            given = answers.orders(thread.remarks, people, login(issue))
            said = self._said(one)
            one.decisions = answers.decisions(one.finding.fingerprint, given, one.filed.number, said)
            for decision in one.decisions:
                self._decisions.decide(decision)
            now = self._clock.now()
            new = answers.reactions(one.finding, one.tracker, thread.remarks, people, login(issue), now)
            text = answers.text_of(given, one.case, one.finding, self._observations.of(one.finding.fingerprint))
            self._plan(one, [*new, *self._answer(one, text)])

    def _answer(self, one: Seen, text: str) -> list[Intent]:
        """The text is compared as it leaves: the exit may have changed it."""
        assert one.tracker is not None  # noqa: S101  it was read just now
        clean = self._clean(one, text) if text else ""
        return answers.answer(one.finding, one.tracker, clean, self._clock.now()) if clean else []

    def run(self, seen: Sequence[Seen]) -> None:
        """Run each reproducer that this build has not answered yet, or that people want run again."""
        asked = [one for one in seen if self._can_run(one)]
        if not asked:
            return
        look = self._look
        try:
            executor = wire.executor(self._settings, look.device, unsandboxed=look.unsandboxed, simulate=look.simulate)
            executor.ready()
        except (InputError, EdgeError) as error:
            for one in asked:
                one.held.append(f"nothing can be run: {error}")
            return
        build = build_now(executor, self._job(PROBE, 1))
        for one in asked:
            if not self._due(one, build):
                continue
            assert isinstance(one.case.port, Port)  # noqa: S101  asked above
            try:
                evidence = executor.run(self._job(one.case.port.code, self._settings.run.repeats))
            except EdgeError as error:
                one.held.append(f"the reproducer can't be run: {error}")
                continue
            one.ran = True
            self._keep(one, observed(one.finding, one.case, evidence, self._clock.now()))

    def _can_run(self, one: Seen) -> bool:
        """Is it a finding of the device that is looked at, with a script?"""
        device = wire.target(self._look.device).name
        known = self._observations.of(one.finding.fingerprint)
        one.observation = max(known, key=lambda each: each.order, default=None)
        if one.finding.target != device or one.finding.simulated != (self._look.simulate is not None):
            kind = "simulated " if one.finding.simulated else ""
            one.note(f"it was found on a {kind}{one.finding.target}: it is not run on another device")
            return False
        if not isinstance(one.case.port, Port):
            one.note("it has no script that can be run")
            return False
        return one.tracker is None or one.tracker.state_reason not in LEFT

    def _due(self, one: Seen, build: Build | None) -> bool:
        known = self._observations.of(one.finding.fingerprint)
        if build is None or retest_asked(self._said(one), known) is not None:
            return True
        return not any(each.shows is not None and each.build.key == build.key for each in known)

    def _job(self, script: str, repeats: int) -> Job:
        run = self._settings.run
        return Job(
            script=script,
            device=wire.target(self._look.device).name,
            repeats=repeats,
            timeout_s=run.timeout_s,
            memory_bytes=run.memory,
            simulate=self._look.simulate,
        )

    def _keep(self, one: Seen, made: Observation) -> None:
        """Store it, unless it is once more the same answer of the same build that nobody asked for."""
        known = self._observations.of(one.finding.fingerprint)
        wish = retest_asked(self._said(one), known)
        made = made.model_copy(update={"answers": wish})
        same = [each for each in known if (each.build, each.shows) == (made.build, made.shows)]
        if wish is not None or not same:
            self._observations.add(made)
        one.observation = made
        if made.shows is None:
            one.held.append(f"build {made.build.key} tells nothing: {made.why}")

    def follow(self, seen: Sequence[Seen]) -> None:
        """Plan what follows for the trackers that were read."""
        chosen = wire.follow_policy(self._settings)
        for one in seen:
            if one.tracker is None:
                continue
            now, said = self._clock.now(), self._said(one)
            fresh = {"planned": self._planned(one), "hush": hush(said, now)}
            one.tracker = one.tracker.model_copy(update=fresh)
            known = self._observations.of(one.finding.fingerprint)
            upstream = standings(self._items(one.case))
            told = follow_up(one.finding, one.tracker, known, upstream, chosen, now)
            one.notes += [each for each in told if isinstance(each, Note)]
            self._plan(one, [each for each in told if isinstance(each, Intent)])

    def _items(self, case: Case) -> list[Any]:
        """The upstream items of a case as they are known by now."""
        keys = [item.key for item in case.items]
        now = {item.key: item for item in self._store.items(case.window, keys)}
        return [now.get(item.key, item) for item in case.items]

    def _said(self, one: Seen) -> Sequence[Decision]:
        return self._decisions.history().get(one.finding.fingerprint, ())

    def _planned(self, one: Seen) -> tuple[Intent, ...]:
        return tuple(
            each
            for each in self._outbox.every()
            if each.fingerprint == one.finding.fingerprint
            and (each.repo, each.rehearsal) == (one.intent.repo, one.intent.rehearsal)
            and each.state is not IntentState.CANCELLED
        )

    def _plan(self, one: Seen, intents: Sequence[Intent]) -> None:
        """Each text goes through the exit before it is planned; where one may not leave, neither does what follows."""
        for intent in intents:
            body = intent.body
            if intent.kind in (Outbound.COMMENT, Outbound.EDIT):
                body = self._clean(one, body)
                if not body:
                    return
            one.follows.append(self._outbox.plan(intent.model_copy(update={"body": body})))

    def _clean(self, one: Seen, text: str) -> str:
        try:
            return self._sanitise(one.finding.op, text)[1].strip()
        except InputError as error:
            one.held.append(f"a comment may not leave: {error}")
            return ""


def _tracked(one: Seen, issue: dict[str, Any]) -> Tracked:
    """As GitHub shows it."""
    reason = str(issue.get("state_reason") or "")
    labels = issue.get("labels") or ()
    return Tracked(
        repo=one.intent.repo,
        number=one.filed.number,
        state=ItemState.OPEN if issue.get("state") == "open" else ItemState.CLOSED,
        state_reason=StateReason(reason) if reason in set(StateReason) else None,
        closed_at=issue.get("closed_at"),
        labels=tuple(str(label["name"]) for label in labels if isinstance(label, dict) and "name" in label),
        filed_at=one.intent.done_at or one.intent.created_at,
        rehearsal=one.intent.rehearsal,
    )
