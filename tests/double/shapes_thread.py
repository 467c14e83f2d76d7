"""REST's shapes of issues, pull requests, comments and files."""

import base64
import hashlib
from typing import Any
from urllib.parse import quote

from tests.double.fields_thread import web
from tests.double.nouns import Actor, Comment, File, Kind, Reaction, Thread, node_id, rfc3339
from tests.double.shapes_place import account, middle_repository
from tests.double.world import Repository

LARGEST_FILE = 1 << 20
"""Bytes of a file that is given inside of JSON."""
STATUS = {"ADDED": "added", "MODIFIED": "modified", "DELETED": "removed", "RENAMED": "renamed"}


def whoever(actor: Actor | None, repository: Repository, base: str) -> dict[str, Any]:
    """An author; for one whose account is gone, GitHub's ghost."""
    return account(actor or repository.world.account("ghost"), base)


def label(name: str, repository: Repository, base: str) -> dict[str, Any]:
    """A label; number and colour follow from its name."""
    number = sum(place * byte for place, byte in enumerate(name.encode(), 1))
    return {
        "id": 1_000_000 + number,
        "node_id": node_id("Label", repository.name, name),
        "url": f"{base}/repos/{repository.name}/labels/{quote(name)}",
        "name": name,
        "description": None,
        "color": f"{sum(name.encode()) % 0x1000000:06x}",
        "default": False,
    }


REACTIONS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def reactions(url: str, made: list[Reaction]) -> dict[str, Any]:
    """How many of each kind there are."""
    counts = {kind: sum(each.content == kind for each in made) for kind in REACTIONS}
    return {"url": f"{url}/reactions", "total_count": len(made), **counts}


def reaction(made: Reaction, repository: Repository, base: str) -> dict[str, Any]:
    """One reaction."""
    return {
        "id": made.database_id,
        "node_id": node_id("Reaction", repository.database_id, made.database_id),
        "user": whoever(made.author, repository, base),
        "content": made.content,
        "created_at": rfc3339(made.created_at),
    }


def issue(thread: Thread, repository: Repository, base: str) -> dict[str, Any]:
    """An issue, or a pull request as the issues interface shows it."""
    url = f"{base}/repos/{repository.name}/issues/{thread.number}"
    made = {
        "url": url,
        "repository_url": f"{base}/repos/{repository.name}",
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": web(thread),
        "id": thread.database_id,
        "node_id": node_id(thread.kind, repository.database_id, thread.number),
        "number": thread.number,
        "title": thread.title,
        "user": whoever(thread.author, repository, base),
        "labels": [label(name, repository, base) for name in thread.labels],
        "state": "open" if thread.open else "closed",
        "locked": False,
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "comments": len(thread.comments),
        "created_at": rfc3339(thread.created_at),
        "updated_at": rfc3339(thread.updated_at),
        "closed_at": rfc3339(thread.closed_at),
        "author_association": thread.association,
        "type": None,
        "active_lock_reason": None,
        "body": thread.body or None,
        "reactions": reactions(url, thread.reactions),
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": None,
        "state_reason": thread.state_reason.lower() if thread.state_reason else None,
    }
    if thread.kind is Kind.PULL:
        made["draft"] = thread.draft
        made["pull_request"] = {
            "url": f"{base}/repos/{repository.name}/pulls/{thread.number}",
            "html_url": web(thread),
            "diff_url": f"{web(thread)}.diff",
            "patch_url": f"{web(thread)}.patch",
            "merged_at": rfc3339(thread.merged_at),
        }
    return made


def whole_issue(thread: Thread, repository: Repository, base: str) -> dict[str, Any]:
    """An issue as its own address gives it: with who closed it."""
    closer = next((each.actor for each in reversed(thread.events) if each.kind == "ClosedEvent"), None)
    closed_by = account(closer, base) if closer and not thread.open else None
    return {**issue(thread, repository, base), "closed_by": closed_by}


def comment(written: Comment, repository: Repository, base: str) -> dict[str, Any]:
    """A comment of an issue or of a pull request."""
    url = f"{base}/repos/{repository.name}/issues/comments/{written.database_id}"
    thread = written.thread
    return {
        "url": url,
        "html_url": f"{web(thread)}#issuecomment-{written.database_id}",
        "issue_url": f"{base}/repos/{repository.name}/issues/{thread.number}",
        "id": written.database_id,
        "node_id": node_id("IssueComment", repository.database_id, thread.number, written.database_id),
        "user": whoever(written.author, repository, base),
        "created_at": rfc3339(written.created_at),
        "updated_at": rfc3339(written.updated_at),
        "body": written.body,
        "author_association": written.association,
        "reactions": reactions(url, written.reactions),
        "performed_via_github_app": None,
    }


