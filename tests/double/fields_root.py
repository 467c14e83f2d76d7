"""GraphQL's view of the world, from the root down to repositories and commits."""

from collections.abc import Callable
from typing import Any

from tests.double.ask import Ask, visible
from tests.double.cost import PAGE_LIMIT
from tests.double.nouns import Actor, Commit, Kind, Thread, node_id, read_node_id, rfc3339
from tests.double.paging import Page, page
from tests.double.refusal import Refused
from tests.double.search import found
from tests.double.world import Repository, sort_key

Field = Callable[..., Any]

ORDERS = {"CREATED_AT": "created_at", "UPDATED_AT": "updated_at", "COMMENTS": "comments"}


def repository(_: Any, ask: Ask, *, owner: str, name: str, followRenames: bool = True) -> Repository:  # noqa: N803
    known = ask.world.repository(f"{owner}/{name}", follow=followRenames)
    if known is None or not visible(ask.token, known):
        raise Refused("NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'.")
    return known


def node(_: Any, ask: Ask, *, id: str) -> Any:  # noqa: A002
    thing = _by_node_id(ask, id)
    if thing is None:
        raise Refused("NOT_FOUND", f"Could not resolve to a node with the global id of '{id}'")
    return thing


def _by_node_id(ask: Ask, text: str) -> Any:
    """The thing of a global id, if it is visible."""
    match read_node_id(text):
        case ["Repository", number]:
            return ask.world.repository_by_id(int(number))
        case ["Commit", number, oid]:
            holder = ask.world.repository_by_id(int(number))
            return holder.by_oid.get(oid) if holder else None
        case [("Issue" | "PullRequest" | "Discussion") as kind, number, thread]:
            holder = ask.world.repository_by_id(int(number))
            return holder.thread(int(thread), Kind(kind)) if holder else None
        case ["IssueComment", number, thread, comment]:
            holder = ask.world.repository_by_id(int(number))
            above = holder.thread(int(thread), Kind.ISSUE, Kind.PULL) if holder else None
            return next((each for each in above.comments if each.database_id == int(comment)), None) if above else None
    return None


def nodes(_: Any, ask: Ask, *, ids: list[str]) -> list[Any]:
    """Each of the nodes, or an error and null in its place."""
    if len(ids) > PAGE_LIMIT:
        raise Refused(
            "ARGUMENT_LIMIT", f"You may not provide more than {PAGE_LIMIT} node ids; you provided {len(ids)}."
        )
    return [_by_node_id(ask, each) or _unresolved(each) for each in ids]


def _unresolved(text: str) -> Refused:
    return Refused("NOT_FOUND", f"Could not resolve to a node with the global id of '{text}'")


def rate_limit(_: Any, ask: Ask, **__: Any) -> dict[str, Any]:
    budget = ask.budget
    return {
        "__typename": "RateLimit",
        "cost": ask.cost.points,
        "limit": budget.limit,
        "nodeCount": ask.cost.nodes,
        "remaining": budget.remaining,
        "resetAt": rfc3339(budget.resets_at),
        "used": budget.used,
    }


def search(_: Any, ask: Ask, *, query: str, type: str, **asked: Any) -> Page:  # noqa: A002
    if type not in {"ISSUE", "ISSUE_ADVANCED"}:
        raise Refused("NOT_IMPLEMENTED", f"the double searches for ISSUE only, not for {type}")
    answer = found(ask.world, ask.token, query, ask.settings.indexed_until)
    made = page("SearchResultItemConnection", answer.reachable, asked)
    made.counts = {"issueCount": answer.total, "repositoryCount": 0, "userCount": 0, "discussionCount": 0}
    return made


ROOT: dict[str, Field] = {
    "repository": repository,
    "node": node,
    "nodes": nodes,
    "rateLimit": rate_limit,
    "search": search,
    "viewer": lambda _, ask: ask.world.account(ask.token.login),
}


def _threads(kind: Kind, permission: str) -> Field:
    """A repository's connection of issues or of pull requests."""

    def connection(source: Repository, ask: Ask, *, orderBy: Any = None, **asked: Any) -> Page:  # noqa: N803
        ask.need(source, permission)
        order = ORDERS[orderBy["field"]] if orderBy else "created_at"
        descending = bool(orderBy) and orderBy["direction"] == "DESC"
        items = [each for each in source.listed(kind, order) if _wanted(each, asked)]
        if descending:
            items.reverse()
        keyed = (lambda each: thread_key(each, order)) if ask.world.cursors == "keyset" else None
        return page(f"{kind}Connection", items, asked, keyed, descending=descending)

    return connection


def thread_key(thread: Thread, order: str) -> tuple[str, str]:
    """Sort key and id of a thread, as text that sorts alike."""
    value = sort_key(thread, order)
    return f"{value:09}" if isinstance(value, int) else value.isoformat(), f"{thread.database_id:012}"


