"""GraphQL's view of commits, and of the history behind one."""

from typing import Any

from tests.double.ask import Ask
from tests.double.fields_root import Field
from tests.double.nouns import Commit, Kind, Thread, node_id, rfc3339
from tests.double.paging import Page, page
from tests.double.refusal import Refused
from tests.double.world import Repository

HEADLINE = 72
"""GitHub cuts a longer `messageHeadline` and lets the rest begin the `messageBody`."""


def holder(commit: Commit, ask: Ask) -> Repository:
    """The repository of a commit."""
    return next(each for each in ask.world.repositories.values() if commit.oid in each.by_oid)


def history(
    commit: Commit, ask: Ask, *, since: Any = None, until: Any = None, path: str | None = None, **asked: Any
) -> Page:
    """From a commit back. A cursor is `<head> <position>`, so a page stays what it was when new commits come."""
    repository = holder(commit, ask)
    ask.need(repository, "contents")
    head = commit.oid
    items = [
        each
        for each in repository.history(head)
        if (since is None or each.committed_at >= since)
        and (until is None or each.committed_at <= until)
        and (path is None or any(f"{file.path}/".startswith(f"{path}/") for file in each.files))
    ]
    low = 0
    if asked.get("after") is not None:
        low = _place(asked["after"], items, head)
    size = asked.get("first") or asked["last"]
    nodes = items[low : low + size]
    cursors = [f"{head} {low + place}" for place in range(len(nodes))]
    return Page("CommitHistoryConnection", nodes, cursors, len(items), low + size < len(items), low > 0)


def _place(cursor: str, items: list[Commit], head: str) -> int:
    """How many commits lie up to a cursor, with its own."""
    oid, _, place = cursor.partition(" ")
    if not place.isdigit() or len(oid) != len(head):
        raise Refused("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor.")
    return int(place) + 1


def parents(commit: Commit, ask: Ask, **asked: Any) -> Page:
    known = holder(commit, ask).by_oid
    return page("CommitConnection", [known[oid] for oid in commit.parents], asked)


def _person(name: str, email: str, at: Any, user: Any) -> dict[str, Any]:
    return {"__typename": "GitActor", "name": name, "email": email, "date": rfc3339(at), "user": user}


def headline(commit: Commit) -> tuple[str, str]:
    """`messageHeadline` and `messageBody`: a long first line is cut and goes on in the body."""
    first, body = commit.headline, commit.message_body
    if len(first) <= HEADLINE:
        return first, body
    cut = HEADLINE - 1
    return f"{first[:cut]}…", f"…{first[cut:]}\n\n{body}"


def pulls(commit: Commit, ask: Ask, **asked: Any) -> Page:
    """`associatedPullRequests`: those merged by GitHub; of what a bot landed GitHub knows nothing."""
    items: list[Thread] = [
        each for each in holder(commit, ask).listed(Kind.PULL, "created_at") if each.merge_commit is commit
    ]
    return page("PullRequestConnection", items, asked)


COMMIT: dict[str, Field] = {
    "id": lambda commit, ask: node_id("Commit", holder(commit, ask).database_id, commit.oid),
    "oid": lambda commit, _: commit.oid,
    "abbreviatedOid": lambda commit, _: commit.oid[:7],
    "message": lambda commit, _: commit.message,
    "messageHeadline": lambda commit, _: headline(commit)[0],
    "messageBody": lambda commit, _: headline(commit)[1],
    "committedDate": lambda commit, _: rfc3339(commit.committed_at),
    "authoredDate": lambda commit, _: rfc3339(commit.authored_at),
    "author": lambda commit, _: _person(commit.author_name, commit.author_email, commit.authored_at, commit.author),
    "committer": lambda commit, _: _person("GitHub", "noreply@github.com", commit.committed_at, None),
    "url": lambda commit, ask: f"https://github.com/{holder(commit, ask).name}/commit/{commit.oid}",
    "repository": holder,
    "parents": parents,
    "history": history,
    "associatedPullRequests": pulls,
    "changedFilesIfAvailable": lambda commit, _: len(commit.files),
    "additions": lambda commit, _: sum(each.additions for each in commit.files),
    "deletions": lambda commit, _: sum(each.deletions for each in commit.files),
}
