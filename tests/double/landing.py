"""How changes reach the default branch of a repository whose merge bot lands them: GitHub never sees a merge.

A landed pull request is `closed` with `merged` false; the label `Merged`, the commit's message and the "closed this in"
line are all that tell. A revert opens it again.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from tests.double.changes import close, edit, locked, reopen
from tests.double.mentions import closing
from tests.double.nouns import Commit, File, Kind, Presence, Thread
from tests.double.traces import changed, record
from tests.double.world import Repository

MERGE_BOT = "pytorchmergebot"


@locked
def commit(
    repository: Repository,
    message: str,
    *,
    author: str | None = "author",
    files: Iterable[File] = (),
    authored_at: datetime | None = None,
    at: datetime | None = None,
) -> Commit:
    """Put a commit on the default branch. By itself it belongs to no pull request."""
    when = at or repository.world.clock.now()
    parent = repository.head
    text = f"{repository.database_id} {len(repository.commits)} {parent.oid if parent else ''} {message}"
    made = Commit(
        oid=hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(),
        message=message,
        author_name=author or "someone",
        author_email=f"{author or 'someone'}@example.org",
        author=repository.world.account(author) if author else None,
        authored_at=authored_at or when,
        committed_at=when,
        parents=(parent.oid,) if parent else (),
        files=list(files),
    )
    repository.commits.append(made)
    repository.by_oid[made.oid] = made
    return made


def landing_message(repository: Repository, pull: Thread, *, approved_by: str, revision: int | None = None) -> str:
    """What the merge bot writes: title and number, the description, and the trailers that lead back."""
    lines = [f"{pull.title} (#{pull.number})", "", pull.body.strip(), ""]
    if revision:
        lines.append(f"Differential Revision: D{revision}")
    lines.append(f"Pull Request resolved: https://github.com/{repository.name}/pull/{pull.number}")
    lines.append(f"Approved by: https://github.com/{approved_by}")
    return "\n".join(lines)


@locked
def land(
    repository: Repository,
    number: int,
    *,
    approved_by: str = "reviewer",
    revision: int | None = None,
    message: str | None = None,
    by: str = MERGE_BOT,
    at: datetime | None = None,
) -> Commit:
    """Land a pull request as the merge bot does, and close the issues that its message says it fixes."""
    world, pull = repository.world, repository.threads[number]
    when = at or world.clock.now()
    author = pull.author.login if pull.author else None
    text = message or landing_message(repository, pull, approved_by=approved_by, revision=revision)
    made = commit(repository, text, author=author, files=pull.files, at=when)
    pull.landed.append(made)
    record(world, pull, "ReferencedEvent", when, by, commit=made)
    close(repository, number, by=by, closer=made, at=when)
    edit(repository, number, labels=[*(each for each in pull.labels if each != "Reverted"), "Merged"], by=by, at=when)
    for issue in closing(text, repository.name):
        found = repository.thread(issue, Kind.ISSUE)
        if found is not None and found.open:
            close(repository, issue, by=by, closer=made, at=when)
    return made


@locked
def merge(repository: Repository, number: int, *, by: str = "reviewer", at: datetime | None = None) -> Commit:
    """Merge a pull request with GitHub's own button: `merged` is true and `mergeCommit` set."""
    world, pull = repository.world, repository.threads[number]
    when = at or world.clock.now()
    author = pull.author.login if pull.author else None
    made = commit(repository, f"{pull.title} (#{number})\n\n{pull.body}", author=author, files=pull.files, at=when)
    pull.merged_at, pull.merge_commit = when, made
    record(world, pull, "MergedEvent", when, by, commit=made)
    close(repository, number, by=by, at=when)
    for issue in pull.closes:
        if repository.threads[issue].open:
            close(repository, issue, by=by, closer=pull, at=when)
    return made


def revert_message(repository: Repository, pull: Thread, landed: Commit, *, on_behalf_of: str, reason: str) -> str:
    """What the merge bot writes on the commit that takes a change back."""
    return (
        f'Revert "{pull.title} (#{pull.number})"\n\n'
        f"This reverts commit {landed.oid}.\n\n"
        f"Reverted https://github.com/{repository.name}/pull/{pull.number} on behalf of "
        f"https://github.com/{on_behalf_of} due to {reason}"
    )


@locked
def revert(
    repository: Repository,
    number: int,
    *,
    on_behalf_of: str = "oncall",
    reason: str = "it broke a test of the main branch",
    by: str = MERGE_BOT,
    at: datetime | None = None,
) -> Commit:
    """Take back what a pull request landed last: a commit, the label `Reverted`, and the pull request open again."""
    world, pull = repository.world, repository.threads[number]
    when = at or world.clock.now()
    text = revert_message(repository, pull, pull.landed[-1], on_behalf_of=on_behalf_of, reason=reason)
    made = commit(repository, text, author=by, at=when)
    record(world, pull, "ReferencedEvent", when, by, commit=made)
    reopen(repository, number, by=by, at=when)
    edit(repository, number, labels=[*(each for each in pull.labels if each != "Merged"), "Reverted"], by=by, at=when)
    return made


@locked
def transfer(
    repository: Repository, number: int, target: Repository, *, by: str = "triager", at: datetime | None = None
) -> Thread:
    """Move an issue: its number here answers 301, and there it has a new number and its old date of creation."""
    world, gone = repository.world, repository.threads[number]
    when = at or world.clock.now()
    moved = Thread(
        repository=target.name,
        number=target.next_number,
        kind=gone.kind,
        database_id=world.issue_id("thread", 1_500_000_000),
        author=gone.author,
        association=gone.association,
        title=gone.title,
        body=gone.body,
        created_at=gone.created_at,
        updated_at=max(gone.updated_at, when),
        open=gone.open,
    )
    moved.comments = [replace(each, thread=moved) for each in gone.comments]
    moved.events = [replace(each, thread=moved) for each in gone.events]
    target.threads[moved.number] = moved
    target.next_number += 1
    record(world, moved, "TransferredEvent", when, by, from_repository=repository.name)
    gone.presence, gone.moved_to = Presence.TRANSFERRED, (target.name, moved.number)
    changed(moved, when)
    target.touched()
    return moved


def rename_repository(repository: Repository, name: str) -> None:
    """Give a repository another full name; the old one leads to it (REST 301, followed by GraphQL)."""
    world = repository.world
    with world.lock:
        del world.repositories[repository.name.lower()]
        world.renamed[repository.name.lower()] = name
        repository.name = name
        world.repositories[name.lower()] = repository
        for each in repository.threads.values():
            each.repository = name
        repository.touched()


@locked
def rename_branch(repository: Repository, name: str) -> None:
    """Rename the default branch; open pull requests onto it follow, and REST leads there from the old name."""
    old = repository.default_branch
    repository.renamed_branches[old] = repository.default_branch = name
    for each in repository.threads.values():
        if each.kind is Kind.PULL and each.open and each.base_ref == old:
            each.base_ref = name