UNFILTERED = {"assignee", "mentioned", "milestone", "milestoneNumber"}


def _wanted(thread: Thread, asked: dict[str, Any]) -> bool:
    """Whether a thread passes the arguments of a connection."""
    filters = asked.get("filterBy") or {}
    if UNFILTERED & {name for name, content in filters.items() if content is not None}:
        raise Refused("NOT_IMPLEMENTED", f"the double does not filter by {sorted(UNFILTERED & set(filters))}")
    states = asked.get("states") or filters.get("states")
    labels = asked.get("labels") or filters.get("labels")
    author = filters.get("createdBy")
    since = filters.get("since")
    return (
        (not states or thread.state in states)
        and (not labels or bool(set(labels) & set(thread.labels)))
        and (not author or (thread.author is not None and thread.author.login == author))
        and (since is None or thread.updated_at >= since)
        and asked.get("baseRefName") in {None, thread.base_ref}
        and asked.get("headRefName") in {None, thread.head_ref}
    )


def _one(what: str, permission: str, *kinds: Kind) -> Field:
    """A repository's field for one number. A transferred one is found if the world says so."""

    def single(source: Repository, ask: Ask, *, number: int) -> Thread:
        ask.need(source, permission)
        thread = source.thread(number, *kinds)
        gone = source.threads.get(number)
        if thread is None and gone and gone.moved_to and ask.world.follows_transfers:
            target = ask.world.repository(gone.moved_to[0])
            thread = target.thread(gone.moved_to[1], *kinds) if target else None
        if thread is None:
            raise Refused("NOT_FOUND", f"Could not resolve to {what} with the number of {number}.")
        return thread

    return single


def branch(source: Repository, name: str) -> dict[str, Any] | None:
    """A Ref; None where the branch has no commit or another name."""
    if source.head is None or name not in {source.default_branch, f"refs/heads/{source.default_branch}"}:
        return None
    return {
        "__typename": "Ref",
        "id": node_id("Ref", source.database_id, source.default_branch),
        "name": source.default_branch,
        "prefix": "refs/heads/",
        "target": source.head,
        "repository": source,
    }


def git_object(source: Repository, ask: Ask, *, oid: str | None = None, expression: str | None = None) -> Any:
    """A commit, or with `commit:path` the text of a file."""
    ask.need(source, "contents")
    name, colon, path = (oid or expression or "").partition(":")
    held = source.commit(name)
    if held is None or not colon:
        return held
    text = source.blobs.get(path)
    if text is None:
        return None
    return {"__typename": "Blob", "text": text, "byteSize": len(text.encode()), "isBinary": False, "isTruncated": False}


def _owner(source: Repository, ask: Ask) -> dict[str, Any]:
    return {"__typename": "Organization", "login": source.owner, "url": f"https://github.com/{source.owner}"}


REPOSITORY: dict[str, Field] = {
    "id": lambda source, _: source.node_id,
    "databaseId": lambda source, _: source.database_id,
    "name": lambda source, _: source.name.partition("/")[2],
    "nameWithOwner": lambda source, _: source.name,
    "owner": _owner,
    "url": lambda source, _: f"https://github.com/{source.name}",
    "isArchived": lambda source, _: source.archived,
    "isPrivate": lambda source, _: source.private,
    "visibility": lambda source, _: "PRIVATE" if source.private else "PUBLIC",
    "hasIssuesEnabled": lambda *_: True,
    "defaultBranchRef": lambda source, _: branch(source, source.default_branch),
    "ref": lambda source, _, **asked: branch(source, asked["qualifiedName"]),
    "object": git_object,
    "issues": _threads(Kind.ISSUE, "issues"),
    "pullRequests": _threads(Kind.PULL, "pull_requests"),
    "issue": _one("an Issue", "issues", Kind.ISSUE),
    "pullRequest": _one("a PullRequest", "pull_requests", Kind.PULL),
    "issueOrPullRequest": _one("an issue or pull request", "issues", Kind.ISSUE, Kind.PULL),
    "discussion": _one("a Discussion", "discussions", Kind.DISCUSSION),
}

ACTOR: dict[str, Field] = {
    "login": lambda actor, _: actor.graphql_login,
    "databaseId": lambda actor, _: actor.database_id,
    "id": lambda actor, _: node_id("Account", actor.database_id),
    "url": lambda actor, _: f"https://github.com/{actor.graphql_login}",
    "avatarUrl": lambda actor, _, **__: f"https://avatars.githubusercontent.com/u/{actor.database_id}",
}


def typename(thing: Any) -> str:
    """The GraphQL type of a value of the world."""
    match thing:
        case dict():
            return str(thing["__typename"])
        case Thread() | Actor():
            return str(thing.kind)
        case Repository() | Commit():
            return type(thing).__name__
        case Page():
            return thing.typename
    kind: str = getattr(thing, "kind", "IssueComment")
    return kind
