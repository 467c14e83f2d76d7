"""REST: what each route answers, where it leads, and what it refuses; asked plainly and through PyGithub."""

from datetime import UTC, date, datetime, timedelta

import github
import pytest

from tests.double import Double, Token, World, changes, landing, seed_day
from tests.double.asking import call

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)
HERE = "/repos/pytorch/pytorch"


def small_world() -> World:
    world = World(NOW)
    repository = world.add_repository("pytorch/pytorch", next_number=1)
    for place in range(5):
        changes.create_issue(repository, f"issue {place}", labels=["triaged"], at=NOW - timedelta(hours=place))
    return world


def test_what_became_of_a_number() -> None:
    """Deleted is 410, transferred 301 to a number of another repository, hidden or a discussion or unknown 404."""
    world = small_world()
    repository = world.repositories["pytorch/pytorch"]
    changes.delete(repository, 1)
    changes.hide(repository, 2)
    landing.transfer(repository, 3, world.add_repository("pytorch/vision", next_number=50))
    changes.create_discussion(repository, "talk")
    with Double(world) as double:
        statuses = {
            number: call(double, "GET", f"{HERE}/issues/{number}").status_code for number in (1, 2, 3, 4, 6, 99)
        }
        assert statuses == {1: 410, 2: 404, 3: 301, 4: 200, 6: 404, 99: 404}
        target = call(double, "GET", f"{HERE}/issues/3").headers["location"].removeprefix(double.url)
        assert call(double, "GET", target).json()["number"] == 50
        assert [each["number"] for each in call(double, "GET", f"{HERE}/issues").json()] == [4, 5]


def test_a_renamed_repository_answers_301() -> None:
    """The old address leads to the same thing under the repository's number, with the query kept."""
    world = small_world()
    landing.rename_repository(world.repositories["pytorch/pytorch"], "pytorch/torch")
    with Double(world) as double:
        moved = call(double, "GET", f"{HERE}/issues?state=all")
        assert moved.status_code == 301
        place = moved.headers["location"]
        assert place == f"{double.url}/repositories/65600000/issues?state=all"
        assert len(call(double, "GET", place.removeprefix(double.url)).json()) == 5


def test_links_lead_through_all_pages_of_this_server() -> None:
    """Following `next` gives every issue once, newest first, and never leaves the server."""
    with Double(small_world()) as double:
        found, path = [], f"{HERE}/issues?per_page=2"
        while path:
            answer = call(double, "GET", path)
            found += [each["number"] for each in answer.json()]
            links = answer.headers["link"]
            assert links.count(double.url) == links.count("<")
            path = next((part.split(">")[0].strip(" <") for part in links.split(",") if 'rel="next"' in part), "")
            path = path.removeprefix(double.url)
        assert found == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("sort=created&direction=asc", [5, 4, 3, 2, 1]),
        ("since=2026-11-12T04:00:00Z", [1, 2, 3]),
        ("state=closed", []),
        ("labels=triaged,other", []),
        ("creator=reporter&per_page=1&page=2", [2]),
        ("creator=nobody", []),
        ("per_page=1000", [1, 2, 3, 4, 5]),
    ],
)
def test_lists_can_be_narrowed(query: str, expected: list[int]) -> None:
    """`since` is about the last change and includes its second; labels must all be there."""
    with Double(small_world()) as double:
        assert [each["number"] for each in call(double, "GET", f"{HERE}/issues?{query}").json()] == expected


def test_an_unchanged_answer_costs_no_body() -> None:
    """With the ETag of an answer its repetition is 304."""
    with Double(small_world()) as double:
        tag = call(double, "GET", f"{HERE}/issues/1").headers["etag"]
        again = call(double, "GET", f"{HERE}/issues/1", If_None_Match=tag)
        assert (again.status_code, again.content) == (304, b"")


