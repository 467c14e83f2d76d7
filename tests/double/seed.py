"""Made-up days of a tracker like pytorch/pytorch: the same seed gives the same day, item by item.

A day has items on its first and on its last second, numbers that stand for no issue (discussions, deleted, hidden,
transferred), landed commits of which half belong to older pull requests, reverts, and commits of nobody's request.
"""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random

from tests.double import changes, landing
from tests.double.nouns import Thread
from tests.double.seed_life import Life, talk
from tests.double.seed_text import PEOPLE
from tests.double.seed_threads import Written, issue, pull
from tests.double.world import Repository, World

UPSTREAM = "pytorch/pytorch"
ELSEWHERE = "pytorch/vision"
DAY_S = 86_400
STACK = "Stack from [ghstack](https://github.com/ezyang/ghstack) (oldest at bottom):\n"
SPECIALS = ("discussion",) * 5 + ("deleted",) * 2 + ("out", "in", "hidden")


@dataclass
class Day:
    """What a seeded day holds, by number: the truth that a scan of the day is compared with."""

    start: datetime
    issues: list[int] = field(default_factory=list)
    pulls: list[int] = field(default_factory=list)
    defects: list[int] = field(default_factory=list)
    discussions: list[int] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    transferred_out: list[int] = field(default_factory=list)
    transferred_in: list[int] = field(default_factory=list)
    """Numbers of the day whose date of creation is older."""
    landed: dict[str, int] = field(default_factory=dict)
    """Commits that landed on the day and the pull request of each; a pull request may land twice."""
    reverts: dict[str, int] = field(default_factory=dict)
    direct: list[str] = field(default_factory=list)
    """Commits without a pull request."""

    @property
    def end(self) -> datetime:
        """The first second of the next day."""
        return self.start + timedelta(seconds=DAY_S)

    @property
    def items(self) -> list[int]:
        """The visible issues and pull requests that were created on the day."""
        return sorted([*self.issues, *self.pulls])


def seed_day(world: World, day: date, items: int = 400, seed: int = 0, name: str = UPSTREAM) -> Day:
    """Fill a repository with a day of so many visible items, and with thinner days around it."""
    repository = world.repository(name) or world.add_repository(name)
    with world.lock:
        for before in range(6, 0, -1):
            _fill(repository, day - timedelta(days=before), max(4, items // 13), seed, special=False)
        filled = _fill(repository, day, items, seed, special=True)
        _fill(repository, day + timedelta(days=1), max(4, items // 10), seed, special=False)
    return filled


def seed_days(
    world: World, first: date, days: int = 30, per_day: int = 400, seed: int = 0, name: str = UPSTREAM
) -> list[Day]:
    """Fill a repository with consecutive days, and with a thinner one before and after them."""
    repository = world.repository(name) or world.add_repository(name)
    with world.lock:
        _fill(repository, first - timedelta(days=1), max(4, per_day // 4), seed, special=False)
        filled = [
            _fill(repository, first + timedelta(days=place), per_day, seed, special=True) for place in range(days)
        ]
        _fill(repository, first + timedelta(days=days), max(4, per_day // 10), seed, special=False)
    return filled


def _fill(repository: Repository, day: date, items: int, seed: int, *, special: bool) -> Day:
    """One day. Threads first, in the order of their numbers, then what happens to them."""
    dice = Random(f"{seed}:{repository.name}:{day}")  # noqa: S311  the same day each time is what is wanted
    made = Day(datetime(day.year, day.month, day.day, tzinfo=UTC))
    older = [
        each for each in repository.threads.values() if each.kind == "PullRequest" and each.open and not each.landed
    ]
    kinds = ["issue"] * round(items * 0.45)
    kinds += ["pull"] * (items - len(kinds))
    dice.shuffle(kinds)
    places = dice.sample(range(1, len(kinds)), len(SPECIALS)) if special and len(kinds) > len(SPECIALS) else []
    for place, what in zip(sorted(places, reverse=True), SPECIALS, strict=False):
        kinds.insert(place, what)
    seconds = sorted(dice.randrange(1, DAY_S - 1) for _ in kinds)
    seconds[0], seconds[-1] = 0, DAY_S - 1
    stack: list[Thread] = []
    for what, second in zip(kinds, seconds, strict=True):
        _open(repository, made, what, made.start + timedelta(seconds=second), dice, stack)
    Life(repository, made.start, dice, older, made).happen(commits=max(2, round(items * 0.225)))
    return made


def _open(repository: Repository, made: Day, what: str, at: datetime, dice: Random, stack: list[Thread]) -> None:
    """Open the next number as what it is to be."""
    if what == "issue":
        written = issue(dice)
        thread = _issue(repository, written, at)
        made.issues.append(thread.number)
        made.defects.extend([thread.number] * written.defect)
        talk(repository, thread, at, dice)
    elif what == "pull":
        written = pull(dice)
        thread = _pull(repository, written, at, dice, made, stack)
        made.pulls.append(thread.number)
        made.defects.extend([thread.number] * written.defect)
        talk(repository, thread, at, dice)
    else:
        _special(repository, made, what, at, dice)


def _issue(repository: Repository, written: Written, at: datetime) -> Thread:
    return changes.create_issue(
        repository, written.title, written.body, author=written.author, labels=written.labels, at=at
    )


def _pull(
    repository: Repository, written: Written, at: datetime, dice: Random, made: Day, stack: list[Thread]
) -> Thread:
    """A pull request: a third are layers of stacks (which link no issue), some say which issue they fix."""
    number = repository.next_number
    base = head = owner = None
    body = written.body
    if stack and len(stack) < 4 and dice.random() < 0.6:
        below = "".join(f"* #{each.number}\n" for each in reversed(stack))
        body = f"{STACK}* __->__ #{number}\n{below}\n{body}"
    elif dice.random() < 0.2:
        stack.clear()
        body = f"{STACK}* __->__ #{number}\n\n{body}"
    elif made.issues and dice.random() < 0.25:
        body = f"Fixes #{dice.choice(made.issues[-40:])}\n\n{body}"
    layer = body.startswith(STACK)
    if layer:
        owner = stack[0].author.login if stack and stack[0].author else written.author or PEOPLE[0]
        base, head = f"gh/{owner}/{number % 997}/base", f"gh/{owner}/{number % 997}/head"
    opened = changes.create_pull(
        repository,
        written.title,
        body,
        author=owner if layer else written.author,
        labels=written.labels,
        association=written.association,
        base=base,
        head=head,
        files=written.files,
        draft=dice.random() < 0.08,
        at=at,
    )
    stack.extend([opened] * layer)
    return opened


def _special(repository: Repository, made: Day, what: str, at: datetime, dice: Random) -> None:
    """A number of the day that is no visible item of the day."""
    world = repository.world
    if what == "discussion":
        opened = changes.create_discussion(repository, "How do others batch ragged inputs?", issue(dice).body, at=at)
        made.discussions.append(opened.number)
        return
    other = world.repository(ELSEWHERE) or world.add_repository(ELSEWHERE, next_number=9_000)
    if what == "in":
        old = _issue(other, issue(dice), at - timedelta(days=40))
        made.transferred_in.append(landing.transfer(other, old.number, repository, at=at).number)
        return
    thread = _issue(repository, issue(dice), at)
    later = at + timedelta(minutes=20)
    if what == "out":
        landing.transfer(repository, thread.number, other, at=later)
        made.transferred_out.append(thread.number)
    elif what == "deleted":
        changes.delete(repository, thread.number)
        made.deleted.append(thread.number)
    else:
        changes.hide(repository, thread.number)
        made.hidden.append(thread.number)
