"""REST's shapes of timelines and commits."""

from typing import Any

from tests.double.nouns import Comment, Commit, Event, Thread, node_id, rfc3339
from tests.double.shapes_place import account, middle_repository
from tests.double.shapes_thread import comment, file, issue, label, whoever
from tests.double.world import Repository

NAMES = {
    "LabeledEvent": "labeled",
    "UnlabeledEvent": "unlabeled",
    "ClosedEvent": "closed",
    "ReopenedEvent": "reopened",
    "ReferencedEvent": "referenced",
    "MergedEvent": "merged",
    "RenamedTitleEvent": "renamed",
    "TransferredEvent": "transferred",
}


def line(item: Event | Comment, repository: Repository, base: str) -> dict[str, Any]:
    """A line of a timeline."""
    if isinstance(item, Comment):
        said = comment(item, repository, base)
        return {**said, "event": "commented", "actor": said["user"]}
    if item.kind == "CrossReferencedEvent":
        return _reference(item, repository, base)
    made = {
        "id": item.database_id,
        "node_id": node_id(item.kind, item.database_id),
        "url": f"{base}/repos/{repository.name}/issues/events/{item.database_id}",
        "actor": whoever(item.actor, repository, base),
        "event": NAMES[item.kind],
        "commit_id": None,
        "commit_url": None,
        "created_at": rfc3339(item.created_at),
        "performed_via_github_app": None,
    }
    commit = item.commit or (item.closer if isinstance(item.closer, Commit) else None)
    if commit is not None:
        made["commit_id"] = commit.oid
        made["commit_url"] = f"{base}/repos/{repository.name}/commits/{commit.oid}"
    if item.kind in {"ClosedEvent", "ReopenedEvent"}:
        made["state_reason"] = item.state_reason.lower() if item.state_reason else None
    if item.label:
        shown = label(item.label, repository, base)
        made["label"] = {"name": shown["name"], "color": shown["color"]}
    if item.kind == "RenamedTitleEvent":
        made["rename"] = {"from": item.previous_title, "to": item.current_title}
    return made


def _reference(item: Event, repository: Repository, base: str) -> dict[str, Any]:
    """A reference from another thread, which is shown whole with its repository."""
    source: Thread | None = item.source
    assert source is not None
    other = repository.world.repository(source.repository)
    assert other is not None
    shown = {**issue(source, other, base), "repository": middle_repository(other, base)}
    return {
        "actor": whoever(item.actor, repository, base),
        "created_at": rfc3339(item.created_at),
        "updated_at": rfc3339(item.created_at),
        "source": {"type": "issue", "issue": shown},
        "event": "cross-referenced",
    }


def commit(made: Commit, repository: Repository, base: str, *, files: bool = False) -> dict[str, Any]:
    """A commit; by its own address with files and their sums."""
    url = f"{base}/repos/{repository.name}/commits/{made.oid}"
    page = f"https://github.com/{repository.name}/commit"
    author = account(made.author, base) if made.author else None
    shown: dict[str, Any] = {
        "sha": made.oid,
        "node_id": node_id("Commit", repository.database_id, made.oid),
        "commit": {
            "author": {"name": made.author_name, "email": made.author_email, "date": rfc3339(made.authored_at)},
            "committer": {"name": "GitHub", "email": "noreply@github.com", "date": rfc3339(made.committed_at)},
            "message": made.message,
            "tree": {"sha": made.oid[::-1], "url": f"{base}/repos/{repository.name}/git/trees/{made.oid[::-1]}"},
            "url": f"{base}/repos/{repository.name}/git/commits/{made.oid}",
            "comment_count": 0,
            "verification": {
                "verified": False,
                "reason": "unsigned",
                "signature": None,
                "payload": None,
                "verified_at": None,
            },
        },
        "url": url,
        "html_url": f"{page}/{made.oid}",
        "comments_url": f"{url}/comments",
        "author": author,
        "committer": author,
        "parents": [
            {"sha": oid, "url": f"{base}/repos/{repository.name}/commits/{oid}", "html_url": f"{page}/{oid}"}
            for oid in made.parents
        ],
    }
    if files:
        added, removed = sum(each.additions for each in made.files), sum(each.deletions for each in made.files)
        shown["stats"] = {"total": added + removed, "additions": added, "deletions": removed}
        shown["files"] = [file(each, made.oid, repository, base) for each in made.files]
    return shown


def branch(repository: Repository, base: str) -> dict[str, Any] | None:
    """The default branch; None while it has no commit."""
    head = repository.head
    if head is None:
        return None
    url = f"{base}/repos/{repository.name}/branches/{repository.default_branch}"
    return {
        "name": repository.default_branch,
        "commit": commit(head, repository, base),
        "_links": {"self": url, "html": f"https://github.com/{repository.name}/tree/{repository.default_branch}"},
        "protected": False,
        "protection": {
            "enabled": False,
            "required_status_checks": {"enforcement_level": "off", "contexts": [], "checks": []},
        },
        "protection_url": f"{url}/protection",
    }
