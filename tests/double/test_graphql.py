"""GraphQL: documents are checked against GitHub's schema, charged as documented, and answered from the world."""

from datetime import UTC, date, datetime, timedelta

import pytest

from tests.double import Double, Token, World, changes, landing, seed_day
from tests.double.asking import HERE, ask, needs_schema, numbers, post

pytestmark = needs_schema
NOON = datetime(2026, 11, 11, 12, tzinfo=UTC)
PAGES = f"""query Pages($after: String) {{ {HERE} {{
  %s(first: 10, after: $after, orderBy: {{field: CREATED_AT, direction: %s}}) {{
    nodes {{ number }} pageInfo {{ hasNextPage endCursor }} }} }} }}"""


def world_of(issues: int) -> World:
    world = World(NOON)
    repository = world.add_repository("pytorch/pytorch", next_number=1)
    for place in range(issues):
        changes.create_issue(repository, f"issue {place}", at=NOON + timedelta(seconds=place))
    return world


@pytest.mark.parametrize(("kind", "listed"), [("issues", "issues"), ("pullRequests", "pulls")])
def test_pages_of_a_day_hold_each_item_once(kind: str, listed: str) -> None:
    """Paging over a seeded day gives exactly its visible numbers."""
    world = World()
    day = seed_day(world, date(2026, 11, 11), items=60)
    with Double(world) as double:
        found = numbers(double, PAGES % (kind, "ASC"), kind)
        assert len(found) == len(set(found))
        threads = world.repositories["pytorch/pytorch"].threads
        assert [each for each in found if day.start <= threads[each].created_at < day.end] == getattr(day, listed)


def test_unknown_fields_and_bare_connections_are_refused() -> None:
    """A field that GitHub does not have, or a connection without a page size, is an error without data or cost."""
    with Double(world_of(1)) as double:
        invented = ask(double, f"{{ {HERE} {{ duplicates }} }}")
        assert "data" not in invented
        assert "duplicates" in invented["errors"][0]["message"]
        bare = ask(double, f"{{ {HERE} {{ issues {{ totalCount }} }} }}")
        assert [each["type"] for each in bare["errors"]] == ["MISSING_PAGINATION_BOUNDARIES"]
        assert double.points == 0


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ("issues(first: 101) { totalCount }", "EXCESSIVE_PAGINATION"),
        ("issues(first: 0) { totalCount }", "INVALID_PAGINATION"),
        ("issues(first: 100) { nodes { comments(first: 100) { nodes { reactions(first: 100) { totalCount } } } } }",
         "MAX_NODE_LIMIT_EXCEEDED"),
    ],
)  # fmt: skip
def test_limits_of_a_query(asked: str, kind: str) -> None:
    """A page over 100 or under 1, and more than 500,000 nodes, are refused by type."""
    with Double(world_of(1)) as double:
        assert [each["type"] for each in ask(double, f"{{ {HERE} {{ {asked} }} }}")["errors"]] == [kind]


def test_cost_follows_the_documented_formula() -> None:
    """The window query that was reckoned by hand (701 requests, 32,100 nodes) costs 7 points; headers agree."""
    shared = "labels(first: 50) { totalCount } timelineItems(first: 50) { totalCount }"
    query = f"""query {{ rateLimit {{ cost nodeCount used remaining limit }}
      search(type: ISSUE, query: "repo:pytorch/pytorch", first: 100) {{ nodes {{
        ... on Issue {{ {shared} closedByPullRequestsReferences(first: 10) {{ totalCount }} }}
        ... on PullRequest {{ {shared} closingIssuesReferences(first: 10) {{ totalCount }}
                              files(first: 100) {{ totalCount }} }} }} }} }}"""
    with Double(world_of(3)) as double:
        answer = post(double, query)
        limit = answer.json()["data"]["rateLimit"]
        assert limit == {"cost": 7, "nodeCount": 32_100, "used": 7, "remaining": 4_993, "limit": 5_000}
        assert (answer.headers["x-ratelimit-used"], answer.headers["x-ratelimit-resource"]) == ("7", "graphql")
        assert double.points == 7


