"""GitHub's GraphQL nodes as items. What GitHub leaves out (a deleted author, a null body) is missing in the item."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from bot.errors import ForgeError
from bot.model import Comment, Item, Link, LinkKind
from bot.windows.landing import landed, reverted

Node = Mapping[str, Any]
NOISE = frozenset({"ABUSE", "SPAM"})
"""Why GitHub hid a comment that nobody should read; one that is outdated or resolved stays."""

CLOSING = (
    (LinkKind.FIXES, "closingIssuesReferences"),
    (LinkKind.FIXED_BY, "closedByPullRequestsReferences"),
)


def listed(node: Node, repo: str, landed_sha: str | None = None, reverts: int | None = None) -> Item:
    """An issue or pull request as a listing has it: body and labels, no comments, files or links but `reverts`."""
    pull = node["__typename"] == "PullRequest"
    return _item(
        repo=repo,
        number=node["number"],
        kind="pull" if pull else "issue",
        title=node["title"],
        body=node["body"],
        labels=[label["name"] for label in _nodes(node["labels"])],
        state=(node["pullState"] if pull else node["issueState"]).lower(),
        state_reason=node.get("stateReason"),
        author=_login(node["author"]),
        author_association=node["authorAssociation"],
        created_at=node["createdAt"],
        updated_at=node["updatedAt"],
        closed_at=node["closedAt"],
        merged_at=node.get("mergedAt"),
        url=node["url"],
        base_ref=node.get("baseRefName"),
        head_ref=node.get("headRefName"),
        head_sha=node.get("headRefOid"),
        landed_sha=landed_sha,
        links=[Link(kind=LinkKind.REVERTS, repo=repo, number=reverts)] if reverts else None,
    )


def committed(node: Node, repo: str) -> Item:
    """A commit on the default branch: its headline is the title, the rest of its message the body."""
    headline, _, body = node["message"].partition("\n")
    author = node.get("author") or {}
    revert = reverted(node["message"], repo)
    return _item(
        repo=repo,
        number=node["oid"],
        kind="commit",
        title=headline.strip() or node["oid"],
        body=body.strip(),
        state="merged",
        author=_login(author.get("user")) or author.get("name"),
        created_at=node["committedDate"],
        updated_at=node["committedDate"],
        merged_at=node["committedDate"],
        url=node["url"],
        landed_sha=node["oid"],
        links=[Link(kind=LinkKind.REVERTS, repo=repo, number=revert.pull)] if revert and revert.pull else None,
    )


def said(nodes: Iterable[Node]) -> tuple[Comment, ...]:
    """Comments in their order, without what was hidden as spam or abuse."""
    return tuple(
        Comment(
            author=_login(node["author"]) or "",
            author_association=node["authorAssociation"],
            created_at=node["createdAt"],
            body=node["body"],
        )
        for node in nodes
        if node and not (node["isMinimized"] and str(node["minimizedReason"]).upper() in NOISE)
    )


def links(node: Node, repo: str, own: int) -> tuple[Link, ...]:
    """What an item's timeline and references say that it belongs to; each link once, `fixes` before `mentions`."""
    found: dict[Link, None] = {}
    for kind, field in CLOSING:
        found |= dict.fromkeys(_link(kind, other) for other in _nodes(node.get(field)))
    for closer in _each(node["closings"], "closer"):
        if closer["__typename"] == "PullRequest":
            found[_link(LinkKind.FIXED_BY, closer)] = None
        elif closer["__typename"] == "Commit" and (pull := landed(closer["message"], repo)) not in (None, own):
            found[Link(kind=LinkKind.FIXED_BY, repo=repo, number=pull)] = None
    closer_of = {(one.repo, one.number) for one in found}
    for source in _each(node["references"], "source"):
        link = _link(LinkKind.MENTIONS, source)
        if (link.repo, link.number) not in closer_of | {(repo, own)}:
            found[link] = None
    return tuple(found)


def links_closing(node: Node, repo: str) -> tuple[int, ...]:
    """Numbers of the issues of its own repository that a pull request closes, as far as the node tells."""
    found = _nodes(node.get("closingIssuesReferences"))
    same = (one["number"] for one in found if one["repository"]["nameWithOwner"].lower() == repo.lower())
    return tuple(sorted(set(same)))


def landing_sha(node: Node, repo: str) -> str | None:
    """The commit by which a pull request landed: what closed it last, if that says so in its trailer.

    One that landed, was reverted and then closed by hand has none.
    """
    closer = next((event.get("closer") for event in reversed(_nodes(node["closings"]))), None)
    if closer and closer["__typename"] == "Commit" and landed(closer["message"], repo) == node["number"]:
        return str(closer["oid"])
    return None


def is_closing(node: Node) -> bool:
    """Does its timeline say what closed it last? GitHub's own merge button leaves no commit there."""
    return bool(_nodes(node["closings"])) and node["pullState"] != "MERGED"


def _nodes(connection: Node | None) -> list[Node]:
    """The nodes of a connection that are there; GitHub gives null for one that the token may not see."""
    return [node for node in (connection or {}).get("nodes") or () if node]


def _each(events: Node, field: str) -> list[Node]:
    """What the events of a timeline name there; null where the token may not see it."""
    return [event[field] for event in _nodes(events) if event.get(field)]


def _link(kind: LinkKind, node: Node) -> Link:
    return Link(kind=kind, repo=node["repository"]["nameWithOwner"], number=node["number"])


def _login(author: Node | None) -> str | None:
    """An app is `name[bot]`, as in REST and in commits; a person may be called `name`."""
    if author is None:
        return None
    return f"{author['login']}[bot]" if author.get("__typename") == "Bot" else str(author["login"])


def _item(**fields: Any) -> Item:
    try:
        return Item.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "it"
        raise ForgeError(f"GitHub's answer about #{fields['number']} can't be read: {field}: {first['msg']}") from error
