"""What happens to the threads of a made-up day: people talk, issues are closed, pull requests land and are reverted."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from tests.double import changes, landing
from tests.double.nouns import Kind, Thread
from tests.double.seed_text import BOT, COMMENTS, MAINTAINERS, PEOPLE, prose
from tests.double.world import Repository

if TYPE_CHECKING:
    from tests.double.seed import Day

DAY_S = 86_400
REVERTS_PER_COMMIT = 0.05
DIRECT = 3


def talk(repository: Repository, thread: Thread, at: datetime, dice: Random) -> None:
    """Comments within the six hours after: mostly few, on one thread in fifty between twenty and sixty."""
    count = dice.randrange(20, 61) if dice.random() < 0.02 else dice.choice((0, 0, 1, 1, 2, 3, 5))
    if thread.kind is Kind.PULL:
        text = f"<!-- ci: {thread.number} -->\n## Helpful links\nArtifacts and test results for this pull request.\n"
        changes.comment(repository, thread.number, text, author=BOT, at=at + timedelta(seconds=30))
    for minute in sorted(dice.randrange(1, 360) for _ in range(count)):
        maintainer = dice.random() < 0.4
        changes.comment(
            repository,
            thread.number,
            dice.choice(COMMENTS) if dice.random() < 0.8 else prose(dice, 8),
            author=dice.choice(MAINTAINERS if maintainer else PEOPLE),
            association="MEMBER" if maintainer else "NONE",
            at=at + timedelta(minutes=minute),
        )


class Life:
    """The events of one day, made up first and then let happen in the order of their time."""

    def __init__(self, repository: Repository, start: datetime, dice: Random, older: list[Thread], made: "Day") -> None:
        self._repository = repository
        self._start = start
        self._dice = dice
        self._older = older
        self._made = made
        self._plan: list[tuple[datetime, int, Callable[[datetime], None]]] = []

    def happen(self, commits: int) -> None:
        """Make everything up and do it."""
        self._plan_commits(commits)
        self._plan_closings()
        for at, _, event in sorted(self._plan, key=lambda each: each[:2]):
            event(at)

    def _at(self, second: int, event: Callable[[datetime], None]) -> None:
        self._plan.append((self._start + timedelta(seconds=second), len(self._plan), event))

    def _plan_commits(self, commits: int) -> None:
        """Half of older pull requests, half of the day's own; a few reverts, one landed again; three of nobody."""
        dice, made = self._dice, self._made
        reverts = max(1, round(commits * REVERTS_PER_COMMIT))
        landings = max(1, commits - reverts - 1 - DIRECT)
        old = dice.sample(self._older, min(len(self._older), landings // 2))
        young = [self._repository.threads[number] for number in made.pulls]
        young = [
            each for each in young if not each.draft and (each.created_at - self._start).total_seconds() < DAY_S / 2
        ]
        own = dice.sample(young, min(len(young), landings - len(old)))
        for thread in old:
            self._at(dice.randrange(0, DAY_S * 2 // 3), self._land(thread))
        for thread in own:
            begun = int((thread.created_at - self._start).total_seconds())
            self._at(dice.randrange(begun + 600, DAY_S * 3 // 4), self._land(thread))
        unlucky = dice.sample([*old, *own], min(reverts, len(old) + len(own)))
        for place, thread in enumerate(unlucky):
            self._at(dice.randrange(DAY_S * 3 // 4, DAY_S * 7 // 8), self._revert(thread))
            if place == 0:
                self._at(dice.randrange(DAY_S * 7 // 8, DAY_S), self._land(thread))
        for place in range(DIRECT):
            self._at(dice.randrange(0, DAY_S), self._direct(place))

    def _land(self, thread: Thread) -> Callable[[datetime], None]:
        approver = self._dice.choice(MAINTAINERS)
        revision = self._dice.randrange(80_000_000, 90_000_000) if self._dice.random() < 0.15 else None

        def event(at: datetime) -> None:
            number = thread.number
            changes.comment(self._repository, number, "@pytorchbot merge", author=approver, association="MEMBER", at=at)
            made = landing.land(self._repository, number, approved_by=approver, revision=revision, at=at)
            self._made.landed[made.oid] = number

        return event

    def _revert(self, thread: Thread) -> Callable[[datetime], None]:
        def event(at: datetime) -> None:
            made = landing.revert(self._repository, thread.number, on_behalf_of="oncall", at=at)
            self._made.reverts[made.oid] = thread.number

        return event

    def _direct(self, place: int) -> Callable[[datetime], None]:
        def event(at: datetime) -> None:
            text = ("Update the pinned commit of the tests", "Bump the nightly version", "Fix a typo in the notes")[
                place
            ]
            made = landing.commit(self._repository, text, author="release-engineer", at=at)
            self._made.direct.append(made.oid)

        return event

    def _plan_closings(self) -> None:
        """One issue in five is closed on its day: done, not planned, or a duplicate of another."""
        for number in self._made.issues:
            thread = self._repository.threads[number]
            begun = int((thread.created_at - self._start).total_seconds())
            if self._dice.random() < 0.2 and begun < DAY_S - 3_700:
                reason = self._dice.choice(("COMPLETED", "NOT_PLANNED", "DUPLICATE"))
                self._at(self._dice.randrange(begun + 3_600, DAY_S), self._close(thread, reason))

    def _close(self, thread: Thread, reason: str) -> Callable[[datetime], None]:
        closer = self._dice.choice(MAINTAINERS)

        def event(at: datetime) -> None:
            if thread.open:
                changes.close(self._repository, thread.number, by=closer, reason=reason, at=at)

        return event