def test_missing_things_are_told_as_github_tells_them() -> None:
    """An unknown number is a NOT_FOUND error with a path beside the data that is there."""
    with Double(world_of(1)) as double:
        answer = ask(double, f"{{ {HERE} {{ nameWithOwner issueOrPullRequest(number: 7) {{ __typename }} }} }}")
        assert answer["data"] == {"repository": {"nameWithOwner": "pytorch/pytorch", "issueOrPullRequest": None}}
        error = answer["errors"][0]
        assert error["message"] == "Could not resolve to an issue or pull request with the number of 7."
        assert (error["type"], error["path"]) == ("NOT_FOUND", ["repository", "issueOrPullRequest"])
        unknown = ask(double, '{ repository(owner: "x", name: "y") { id } }')
        assert unknown["errors"][0]["message"] == "Could not resolve to a Repository with the name 'x/y'."
        assert unknown["data"] == {"repository": None}


def test_numbers_that_stand_for_nothing_visible() -> None:
    """Discussions, and deleted, hidden and transferred issues, are not found and not listed."""
    world = world_of(6)
    repository = world.repositories["pytorch/pytorch"]
    changes.create_discussion(repository, "talk")
    changes.delete(repository, 2)
    changes.hide(repository, 3)
    landing.transfer(repository, 4, world.add_repository("pytorch/vision", next_number=50))
    with Double(world) as double:
        for number in (2, 3, 4, 7):
            found = ask(double, f"{{ {HERE} {{ issueOrPullRequest(number: {number}) {{ __typename }} }} }}")
            assert found["errors"][0]["type"] == "NOT_FOUND", number
        assert numbers(double, PAGES % ("issues", "ASC")) == [1, 5, 6]
        moved = ask(double, '{ repository(owner: "pytorch", name: "vision") { issue(number: 50) { createdAt } } }')
        assert moved["data"]["repository"]["issue"]["createdAt"] == "2026-11-11T12:00:03Z"


def test_renamed_repository_is_followed_unless_not_wanted() -> None:
    """The old name leads to the new one; with `followRenames: false` it is unknown."""
    world = world_of(1)
    landing.rename_repository(world.repositories["pytorch/pytorch"], "pytorch/torch")
    with Double(world) as double:
        assert (
            ask(double, f"{{ {HERE} {{ nameWithOwner }} }}")["data"]["repository"]["nameWithOwner"] == "pytorch/torch"
        )
        strict = HERE.replace(")", ", followRenames: false)")
        assert ask(double, f"{{ {strict} {{ id }} }}")["errors"][0]["type"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("cursors", "direction", "seen"),
    [
        ("position", "DESC", [*range(25, 15, -1), *range(16, 0, -1)]),
        ("keyset", "DESC", list(range(25, 0, -1))),
        ("position", "ASC", [*range(1, 11), *range(12, 27)]),
        ("keyset", "ASC", list(range(1, 27))),
    ],
)
def test_what_happens_while_paging_moves_pages_by_position_only(cursors: str, direction: str, seen: list[int]) -> None:
    """An issue that appears makes one seen twice, one that goes makes one missed; with keysets neither happens."""
    world = world_of(25)
    world.cursors = cursors
    repository = world.repositories["pytorch/pytorch"]

    def between() -> None:
        changes.create_issue(repository, "late", at=NOON + timedelta(minutes=5))
        if direction == "ASC":
            changes.delete(repository, 1)

    with Double(world) as double:
        assert numbers(double, PAGES % ("issues", direction), between=between) == seen


