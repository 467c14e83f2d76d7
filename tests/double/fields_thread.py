"""GraphQL's view of threads, their comments and timelines, and of commits."""

import re
from typing import Any

from tests.double.ask import Ask
from tests.double.fields_root import Field
from tests.double.nouns import Comment, Event, Kind, Thread, node_id, rfc3339
from tests.double.paging import Page, page
from tests.double.world import Repository


def home(thread: Thread, ask: Ask) -> Repository:
    """The repository of a thread."""
    found = ask.world.repository(thread.repository)
    assert found is not None, thread.repository
    return found


def web(thread: Thread) -> str:
    """The page of a thread."""
    folder = {Kind.ISSUE: "issues", Kind.PULL: "pull", Kind.DISCUSSION: "discussions"}[thread.kind]
    return f"https://github.com/{thread.repository}/{folder}/{thread.number}"


def label(name: str, repository: str) -> dict[str, Any]:
    """A Label; its colour follows from its name."""
    return {
        "__typename": "Label",
        "name": name,
        "id": node_id("Label", repository, name),
        "color": f"{sum(name.encode()) % 0x1000000:06x}",
        "description": None,
        "isDefault": False,
        "url": f"https://github.com/{repository}/labels/{name.replace(' ', '%20')}",
    }


def labels(thread: Thread, ask: Ask, **asked: Any) -> Page:
    return page("LabelConnection", [label(name, thread.repository) for name in thread.labels], asked)


def comments(thread: Thread, ask: Ask, *, orderBy: Any = None, **asked: Any) -> Page:  # noqa: N803
    items = thread.comments
    if orderBy is not None:
        items = sorted(items, key=lambda each: each.updated_at, reverse=orderBy["direction"] == "DESC")
    name = "DiscussionCommentConnection" if thread.kind is Kind.DISCUSSION else "IssueCommentConnection"
    keyed = _comment_key if ask.world.cursors == "keyset" else None
    return page(name, items, asked, keyed)


def _comment_key(comment: Comment) -> tuple[str, str]:
    return comment.created_at.isoformat(), f"{comment.database_id:012}"


def timeline(thread: Thread) -> list[Event | Comment]:
    """Events and comments by time; a reference from a thread that is gone is gone too."""
    events = (each for each in thread.events if each.source is None or each.source.here)
    return sorted([*events, *thread.comments], key=lambda each: each.created_at)


def timeline_items(
    thread: Thread,
    ask: Ask,
    *,
    itemTypes: list[str] | None = None,  # noqa: N803
    since: Any = None,
    skip: int | None = None,
    **asked: Any,
) -> Page:
    items = [each for each in timeline(thread) if since is None or each.created_at >= since]
    if itemTypes is not None:
        kinds = {"".join(part.capitalize() for part in name.split("_")) for name in itemTypes}
        items = [each for each in items if getattr(each, "kind", "IssueComment") in kinds]
    made = page(f"{thread.kind}TimelineItemsConnection", items[skip or 0 :], asked)
    made.counts = {
        "filteredCount": len(items),
        "pageCount": len(made.nodes),
        "updatedAt": rfc3339(thread.updated_at),
    }
    return made


def references(thread: Thread, ask: Ask, **asked: Any) -> Page:
    """`closingIssuesReferences` of a pull request."""
    holder = home(thread, ask)
    items = [each for number in thread.closes if (each := holder.thread(number, Kind.ISSUE))]
    return page("IssueConnection", items, asked)


def closed_by(thread: Thread, ask: Ask, *, includeClosedPrs: bool = False, **asked: Any) -> Page:  # noqa: N803
    """`closedByPullRequestsReferences` of an issue: closed ones, which landed ones are too, only if asked for."""
    holder = home(thread, ask)
    items = [each for number in thread.closed_by if (each := holder.thread(number, Kind.PULL))]
    if not includeClosedPrs:
        items = [each for each in items if each.state != "CLOSED"]
    return page("PullRequestConnection", items, asked)


def files(thread: Thread, ask: Ask, **asked: Any) -> Page:
    items = [
        {
            "__typename": "PullRequestChangedFile",
            "path": each.path,
            "additions": each.additions,
            "deletions": each.deletions,
            "changeType": each.change,
            "viewerViewedState": "UNVIEWED",
        }
        for each in thread.files
    ]
    return page("PullRequestChangedFileConnection", items, asked)


def state_reason(thread: Thread, ask: Ask, *, enableDuplicate: bool = False) -> str | None:  # noqa: N803
    """DUPLICATE is shown only to who asks for it, and NOT_PLANNED to others (which of its neighbours is our guess)."""
    reason = thread.state_reason
    return "NOT_PLANNED" if reason == "DUPLICATE" and not enableDuplicate else reason


def _rows(name: str) -> Field:
    return lambda thread, _: sum(getattr(each, name) for each in thread.files)


