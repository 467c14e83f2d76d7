"""What happens in the world: threads are opened, edited, closed, deleted, moved, hidden.

Each change takes the world's lock, leaves the traces that GitHub leaves (timeline lines, `updated_at`) and dates them
`at`, by default now on the world's clock. Landing and reverting are in `landing.py`.
"""

from bisect import insort
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from tests.double.nouns import Comment, Commit, File, Kind, Presence, Reaction, Thread
from tests.double.traces import changed, link, record, refer
from tests.double.world import Repository

Given = ParamSpec("Given")
Gives = TypeVar("Gives")


def locked(
    change: Callable[Concatenate[Repository, Given], Gives],
) -> Callable[Concatenate[Repository, Given], Gives]:
    """A change of a repository, as one step that nobody sees half of."""

    @wraps(change)
    def whole(repository: Repository, /, *arguments: Given.args, **named: Given.kwargs) -> Gives:
        with repository.world.lock:
            try:
                return change(repository, *arguments, **named)
            finally:
                repository.touched()

    return whole


@locked
def create_issue(
    repository: Repository,
    title: str,
    body: str = "",
    *,
    author: str | None = "reporter",
    labels: Iterable[str] = (),
    association: str = "NONE",
    at: datetime | None = None,
) -> Thread:
    """Open an issue under the next number."""
    return _opened(repository, Kind.ISSUE, title, body, author=author, association=association, labels=labels, at=at)


@locked
def create_discussion(
    repository: Repository, title: str, body: str = "", *, author: str | None = "reporter", at: datetime | None = None
) -> Thread:
    """Open a discussion: it takes a number, and is neither an issue nor a pull request."""
    return _opened(repository, Kind.DISCUSSION, title, body, author=author, at=at)


@locked
def create_pull(
    repository: Repository,
    title: str,
    body: str = "",
    *,
    author: str | None = "author",
    labels: Iterable[str] = (),
    association: str = "CONTRIBUTOR",
    base: str | None = None,
    head: str | None = None,
    files: Iterable[File] = (),
    draft: bool = False,
    at: datetime | None = None,
) -> Thread:
    """Open a pull request; what its text says it closes is linked if its base is the default branch, as on GitHub."""
    made = _opened(repository, Kind.PULL, title, body, author=author, association=association, labels=labels, at=at)
    made.base_ref = base or repository.default_branch
    made.head_ref = head or f"change-{made.number}"
    made.head_oid = f"{made.number:08x}" * 5
    made.files, made.draft = list(files), draft
    link(repository, made)
    return made


def _opened(
    repository: Repository,
    kind: Kind,
    title: str,
    body: str,
    *,
    author: str | None,
    association: str = "NONE",
    labels: Iterable[str] = (),
    at: datetime | None,
) -> Thread:
    world = repository.world
    when = at or world.clock.now()
    made = Thread(
        repository=repository.name,
        number=repository.next_number,
        kind=kind,
        database_id=world.issue_id("thread", 1_500_000_000),
        author=world.account(author) if author else None,
        association=association,
        title=title,
        body=body,
        created_at=when,
        updated_at=when,
    )
    repository.threads[made.number] = made
    repository.next_number += 1
    for label in labels:
        made.labels.append(label)
        record(world, made, "LabeledEvent", when, author, label=label)
    refer(world, made, body, when)
    return made


@locked
def comment(
    repository: Repository,
    number: int,
    body: str,
    *,
    author: str | None = "reader",
    association: str = "NONE",
    at: datetime | None = None,
) -> Comment:
    """Comment on a thread."""
    world, thread = repository.world, repository.threads[number]
    when = at or world.clock.now()
    account = world.account(author) if author else None
    made = Comment(world.issue_id("comment", 700_000_000), account, association, when, when, body, thread)
    insort(thread.comments, made, key=lambda each: each.created_at)
    changed(thread, when)
    refer(world, thread, body, when)
    return made


@locked
def edit_comment(repository: Repository, database_id: int, body: str, *, at: datetime | None = None) -> Comment:
    """Write a comment anew."""
    written = comment_of(repository, database_id)
    if written is None:
        raise KeyError(database_id)
    written.body, written.updated_at = body, at or repository.world.clock.now()
    return written


def comment_of(repository: Repository, database_id: int) -> Comment | None:
    """The comment of that number."""
    there = (each for thread in repository.threads.values() if thread.here for each in thread.comments)
    return next((each for each in there if each.database_id == database_id), None)


@locked
def react(repository: Repository, to: Thread | Comment, content: str, *, by: str) -> tuple[Reaction, bool]:
    """React, once: the reaction, and whether it is a new one."""
    world = repository.world
    there = next((each for each in to.reactions if (each.author.login, each.content) == (by, content)), None)
    made = there or Reaction(world.issue_id("reaction", 300_000_000), world.account(by), content, world.clock.now())
    if there is None:
        to.reactions.append(made)
    return made, there is None


@locked
def edit(
    repository: Repository,
    number: int,
    *,
    title: str | None = None,
    body: str | None = None,
    labels: Iterable[str] | None = None,
    by: str | None = "triager",
    at: datetime | None = None,
) -> Thread:
    """Change a thread's title, body or labels (all of them)."""
    world, thread = repository.world, repository.threads[number]
    when = at or world.clock.now()
    if title is not None and title != thread.title:
        record(world, thread, "RenamedTitleEvent", when, by, previous_title=thread.title, current_title=title)
        thread.title = title
    if body is not None:
        thread.body = body
        refer(world, thread, body, when)
        if thread.kind is Kind.PULL:
            link(repository, thread)
    if labels is not None:
        wanted = list(labels)
        for label in wanted:
            if label not in thread.labels:
                record(world, thread, "LabeledEvent", when, by, label=label)
        for label in thread.labels:
            if label not in wanted:
                record(world, thread, "UnlabeledEvent", when, by, label=label)
        thread.labels = wanted
    changed(thread, when)
    return thread


@locked
def close(
    repository: Repository,
    number: int,
    *,
    by: str | None = "triager",
    reason: str | None = None,
    closer: Commit | Thread | None = None,
    at: datetime | None = None,
) -> Thread:
    """Close a thread; an issue with a reason (COMPLETED unless said)."""
    world, thread = repository.world, repository.threads[number]
    when = at or world.clock.now()
    thread.open, thread.closed_at = False, when
    thread.state_reason = None if thread.kind is Kind.PULL else reason or "COMPLETED"
    record(world, thread, "ClosedEvent", when, by, closer=closer, state_reason=thread.state_reason)
    changed(thread, when)
    return thread


@locked
def reopen(repository: Repository, number: int, *, by: str | None = "triager", at: datetime | None = None) -> Thread:
    """Open a closed thread again."""
    world, thread = repository.world, repository.threads[number]
    when = at or world.clock.now()
    thread.open, thread.closed_at = True, None
    thread.state_reason = None if thread.kind is Kind.PULL else "REOPENED"
    record(world, thread, "ReopenedEvent", when, by, state_reason=thread.state_reason)
    changed(thread, when)
    return thread


@locked
def delete(repository: Repository, number: int) -> None:
    """Delete a thread: its number is never used again (REST 410)."""
    repository.threads[number].presence = Presence.DELETED


@locked
def hide(repository: Repository, number: int, *, hidden: bool = True) -> None:
    """Hide a thread, as GitHub does with those of an account flagged as spam (404 everywhere), or show it again."""
    repository.threads[number].presence = Presence.HIDDEN if hidden else Presence.HERE