def pull(thread: Thread, repository: Repository, base: str) -> dict[str, Any]:
    """A pull request as the pulls interface shows it."""
    url = f"{base}/repos/{repository.name}/pulls/{thread.number}"
    about = issue(thread, repository, base)
    same = (
        "html_url id node_id number title user labels state locked assignee assignees milestone created_at updated_at "
        "closed_at author_association active_lock_reason body draft comments"
    )
    merged = thread.merged_at is not None
    links = {
        "comments_url": about["comments_url"],
        "commits_url": f"{url}/commits",
        "issue_url": about["url"],
        "review_comment_url": f"{base}/repos/{repository.name}/pulls/comments{{/number}}",
        "review_comments_url": f"{url}/comments",
        "statuses_url": f"{base}/repos/{repository.name}/statuses/{thread.head_oid}",
    }
    names = {name.removesuffix("_url"): href for name, href in links.items()}
    return {
        "url": url,
        **{name: about[name] for name in same.split()},
        "diff_url": f"{web(thread)}.diff",
        "patch_url": f"{web(thread)}.patch",
        **links,
        "_links": {name: {"href": href} for name, href in {**names, "html": web(thread), "self": url}.items()},
        "head": _side(thread.head_ref, thread.head_oid, repository, base),
        "base": _side(thread.base_ref, "0" * 40, repository, base),
        "requested_reviewers": [],
        "requested_teams": [],
        "auto_merge": None,
        "merged": merged,
        "merged_at": rfc3339(thread.merged_at),
        "merge_commit_sha": thread.merge_commit.oid if thread.merge_commit else None,
        "merged_by": None,
        "mergeable": True if thread.open else None,
        "rebaseable": None,
        "mergeable_state": "blocked" if thread.open else "unknown",
        "maintainer_can_modify": False,
        "review_comments": 0,
        "commits": 1,
        "additions": sum(each.additions for each in thread.files),
        "deletions": sum(each.deletions for each in thread.files),
        "changed_files": len(thread.files),
    }


def _side(ref: str, oid: str, repository: Repository, base: str) -> dict[str, Any]:
    about = middle_repository(repository, base)
    return {"label": f"{repository.owner}:{ref}", "ref": ref, "sha": oid, "user": about["owner"], "repo": about}


def file(changed: File, oid: str, repository: Repository, base: str) -> dict[str, Any]:
    """A file that a pull request or a commit changes; one with no text has no patch."""
    path = quote(changed.path)
    made = {
        "sha": f"{sum(changed.path.encode()):040x}",
        "filename": changed.path,
        "status": STATUS[changed.change],
        "additions": changed.additions,
        "deletions": changed.deletions,
        "changes": changed.additions + changed.deletions,
        "blob_url": f"https://github.com/{repository.name}/blob/{oid}/{path}",
        "raw_url": f"https://github.com/{repository.name}/raw/{oid}/{path}",
        "contents_url": f"{base}/repos/{repository.name}/contents/{path}?ref={oid}",
    }
    return {**made, "patch": changed.patch} if changed.patch else made


def whole_file(changed: File, ref: str, repository: Repository, base: str) -> dict[str, Any]:
    """A file with its text in lines of base64, as git's mail does it; one above a megabyte comes without."""
    content, path = (changed.text or "").encode(), quote(changed.path)
    given = len(content) <= LARGEST_FILE
    url = f"{base}/repos/{repository.name}/contents/{path}?ref={ref}"
    sha = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
    git_url = f"{base}/repos/{repository.name}/git/blobs/{sha}"
    web_url = f"https://github.com/{repository.name}/blob/{ref}/{path}"
    return {
        "name": changed.path.rpartition("/")[2],
        "path": changed.path,
        "sha": sha,
        "size": len(content),
        "url": url,
        "html_url": web_url,
        "git_url": git_url,
        "download_url": f"https://raw.githubusercontent.com/{repository.name}/{ref}/{path}",
        "type": "file",
        "content": base64.encodebytes(content).decode() if given else "",
        "encoding": "base64" if given else "none",
        "_links": {"self": url, "git": git_url, "html": web_url},
    }
