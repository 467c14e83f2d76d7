"""Search: what a query's qualifiers find, and how far it reaches."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.double import Double, World, changes, faults
from tests.double.asking import ask, call, needs_schema
from tests.double.search import QueryError, found, span

NOON = datetime(2026, 11, 11, 12, tzinfo=UTC)
SEARCH = "query Find($q: String!) { search(type: ISSUE, query: $q, first: 100) { issueCount nodes { __typename } } }"


def world_of(*seconds: int) -> World:
    world = World(NOON)
    repository = world.add_repository("pytorch/pytorch", next_number=1)
    for second in seconds:
        changes.create_issue(repository, f"late by {second}", "wrong sum", at=NOON + timedelta(seconds=second))
    changes.create_pull(repository, "a fix", labels=["module: cuda"], author="fixer", at=NOON + timedelta(days=1))
    return world


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("created:2026-11-11T12:00:01Z..2026-11-11T12:00:03Z", [2, 3, 4]),
        ("created:>2026-11-11T12:00:01Z created:<2026-11-11T12:00:03Z", [3]),
        ("created:>=2026-11-11T12:00:03Z is:issue", [4]),
        ("created:<=2026-11-11T12:00:00+00:00", [1]),
        ("created:2026-11-11", [1, 2, 3, 4]),
        ("created:2026-11-12..*", [5]),
        ("is:pr", [5]),
        ('label:"module: cuda"', [5]),
        ('-label:"module: cuda" is:open', [1, 2, 3, 4]),
        ("author:fixer", [5]),
        ('"by 2" in:title', [3]),
        ('"by 2" in:body,comments', []),
        ("sum -wrong", []),
        ("closed:>2026-01-01", []),
    ],
)
def test_qualifiers(query: str, expected: list[int]) -> None:
    """Dates hold both ends to the second, a bare date its whole day; the others say what they say."""
    world = world_of(0, 1, 2, 3)
    hits = found(world, world.tokens[world.token], f"repo:pytorch/pytorch {query} sort:created-asc")
    assert [each.number for each in hits.reachable] == expected
    assert hits.total == len(expected)


def test_an_unknown_qualifier_is_not_passed_over() -> None:
    """A qualifier that the double does not know is an error, so that no test relies on its being ignored."""
    world = world_of()
    with pytest.raises(QueryError, match="reviewed-by"):
        found(world, None, "reviewed-by:somebody")
    with pytest.raises(QueryError, match="not a date"):
        span("yesterday")


@needs_schema
def test_a_query_reaches_a_thousand_results() -> None:
    """`issueCount` and `total_count` are true beyond a thousand; pages end there."""
    world = world_of(*range(1_050))
    with Double(world) as double:
        answer = ask(double, SEARCH, q="repo:pytorch/pytorch is:issue")
        assert answer["data"]["search"]["issueCount"] == 1_050
        assert len(answer["data"]["search"]["nodes"]) == 100
        last = call(double, "GET", "/search/issues?q=repo:pytorch/pytorch+is:issue&per_page=100&page=10")
        assert (last.json()["total_count"], len(last.json()["items"])) == (1_050, 100)
        assert 'rel="next"' not in last.headers["link"]
        beyond = call(double, "GET", "/search/issues?q=repo:pytorch/pytorch+is:issue&per_page=100&page=11")
        assert beyond.status_code == 422


def test_an_index_that_lags_and_a_search_that_gives_up() -> None:
    """What was opened after the index was made is not found, though lists have it; `incomplete_results` can be set."""
    with Double(world_of(0, 5)) as double:
        double.add(faults.search_lag(NOON), faults.incomplete())
        answer = call(double, "GET", "/search/issues?q=repo:pytorch/pytorch").json()
        assert (answer["total_count"], answer["incomplete_results"]) == (1, True)
        assert len(call(double, "GET", "/repos/pytorch/pytorch/issues").json()) == 3


def test_repositories_that_cannot_be_seen_are_refused() -> None:
    """REST answers 422 for a repository that is unknown or private to others."""
    world = world_of(0)
    world.add_repository("pytorch/secret", private=True)
    with Double(world) as double:
        for name in ("pytorch/secret", "pytorch/nothing"):
            assert call(double, "GET", f"/search/issues?q=repo:{name}+is:issue").status_code == 422