def test_history_pages_stay_when_commits_come() -> None:
    """Paging from a frozen head, and on its own cursor from a moving one, gives the commits of the first moment."""
    world = world_of(0)
    repository = world.repositories["pytorch/pytorch"]
    made = [landing.commit(repository, f"commit {place}", at=NOON + timedelta(minutes=place)).oid for place in range(9)]
    query = f"""query History($oid: GitObjectID!, $after: String) {{ {HERE} {{ object(oid: $oid) {{ ... on Commit {{
      history(first: 5, after: $after, since: "2026-11-11T12:01:00Z", until: "2026-11-11T12:07:00Z") {{
        nodes {{ oid }} pageInfo {{ endCursor hasNextPage }} }} }} }} }} }}"""
    with Double(world) as double:
        first = ask(double, query, oid=made[-1])["data"]["repository"]["object"]["history"]
        landing.commit(repository, "late", at=NOON + timedelta(minutes=5))
        cursor = first["pageInfo"]["endCursor"]
        second = ask(double, query, oid=made[-1], after=cursor)["data"]["repository"]["object"]["history"]
        assert [each["oid"] for each in [*first["nodes"], *second["nodes"]]] == made[7:0:-1]
        assert not second["pageInfo"]["hasNextPage"]


def test_landed_is_closed_and_not_merged() -> None:
    """What the bot lands is CLOSED and not `merged`; the timeline names the commit that closed it."""
    world = world_of(1)
    repository = world.repositories["pytorch/pytorch"]
    pull = changes.create_pull(repository, "Fix it", "Fixes #1")
    made = landing.land(repository, pull.number)
    query = f"""{{ {HERE} {{ pullRequest(number: 2) {{ state merged mergeCommit {{ oid }}
      labels(first: 9) {{ nodes {{ name }} }}
      closingIssuesReferences(first: 9) {{ nodes {{ number state }} }}
      timelineItems(first: 9, itemTypes: [CLOSED_EVENT]) {{ nodes {{ ... on ClosedEvent {{
        closer {{ __typename ... on Commit {{ oid message }} }} }} }} }} }} }} }}"""
    with Double(world) as double:
        shown = ask(double, query)["data"]["repository"]["pullRequest"]
        assert (shown["state"], shown["merged"], shown["mergeCommit"]) == ("CLOSED", False, None)
        assert shown["labels"]["nodes"] == [{"name": "Merged"}]
        assert shown["closingIssuesReferences"]["nodes"] == [{"number": 1, "state": "CLOSED"}]
        closer = shown["timelineItems"]["nodes"][0]["closer"]
        assert (closer["__typename"], closer["oid"]) == ("Commit", made.oid)
        assert "Pull Request resolved: https://github.com/pytorch/pytorch/pull/2" in closer["message"]


def test_budget_ends_and_comes_back() -> None:
    """A spent budget is RATE_LIMITED with HTTP 200 until the world's clock has passed the reset."""
    world = world_of(1)
    world.limits["graphql"] = 2
    with Double(world) as double:
        for _ in range(2):
            assert "errors" not in ask(double, "{ viewer { login } }")
        refused = post(double, "{ viewer { login } }")
        assert refused.status_code == 200
        assert refused.json()["errors"][0]["type"] == "RATE_LIMITED"
        assert refused.headers["x-ratelimit-remaining"] == "0"
        world.clock.advance(3_601)
        assert "errors" not in ask(double, "{ viewer { login } }")


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        (Token("github_pat_x", "someone", "fine-grained", permissions={"metadata": "read"}), "FORBIDDEN"),
        (Token("ghp_x", "someone", scopes=("read:org",)), "INSUFFICIENT_SCOPES"),
        (Token("github_pat_y", "someone", "fine-grained", permissions={"issues": "read"}), None),
    ],
)
def test_missing_rights_are_told_by_type(token: Token, kind: str | None) -> None:
    """Where reading needs a right, a token without it is told which kind it lacks; one with it reads."""
    world = world_of(1)
    world.repositories["pytorch/pytorch"].restricted = True
    world.add_token(token)
    with Double(world) as double:
        query = f"{{ {HERE} {{ issues(first: 1) {{ totalCount }} }} }}"
        errors = post(double, query, token=token.value).json().get("errors", [])
        assert [each["type"] for each in errors] == [kind] * (kind is not None)
