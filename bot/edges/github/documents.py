"""Every GraphQL document that is sent. A test validates each of them against GitHub's published schema.

A listing asks for bodies and labels only: what costs GitHub time (comments, timelines, links) is asked for the few
items that the classifier keeps, so that a page of a hundred stays far below GitHub's limit of about ten seconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A query with the name under which GitHub's logs, our own and the stored pages know it."""

    name: str
    text: str


_ISSUE = """
fragment ListedIssue on Issue {
  __typename number title body url createdAt updatedAt closedAt authorAssociation issueState: state
  author { login } labels(first: 100) { nodes { name } }
}
"""
_PULL = """
fragment ListedPull on PullRequest {
  __typename number title body url createdAt updatedAt closedAt authorAssociation pullState: state
  mergedAt baseRefName headRefName headRefOid
  author { login } labels(first: 100) { nodes { name } }
}
"""
_LISTED = (
    """
fragment Listed on Node { ...ListedIssue ...ListedPull }
"""
    + _ISSUE
    + _PULL
)
"""Of both kinds. Where only one can come its own is asked for: GitHub charges for either."""

_DETAILED = """
fragment Detailed on Node {
  ...Listed
  ... on Issue {
    comments(first: 50) { ...Said }
    timelineItems(last: 50, itemTypes: [CLOSED_EVENT, CROSS_REFERENCED_EVENT]) { nodes { ...Closed ...Referenced } }
    closedByPullRequestsReferences(first: 10, includeClosedPrs: true) { nodes { number repository { nameWithOwner } } }
  }
  ... on PullRequest {
    comments(first: 50) { ...Said }
    timelineItems(last: 50, itemTypes: [CLOSED_EVENT, CROSS_REFERENCED_EVENT]) { nodes { ...Closed ...Referenced } }
    closingIssuesReferences(first: 10) { nodes { number repository { nameWithOwner } } }
  }
}
fragment Closed on ClosedEvent {
  __typename
  closer {
    __typename
    ... on Commit { oid message }
    ... on PullRequest { number repository { nameWithOwner } }
  }
}
fragment Referenced on CrossReferencedEvent {
  __typename
  source {
    ... on Issue { number repository { nameWithOwner } }
    ... on PullRequest { number repository { nameWithOwner } }
  }
}
"""

_SAID = """
fragment Said on IssueCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes { body createdAt authorAssociation isMinimized minimizedReason author { login } }
}
"""

_LANDED = """
fragment Landed on Commit {
  oid message committedDate url author { name user { login } } parents(first: 1) { nodes { oid } }
}
"""

HEADS = Document(
    "Heads",
    """
query Heads($owner: String!, $name: String!, $targetOwner: String!, $targetName: String!) {
  rateLimit { cost remaining resetAt }
  upstream: repository(owner: $owner, name: $name) {
    ...Head
    issues(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { number } }
    pullRequests(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { number } }
    discussions(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { number } }
  }
  target: repository(owner: $targetOwner, name: $targetName) { ...Head }
}
fragment Head on Repository { nameWithOwner defaultBranchRef { name target { oid } } }
""",
)


def _updated(name: str, field: str, fragment: str, text: str) -> Document:
    """A connection of the repository, last changed first: what changes meanwhile shifts pages, but hides nothing."""
    return Document(
        name,
        f"""
query {name}($owner: String!, $name: String!, $first: Int!, $after: String) {{
  rateLimit {{ cost remaining resetAt }}
  repository(owner: $owner, name: $name) {{
    page: {field}(first: $first, after: $after, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ ...{fragment} }}
    }}
  }}
}}
"""
        + text,
    )


UPDATED_ISSUES = _updated("UpdatedIssues", "issues", "ListedIssue", _ISSUE)
UPDATED_PULLS = _updated("UpdatedPulls", "pullRequests", "ListedPull", _PULL)

