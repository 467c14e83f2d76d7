"""The traces that a change leaves by itself: lines of timelines, references between threads, links to what is fixed."""

from datetime import datetime
from typing import Any

from tests.double.mentions import closing, mentioned
from tests.double.nouns import Event, Kind, Thread
from tests.double.world import Repository, World


def record(world: World, thread: Thread, kind: str, when: datetime, actor: str | None, **fields: Any) -> Event:
    """Add a line to a thread's timeline."""
    account = world.account(actor) if actor else None
    line = Event(kind, world.issue_id("event", 9_000_000), when, account, thread, **fields)
    thread.events.append(line)
    return line


def refer(world: World, source: Thread, text: str, when: datetime) -> None:
    """Note in each thread that a text points at that it does, once for a pair."""
    closes = set(closing(text, source.repository)) if source.kind is Kind.PULL else set()
    for name, number in mentioned(text, source.repository):
        other = world.repository(name)
        target = other.threads.get(number) if other else None
        if target is None or target is source or any(each.source is source for each in target.events):
            continue
        author = source.author.login if source.author else None
        will_close = name == source.repository and number in closes
        record(world, target, "CrossReferencedEvent", when, author, source=source, will_close=will_close)


def link(repository: Repository, pull: Thread) -> None:
    """Link a pull request with the issues that it says it closes; only one onto the default branch is linked."""
    for number in pull.closes:
        repository.threads[number].closed_by.remove(pull.number)
    named = closing(pull.body, repository.name) if pull.base_ref == repository.default_branch else []
    pull.closes = [number for number in named if (found := repository.threads.get(number)) and found.kind == Kind.ISSUE]
    for number in pull.closes:
        repository.threads[number].closed_by.append(pull.number)


def changed(thread: Thread, when: datetime) -> None:
    """A thread's `updated_at` never goes back."""
    thread.updated_at = max(thread.updated_at, when)
