"""GitHub's nodes as items: what is left out there is missing here, and what can't be read says which item it is."""

from typing import Any

import pytest

from bot.edges.github.nodes import committed, landing_sha, links, listed, said
from bot.errors import ForgeError
from bot.model import ItemKind, Link

REPO = "pytorch/pytorch"
ISSUE: dict[str, Any] = {
    "__typename": "Issue",
    "number": 7,
    "title": "A fault",
    "body": "Text",
    "url": f"https://github.com/{REPO}/issues/7",
    "createdAt": "2026-11-28T00:00:00Z",
    "updatedAt": "2026-11-28T01:00:00Z",
    "closedAt": None,
    "authorAssociation": "NONE",
    "issueState": "OPEN",
    "author": {"__typename": "User", "login": "reporter"},
    "labels": {"nodes": [{"name": "module: cuda"}]},
}
PULL: dict[str, Any] = {
    **{name: content for name, content in ISSUE.items() if name != "issueState"},
    "__typename": "PullRequest",
    "pullState": "MERGED",
    "mergedAt": "2026-11-28T02:00:00Z",
    "baseRefName": "main",
    "headRefName": "fix",
    "headRefOid": "a" * 40,
}
COMMIT: dict[str, Any] = {
    "oid": "b" * 40,
    "message": "Bump a version\n\nBecause.",
    "committedDate": "2026-11-28T03:00:00Z",
    "url": f"https://github.com/{REPO}/commit/{'b' * 40}",
    "author": {"name": "Someone", "user": {"login": "someone"}},
    "parents": {"nodes": []},
}


def test_an_issue_and_a_pull_request() -> None:
    """Both kinds have what a listing tells of them, and the commit that is given with them."""
    issue = listed(ISSUE, REPO)
    assert (issue.kind, issue.state, issue.author, issue.labels) == ("issue", "open", "reporter", ("module: cuda",))
    assert (issue.landed_sha, issue.links, issue.base_ref) == (None, (), None)
    pull = listed(PULL, REPO, "c" * 40, 5)
    assert (pull.kind, pull.state, pull.landed_sha, pull.head_sha) == ("pull", "merged", "c" * 40, "a" * 40)
    assert pull.links == (Link(kind="reverts", repo=REPO, number=5),)


@pytest.mark.parametrize(
    ("author", "login"),
    [
        (None, ""),
        ({"__typename": "User", "login": "dependabot"}, "dependabot"),
        ({"__typename": "Bot", "login": "dependabot"}, "dependabot[bot]"),
        ({"__typename": "Mannequin", "login": "old"}, "old"),
    ],
)
def test_authors(author: object, login: str) -> None:
    """A deleted account is nobody, and an app is not the person who has its name."""
    assert listed({**ISSUE, "author": author}, REPO).author == login


def test_what_is_null_is_missing() -> None:
    """Null body, null labels, a null label: nothing of it is invented, and nothing fails."""
    assert listed({**ISSUE, "body": None, "labels": None}, REPO).body == ""
    assert listed({**ISSUE, "labels": {"nodes": [None, {"name": "bug"}]}}, REPO).labels == ("bug",)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({**ISSUE, "issueState": "BANANA"}, "#7 can't be read: state"),
        ({**ISSUE, "createdAt": "yesterday"}, "#7 can't be read: created_at"),
        ({**ISSUE, "number": -7}, "#-7 can't be read: it"),
    ],
)
def test_what_cannot_be_read_is_named(node: dict[str, Any], said: str) -> None:
    """The error is one of GitHub's, so that the window stays open, and names the item and the field."""
    with pytest.raises(ForgeError, match=said):
        listed(node, REPO)


def test_a_commit() -> None:
    """Headline and body are apart, its author is an account or else a name; an empty message is no reason to fail."""
    item = committed(COMMIT, REPO)
    assert (item.kind, item.title, item.body, item.author) == (ItemKind.COMMIT, "Bump a version", "Because.", "someone")
    assert (item.number, item.landed_sha, item.state, item.links) == ("b" * 40, "b" * 40, "merged", ())
    assert committed({**COMMIT, "author": {"name": "Someone", "user": None}}, REPO).author == "Someone"
    assert committed({**COMMIT, "author": None}, REPO).author == ""
    assert committed({**COMMIT, "message": ""}, REPO).title == "b" * 40


