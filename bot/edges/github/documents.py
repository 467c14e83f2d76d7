"""Every GraphQL document that is sent. A test validates each of them against GitHub's published schema.

Once its head was frozen a repository is asked for under that name alone: under a new one nothing is the same.
A listing asks for bodies and labels only: what costs GitHub time (comments, timelines, links) is asked for the few
items that the classifier keeps, so that a page of a hundred stays far below GitHub's limit of about ten seconds.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """A query with the name under which GitHub's logs, our own and the stored pages know it."""

    name: str
    text: str


_ISSUE = """
fragment ListedIssue on Issue {
  __typename number title body url createdAt updatedAt closedAt authorAssociation issueState: state
  stateReason(enableDuplicate: true) author { __typename login } labels(first: 100) { nodes { name } }
}
"""
_PULL = """
fragment ListedPull on PullRequest {
  __typename number title body url createdAt updatedAt closedAt authorAssociation pullState: state
  mergedAt baseRefName headRefName headRefOid
  author { __typename login } labels(first: 100) { nodes { name } }
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


def _detailed(kind: str, of: str, linked: str) -> str:
    """The fragment of an issue or pull request with all that belongs to it."""
    return f"""
fragment Detailed{kind} on {of} {{
  ...Listed{kind}
  repository {{ nameWithOwner }}
  comments(first: 50) {{ ...Said }}
  closings: timelineItems(last: 10, itemTypes: [CLOSED_EVENT]) {{ nodes {{ ...Closed }} }}
  references: timelineItems(last: 50, itemTypes: [CROSS_REFERENCED_EVENT]) {{ nodes {{ ...Referenced }} }}
  {linked} {{ nodes {{ number repository {{ nameWithOwner }} }} }}
}}
"""


_DETAILED_ISSUE = _detailed("Issue", "Issue", "closedByPullRequestsReferences(first: 10, includeClosedPrs: true)")
_DETAILED_PULL = _detailed("Pull", "PullRequest", "closingIssuesReferences(first: 10)")
_EVENTS = """
fragment Closed on ClosedEvent {
  closer { __typename ... on Commit { oid message } ... on PullRequest { number repository { nameWithOwner } } }
}
fragment Referenced on CrossReferencedEvent {
  source {
    ... on Issue { number repository { nameWithOwner } }
    ... on PullRequest { number repository { nameWithOwner } }
  }
}
"""

_SAID = """
fragment Said on IssueCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes { body createdAt authorAssociation isMinimized minimizedReason author { __typename login } }
}
"""

_PLACED = """
fragment Placed on IssueOrPullRequest {
  __typename
  ... on Issue { number createdAt repository { nameWithOwner } }
  ... on PullRequest { number createdAt repository { nameWithOwner } }
}
"""
"""Where it is: GitHub may give an issue that was transferred under its old number, as it is in its new place."""

_LANDED = """
fragment Landed on Commit {
  oid message committedDate url author { name user { login } } parents(first: 1) { nodes { oid } }
}
"""

HEADS = Document(
    "Heads",
    """
query Heads($owner: String!, $name: String!, $targetOwner: String!, $targetName: String!, $discussions: Boolean!) {
  rateLimit { cost remaining resetAt }
  upstream: repository(owner: $owner, name: $name) {
    ...Head
    issues(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { number } }
    pullRequests(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) { nodes { number } }
    discussions(first: 1, orderBy: {field: CREATED_AT, direction: DESC}) @include(if: $discussions) { nodes { number } }
  }
  target: repository(owner: $targetOwner, name: $targetName) { ...Head }
}
fragment Head on Repository {
  nameWithOwner defaultBranchRef { name target { oid ... on Commit { history(first: 1) { nodes { oid } } } } }
}
""",
)
"""Touches everything that a listing reads, so that what the token may not read is known before one is begun."""

UPDATED = Document(
    "Updated",
    """