def test_writing_is_recorded_in_the_world() -> None:
    """An issue opened, commented, labelled, edited and closed over REST is so in the world, by the token's owner."""
    world = small_world()
    with Double(world) as double:
        made = call(double, "POST", f"{HERE}/issues", {"title": "t", "body": "b", "labels": ["x"]})
        path = f"{HERE}/issues/{made.json()['number']}"
        assert made.headers["location"] == f"{double.url}{path}"
        assert call(double, "POST", f"{path}/comments", {"body": "c"}).status_code == 201
        call(double, "POST", f"{path}/labels", {"labels": ["y"]})
        call(double, "PATCH", path, {"title": "new", "state": "closed", "state_reason": "not_planned"})
    thread = world.repositories["pytorch/pytorch"].threads[6]
    assert (thread.title, thread.body, thread.labels, thread.state) == ("new", "b", ["x", "y"], "CLOSED")
    assert thread.state_reason == "NOT_PLANNED"
    assert [each.body for each in thread.comments] == ["c"]
    assert thread.author is world.account("reader")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"body": "b"}, 422),
        ({"title": " "}, 422),
        ({"title": "t", "body": "b" * 65_537}, 422),
        ({"title": "t" * 257}, 422),
        ({"title": 3}, 422),
        ([], 400),
    ],
)
def test_issues_that_are_none_are_refused(sent: object, status: int) -> None:
    """Without a title, or too long, nothing is opened."""
    world = small_world()
    with Double(world) as double:
        assert call(double, "POST", f"{HERE}/issues", sent).status_code == status
    assert len(world.repositories["pytorch/pytorch"].threads) == 5


@pytest.mark.parametrize(
    ("token", "message"),
    [
        (Token("github_pat_x", "someone", "fine-grained"), "Resource not accessible by personal access token"),
        (Token("ghs_x", "app[bot]", "installation"), "Resource not accessible by integration"),
        (Token("ghp_x", "someone"), "Resource not accessible by personal access token"),
        (Token("ghp_y", "someone", scopes=("public_repo",)), None),
    ],
)
def test_writing_needs_the_right(token: Token, message: str | None) -> None:
    """A token that may only read is refused with 403 and the words for its kind."""
    world = small_world()
    world.add_token(token)
    with Double(world) as double:
        answer = call(double, "POST", f"{HERE}/issues", {"title": "t"}, token=token.value)
        assert answer.status_code == (403 if message else 201)
        assert message is None or answer.json()["message"] == message


def test_private_and_archived_repositories() -> None:
    """A private one is 404 to who was not given it; an archived one can be read and not written."""
    world = small_world()
    world.repositories["pytorch/pytorch"].archived = True
    world.add_repository("pytorch/secret", private=True)
    with Double(world) as double:
        assert call(double, "GET", "/repos/pytorch/secret").status_code == 404
        assert call(double, "GET", HERE).json()["archived"] is True
        assert call(double, "POST", f"{HERE}/issues", {"title": "t"}).status_code == 403


def test_the_hours_budget() -> None:
    """Each request takes one, `/rate_limit` none; beyond it is 403 with nothing remaining until the reset."""
    world = small_world()
    world.limits["core"] = 2
    with Double(world) as double:
        for left in ("1", "0"):
            assert call(double, "GET", HERE).headers["x-ratelimit-remaining"] == left
        assert call(double, "GET", "/rate_limit").json()["resources"]["core"]["remaining"] == 0
        refused = call(double, "GET", HERE)
        assert (refused.status_code, refused.headers["x-ratelimit-remaining"]) == (403, "0")
        assert int(refused.headers["x-ratelimit-reset"]) == int((NOW + timedelta(hours=1)).timestamp())
        world.clock.advance(3_601)
        assert call(double, "GET", HERE).status_code == 200


def test_the_real_client_reads_a_day() -> None:
    """PyGithub reads threads, timelines, files, commits and the search from either address, and opens an issue."""
    world = World()
    day = seed_day(world, date(2026, 11, 11), items=60)
    oid, number = next(iter(day.landed.items()))
    with Double(world) as double:
        for url in (double.url, double.api_v3_url):
            client = github.Github(
                base_url=url, auth=github.Auth.Token(world.token), seconds_between_requests=0, seconds_between_writes=0
            )
            repository = client.get_repo("pytorch/pytorch")
            issue, pull = repository.get_issue(number), repository.get_pull(number)
            events = [(each.event, each.commit_id) for each in issue.get_timeline()]
            assert ("closed", oid) in events
            assert (pull.merged, pull.state, [each.name for each in pull.labels].count("Merged")) == (
                False,
                "closed",
                1,
            )
            assert all(each.patch.startswith("@@") for each in pull.get_files())
            made = repository.get_commit(oid)
            assert made.commit.message.startswith(f"{pull.title} (#{number})")
            within = [each.sha for each in repository.get_commits(since=day.start, until=day.end)]
            assert set(day.landed) <= set(within)
            assert client.search_issues("repo:pytorch/pytorch is:pr").totalCount >= len(day.pulls)
            opened = repository.create_issue(title="t")
            opened.create_comment("c")
            opened.edit(state="closed")
            assert repository.get_issue(opened.number).comments == 1
            with pytest.raises(github.GithubException) as gone:
                repository.get_issue(day.deleted[0])
            assert gone.value.status == 410