def test_a_revert_links_what_it_takes_back() -> None:
    """As far as its message names a pull request."""
    message = f'Revert "A change (#5)"\n\nReverted https://github.com/{REPO}/pull/5 on behalf of x due to y'
    assert committed({**COMMIT, "message": message}, REPO).links == (Link(kind="reverts", repo=REPO, number=5),)
    assert committed({**COMMIT, "message": 'Revert "A change"\n\nThis reverts commit abcdef1.'}, REPO).links == ()


def comment(body: str, reason: str | None) -> dict[str, Any]:
    """A comment, hidden for a reason."""
    node = {"author": None, "authorAssociation": "NONE", "createdAt": "2026-11-28T00:00:00Z", "body": body}
    return {**node, "isMinimized": reason is not None, "minimizedReason": reason}


def test_hidden_comments() -> None:
    """Spam and abuse are left out, whatever the case of the word; what is outdated, or hidden for no reason, stays."""
    reasons = [None, "spam", "SPAM", "abuse", "outdated", "resolved", ""]
    kept = said([None, *(comment(str(reason), reason) for reason in reasons)])  # type: ignore[list-item]
    assert [one.body for one in kept] == ["None", "outdated", "resolved", ""]


def thread(number: int, repo: str = REPO) -> dict[str, Any]:
    """An issue or pull request that is pointed at."""
    return {"number": number, "repository": {"nameWithOwner": repo}}


def closer(message: str, oid: str = "d" * 40) -> dict[str, Any]:
    """A commit that closed something."""
    return {"closer": {"__typename": "Commit", "oid": oid, "message": message}}


def landing(number: int) -> str:
    """The message of a commit that lands a pull request."""
    return f"A change (#{number})\n\nPull Request resolved: https://github.com/{REPO}/pull/{number}"


def test_links_of_every_shape() -> None:
    """Each item once, what closed it before who mentions it; itself, nulls and unknown closers are no links."""
    node = {
        "closedByPullRequestsReferences": {"nodes": [None, thread(9)]},
        "closings": {
            "nodes": [
                None,
                {"closer": None},
                closer(landing(10)),
                closer("Unrelated"),
                {"closer": {"__typename": "PullRequest", **thread(11, "other/place")}},
                {"closer": {"__typename": "ProjectV2"}},
            ]
        },
        "references": {
            "nodes": [{"source": source} for source in (None, thread(7), thread(9), thread(12), thread(12))]
        },
    }
    assert [(link.kind, link.repo, link.number) for link in links(node, REPO, 7)] == [
        ("fixed-by", REPO, 9),
        ("fixed-by", REPO, 10),
        ("fixed-by", "other/place", 11),
        ("mentions", REPO, 12),
    ]


@pytest.mark.parametrize("last", [closer(landing(8), "3" * 40), closer("No"), {"closer": None}])
def test_the_landing_is_what_closed_it_last(last: dict[str, Any]) -> None:
    """A closer that lands another pull request, or none, is not how this one landed; nor is a landing before it."""
    closings = [closer(landing(7), "1" * 40), closer(landing(7), "2" * 40), None]
    assert landing_sha({"number": 7, "closings": {"nodes": closings}}, REPO) == "2" * 40
    assert landing_sha({"number": 7, "closings": {"nodes": [*closings, last]}}, REPO) is None
    assert landing_sha({"number": 7, "closings": {"nodes": []}}, REPO) is None


def test_why_an_issue_was_closed() -> None:
    """As GitHub says it; a word that is not known yet, or none, tells nothing and is no reason to fail."""
    said = [listed({**ISSUE, "stateReason": reason}, REPO).state_reason for reason in ("NOT_PLANNED", "NEW", None)]
    assert said == ["not_planned", None, None]
    assert listed(ISSUE, REPO).state_reason is None