query Updated($owner: String!, $name: String!, $first: Int!, $issues: Boolean!, $issuesAfter: String,
              $pulls: Boolean!, $pullsAfter: String) {
  rateLimit { cost remaining resetAt }
  repository(owner: $owner, name: $name, followRenames: false) {
    nameWithOwner
    issues(first: $first, after: $issuesAfter, orderBy: {field: UPDATED_AT, direction: DESC}) @include(if: $issues) {
      pageInfo { hasNextPage }
      edges { cursor node { ...ListedIssue } }
    }
    pulls: pullRequests(first: $first, after: $pullsAfter, orderBy: {field: UPDATED_AT, direction: DESC})
    @include(if: $pulls) {
      pageInfo { hasNextPage }
      edges { cursor node { ...ListedPull } }
    }
  }
}
"""
    + _ISSUE
    + _PULL,
)
"""Last changed first. Both kinds begin in one answer, so that its newest change is a moment up to which all is seen."""


def _tracked(order: str) -> str:
    """Threads of a tracker in an order, with what each pull request closes; one page of each kind."""
    return (
        f"""$owner: String!, $name: String!, $first: Int!, $issues: Boolean!, $issuesAfter: String,
             $pulls: Boolean!, $pullsAfter: String) {{
  rateLimit {{ cost remaining resetAt }}
  repository(owner: $owner, name: $name, followRenames: false) {{
    nameWithOwner
    issues(first: $first, after: $issuesAfter, orderBy: {order}) @include(if: $issues) {{
      pageInfo {{ hasNextPage }}
      edges {{ cursor node {{ ...ListedIssue }} }}
    }}
    pulls: pullRequests(first: $first, after: $pullsAfter, orderBy: {order}) @include(if: $pulls) {{
      pageInfo {{ hasNextPage }}
      edges {{ cursor node {{
        ...ListedPull
        closingIssuesReferences(first: 10) {{ nodes {{ number repository {{ nameWithOwner }} }} }}
      }} }}
    }}
  }}
}}
"""
        + _ISSUE
        + _PULL
    )


TRACKER = Document("Tracker", "query Tracker(" + _tracked("{field: CREATED_AT, direction: ASC}"))
"""Oldest first: what is opened meanwhile comes at the end, so that a reading which was cut short goes on."""
TRACKER_UPDATED = Document("TrackerUpdated", "query TrackerUpdated(" + _tracked("{field: UPDATED_AT, direction: DESC}"))

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
query Window($owner: String!, $name: String!, $head: GitObjectID!, $until: GitTimestamp!, $first: Int!,
             $issues: Boolean!, $issuesAfter: String, $pulls: Boolean!, $pullsAfter: String,
             $commits: Boolean!, $commitsAfter: String) {
  rateLimit { cost remaining resetAt }
  repository(owner: $owner, name: $name, followRenames: false) {
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
      history(first: $first, after: $commitsAfter, until: $until) {
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
  repository(owner: $owner, name: $name, followRenames: false) {
    issueOrPullRequest(number: $number) {
      ... on Issue { comments(first: $first, after: $after) { ...Said } }
      ... on PullRequest { comments(first: $first, after: $after) { ...Said } }
    }
  }
}
"""
    + _SAID,
)

DOCUMENTS = (HEADS, WINDOW, SEARCH, COMMENTS, UPDATED, TRACKER, TRACKER_UPDATED)
"""Those of one text; the others are made for the numbers or commits that they ask for."""


def by_number(numbers: Iterable[int]) -> Document:
    """Issues and pull requests by their numbers, each under the alias `nNUMBER`; null where GitHub knows none."""
    asked = "\n".join(
        f"    n{number}: issueOrPullRequest(number: {number}) {{ ...Listed ...Placed }}" for number in numbers
    )
    return Document("Numbers", _aliased("Numbers", asked) + _PLACED + _LISTED)


def details(kinds: Mapping[int, bool]) -> Document:
    """Likewise with comments, timelines and links. `kinds` says of each whether it is a pull request.

    GitHub charges for all that may come: asked for as what it is, an item costs half.
    """
    pulls, issues = [n for n, pull in kinds.items() if pull], [n for n, pull in kinds.items() if not pull]
    asked = [f"    n{number}: pullRequest(number: {number}) {{ ...DetailedPull }}" for number in pulls]
    asked += [f"    n{number}: issue(number: {number}) {{ ...DetailedIssue }}" for number in issues]
    used = [_EVENTS, _SAID, *([_PULL, _DETAILED_PULL] if pulls else []), *([_ISSUE, _DETAILED_ISSUE] if issues else [])]
    return Document("Details", _aliased("Details", "\n".join(asked)) + "".join(used))


def fates(numbers: Iterable[int]) -> Document:
    """What became of numbers: an issue or pull request under `nNUMBER`, a discussion under `dNUMBER`."""
    asked = "\n".join(
        f"    n{number}: issueOrPullRequest(number: {number}) {{ ...Placed }}\n"
        f"    d{number}: discussion(number: {number}) {{ createdAt }}"
        for number in numbers
    )
    return Document("Fates", _aliased("Fates", asked) + _PLACED)


def paths(numbers: Iterable[int]) -> Document:
    """The paths that pull requests change, each under the alias `nNUMBER`; the first fifty do."""
    asked = "\n".join(
        f"    n{number}: pullRequest(number: {number}) {{ files(first: 50) {{ nodes {{ path }} }} }}"
        for number in numbers
    )
    return Document("Paths", _aliased("Paths", asked))


def commits(oids: Iterable[str]) -> Document:
    """Commits by their whole sha, each under the alias `cSHA`."""
    asked = "\n".join(f'    c{oid}: object(oid: "{oid}") {{ ...Landed }}' for oid in oids)
    return Document("Commits", _aliased("Commits", asked) + _LANDED)


def _aliased(name: str, asked: str) -> str:
    return f"""
query {name}($owner: String!, $name: String!) {{
  rateLimit {{ cost remaining resetAt }}
  repository(owner: $owner, name: $name, followRenames: false) {{
{asked}
  }}
}}
"""