THREAD: dict[str, Field] = {
    "id": lambda thread, ask: node_id(thread.kind, home(thread, ask).database_id, thread.number),
    "number": lambda thread, _: thread.number,
    "title": lambda thread, _: thread.title,
    "body": lambda thread, _: thread.body,
    "bodyText": lambda thread, _: re.sub(r"[`*#>]", "", thread.body),
    "url": lambda thread, _: web(thread),
    "permalink": lambda thread, _: web(thread),
    "resourcePath": lambda thread, _: web(thread).removeprefix("https://github.com"),
    "repository": home,
    "databaseId": lambda thread, _: thread.database_id,
    "fullDatabaseId": lambda thread, _: str(thread.database_id),
    "author": lambda thread, _: thread.author,
    "authorAssociation": lambda thread, _: thread.association,
    "state": lambda thread, _: thread.state,
    "stateReason": state_reason,
    "closed": lambda thread, _: not thread.open,
    "createdAt": lambda thread, _: rfc3339(thread.created_at),
    "publishedAt": lambda thread, _: rfc3339(thread.created_at),
    "updatedAt": lambda thread, _: rfc3339(thread.updated_at),
    "closedAt": lambda thread, _: rfc3339(thread.closed_at),
    "labels": labels,
    "comments": comments,
    "totalCommentsCount": lambda thread, _: len(thread.comments),
    "timelineItems": timeline_items,
    "closedByPullRequestsReferences": closed_by,
    "closingIssuesReferences": references,
    "files": files,
    "changedFiles": lambda thread, _: len(thread.files),
    "additions": _rows("additions"),
    "deletions": _rows("deletions"),
    "isDraft": lambda thread, _: thread.draft,
    "merged": lambda thread, _: thread.merged_at is not None,
    "mergedAt": lambda thread, _: rfc3339(thread.merged_at),
    "mergeCommit": lambda thread, _: thread.merge_commit,
    "mergeable": lambda thread, _: "MERGEABLE" if thread.open else "UNKNOWN",
    "mergeStateStatus": lambda thread, _: "BLOCKED" if thread.open else "UNKNOWN",
    "baseRefName": lambda thread, _: thread.base_ref,
    "baseRefOid": lambda *_: "0" * 40,
    "headRefName": lambda thread, _: thread.head_ref,
    "headRefOid": lambda thread, _: thread.head_oid,
    "headRepository": home,
    "baseRepository": home,
}

COMMENT: dict[str, Field] = {
    "id": lambda comment, ask: node_id(
        "IssueComment", home(comment.thread, ask).database_id, comment.thread.number, comment.database_id
    ),
    "databaseId": lambda comment, _: comment.database_id,
    "fullDatabaseId": lambda comment, _: str(comment.database_id),
    "author": lambda comment, _: comment.author,
    "authorAssociation": lambda comment, _: comment.association,
    "createdAt": lambda comment, _: rfc3339(comment.created_at),
    "publishedAt": lambda comment, _: rfc3339(comment.created_at),
    "updatedAt": lambda comment, _: rfc3339(comment.updated_at),
    "body": lambda comment, _: comment.body,
    "bodyText": lambda comment, _: re.sub(r"[`*#>]", "", comment.body),
    "isMinimized": lambda comment, _: comment.minimized,
    "url": lambda comment, _: f"{web(comment.thread)}#issuecomment-{comment.database_id}",
    "issue": lambda comment, _: comment.thread,
    "pullRequest": lambda comment, _: comment.thread if comment.thread.kind is Kind.PULL else None,
    "repository": lambda comment, ask: home(comment.thread, ask),
}


def _moved_from(event: Event, ask: Ask) -> Repository | None:
    return ask.world.repository(event.from_repository)


EVENT: dict[str, Field] = {
    "id": lambda event, _: node_id(event.kind, event.database_id),
    "actor": lambda event, _: event.actor,
    "createdAt": lambda event, _: rfc3339(event.created_at),
    "referencedAt": lambda event, _: rfc3339(event.created_at),
    "label": lambda event, _: label(event.label, event.thread.repository),
    "labelable": lambda event, _: event.thread,
    "closer": lambda event, _: event.closer,
    "closable": lambda event, _: event.thread,
    "stateReason": lambda event, _: event.state_reason,
    "source": lambda event, _: event.source,
    "target": lambda event, _: event.thread,
    "subject": lambda event, _: event.thread,
    "pullRequest": lambda event, _: event.thread,
    "issue": lambda event, _: event.thread,
    "isCrossRepository": lambda event, _: bool(event.source and event.source.repository != event.thread.repository),
    "willCloseTarget": lambda event, _: event.will_close,
    "commit": lambda event, _: event.commit,
    "commitRepository": lambda event, ask: home(event.thread, ask),
    "isDirectReference": lambda *_: False,
    "mergeRefName": lambda event, _: event.thread.base_ref,
    "previousTitle": lambda event, _: event.previous_title,
    "currentTitle": lambda event, _: event.current_title,
    "fromRepository": _moved_from,
    "url": lambda event, _: f"{web(event.thread)}#event-{event.database_id}",
}