SEARCH = Document(
    "Search",
    """
query Search($query: String!, $first: Int!, $after: String) {
  rateLimit { cost remaining resetAt }
  page: search(type: ISSUE, query: $query, first: $first, after: $after) {
    issueCount
    pageInfo { hasNextPage endCursor }
    nodes { ...Listed }
  }
}
"""
    + _LISTED,
)

WINDOW = Document(
    "Window",
    """
query Window($owner: String!, $name: String!, $head: GitObjectID!, $since: GitTimestamp!, $until: GitTimestamp!,
             $first: Int!, $issues: Boolean!, $issuesAfter: String, $pulls: Boolean!, $pullsAfter: String,
             $commits: Boolean!, $commitsAfter: String) {
  rateLimit { cost remaining resetAt }
  repository(owner: $owner, name: $name) {
    issues(first: $first, after: $issuesAfter, orderBy: {field: CREATED_AT, direction: DESC})
    @include(if: $issues) {
      pageInfo { hasNextPage endCursor }
      nodes { ...ListedIssue }
    }
    pulls: pullRequests(first: $first, after: $pullsAfter, orderBy: {field: CREATED_AT, direction: DESC})
    @include(if: $pulls) {
      pageInfo { hasNextPage endCursor }
      nodes { ...ListedPull }
    }
    object(oid: $head) @include(if: $commits) { ... on Commit {
      history(first: $first, after: $commitsAfter, since: $since, until: $until) {
        pageInfo { hasNextPage endCursor }
        nodes { ...Landed }
      }
    } }
  }
}
"""
    + _ISSUE
    + _PULL
    + _LANDED,
)
"""One page each of what a window is listed from. Together they take a third of the requests."""

COMMENTS = Document(
    "Comments",
    """
query Comments($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  rateLimit { cost remaining resetAt }
  repository(owner: $owner, name: $name) {
    issueOrPullRequest(number: $number) {
      ... on Issue { comments(first: $first, after: $after) { ...Said } }
      ... on PullRequest { comments(first: $first, after: $after) { ...Said } }
    }
  }
}
"""
    + _SAID,
)

DOCUMENTS = (HEADS, WINDOW, SEARCH, COMMENTS, UPDATED_ISSUES, UPDATED_PULLS)
"""Those of one text; the others are made for the numbers or commits that they ask for."""


def by_number(numbers: Iterable[int], *, detailed: bool) -> Document:
    """Issues and pull requests by their numbers, each under the alias `nNUMBER`; null where GitHub knows none."""
    name, fragment = ("Details", "Detailed") if detailed else ("Numbers", "Listed")
    asked = "\n".join(f"    n{number}: issueOrPullRequest(number: {number}) {{ ...{fragment} }}" for number in numbers)
    return Document(name, _aliased(name, asked) + _LISTED + (_DETAILED + _SAID if detailed else ""))


def fates(numbers: Iterable[int]) -> Document:
    """What became of numbers: an issue or pull request under `nNUMBER`, a discussion under `dNUMBER`."""
    asked = "\n".join(
        f"    n{number}: issueOrPullRequest(number: {number}) {{ ...Created }}\n"
        f"    d{number}: discussion(number: {number}) {{ createdAt }}"
        for number in numbers
    )
    created = """
fragment Created on IssueOrPullRequest {
  __typename
  ... on Issue { createdAt repository { nameWithOwner } }
  ... on PullRequest { createdAt repository { nameWithOwner } }
}
"""
    return Document("Fates", _aliased("Fates", asked) + created)


def commits(oids: Iterable[str]) -> Document:
    """Commits by their whole sha, each under the alias `cSHA`."""
    asked = "\n".join(f'    c{oid}: object(oid: "{oid}") {{ ...Landed }}' for oid in oids)
    return Document("Commits", _aliased("Commits", asked) + _LANDED)


def _aliased(name: str, asked: str) -> str:
    return f"""
query {name}($owner: String!, $name: String!) {{
  rateLimit {{ cost remaining resetAt }}
  repository(owner: $owner, name: $name) {{
{asked}
  }}
}}
"""
