"""Faults: each does to a client what its name says, to the requests that it was meant for and to no others."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

import httpx
import pytest

from tests.double import Double, World, changes, faults
from tests.double.asking import HERE, ask, call, needs_schema, post
from tests.double.faults import Rule

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)
ISSUES = "/repos/pytorch/pytorch/issues"
LIST = f"query List($first: Int = 5) {{ {HERE} {{ issues(first: $first) {{ nodes {{ number title }} }} }} }}"


def small_world() -> World:
    world = World(NOW)
    repository = world.add_repository("pytorch/pytorch", next_number=1)
    for place in range(5):
        changes.create_issue(repository, f"issue {place}", at=NOW)
    return world


@pytest.mark.parametrize(
    ("rule", "status", "headers"),
    [
        (faults.bad_gateway, 502, {}),
        (faults.server_error, 500, {}),
        (faults.unavailable, 503, {"retry-after": None}),
        (lambda: faults.unavailable(7), 503, {"retry-after": "7"}),
        (faults.secondary_limit, 403, {"retry-after": None}),
        (lambda: faults.secondary_limit(60), 403, {"retry-after": "60"}),
        (lambda: faults.primary_limit(90), 403,
         {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 90)}),
        (faults.too_many, 429, {"retry-after": None, "x-ratelimit-remaining": None}),
        (lambda: faults.too_many(3), 429, {"retry-after": "3"}),
        (lambda: faults.status(451, "Gone by law"), 451, {}),
        (faults.html, 200, {"content-type": "text/html; charset=utf-8"}),
        (faults.empty, 200, {"content-length": "0"}),
    ],
)  # fmt: skip
def test_what_the_server_may_say(rule: Callable[[], Rule], status: int, headers: dict[str, str | None]) -> None:
    """Status and headers are as named, nothing was done, and the next request is answered as ever."""
    with Double(small_world()) as double:
        double.add(rule())
        answer = call(double, "POST", ISSUES, {"title": "t"})
        assert answer.status_code == status
        assert {name: answer.headers.get(name) for name in headers} == headers
        assert len(double.world.repositories["pytorch/pytorch"].threads) == 5
        assert call(double, "POST", ISSUES, {"title": "t"}).status_code == 201
        assert [each.fault != "" for each in double.log] == [True, False]


@pytest.mark.parametrize(
    ("rule", "error", "opened"),
    [
        (faults.reset_before, httpx.ReadError, 5),
        (faults.reset_after, httpx.ReadError, 6),
        (faults.cut, httpx.RemoteProtocolError, 6),
        (lambda: faults.delay(30), httpx.ReadTimeout, 6),
        (lambda: faults.drip(30, 400), httpx.ReadTimeout, 6),
    ],
)
def test_what_the_wire_may_do(rule: Callable[[], Rule], error: type[Exception], opened: int) -> None:
    """The client fails as named; whether its request took effect is what the name says."""
    with Double(small_world()) as double:
        double.add(rule())
        proof = {"Authorization": f"Bearer {double.world.token}"}
        patience_s = 0.5 if error is httpx.ReadTimeout else 20
        with httpx.Client(base_url=double.url, headers=proof, timeout=patience_s) as client, pytest.raises(error):
            client.post(ISSUES, json={"title": "t"})
        until = time.monotonic() + 20
        while not double.log and time.monotonic() < until:
            time.sleep(0.01)
        assert len(double.world.repositories["pytorch/pytorch"].threads) == opened


def test_a_slow_body_comes_whole() -> None:
    """A body in pieces is the same body, later; so is one that was held back."""
    with Double(small_world()) as double:
        whole = call(double, "GET", ISSUES).content
        double.add(faults.drip(0.02, len(whole) // 5), faults.delay(0.1))
        begun = time.monotonic()
        assert call(double, "GET", ISSUES).content == whole
        assert time.monotonic() - begun > 0.2


def test_half_a_json_text_of_the_announced_length() -> None:
    """HTTP is content with it and JSON is not."""
    with Double(small_world()) as double:
        double.add(faults.cut_json())
        answer = call(double, "GET", ISSUES)
        assert len(answer.content) == int(answer.headers["content-length"])
        with pytest.raises(ValueError, match=r"Unterminated|Expecting"):
            answer.json()


def test_which_requests_are_hit() -> None:
    """Path, method, a test of one's own, the first to be hit and how many: the others are left alone."""
    with Double(small_world()) as double:
        double.add(
            faults.status(418, path="/issues/2$", nth=2, times=2),
            faults.status(423, method="POST", times=None),
            faults.status(424, where=lambda exchange: exchange.query.get("page") == "3"),
        )
        assert [call(double, "GET", f"{ISSUES}/2").status_code for _ in range(4)] == [200, 418, 418, 200]
        assert call(double, "GET", f"{ISSUES}/1").status_code == 200
        assert [call(double, "POST", ISSUES, {"title": "t"}).status_code for _ in range(3)] == [423] * 3
        assert [call(double, "GET", f"{ISSUES}?page={page}").status_code for page in (1, 3, 3)] == [200, 424, 200]
        double.rules.clear()
        assert call(double, "POST", ISSUES, {"title": "t"}).status_code == 201


def test_rules_add_up() -> None:
    """A late bad gateway is late and bad, and one use of a rule leaves nothing behind for the next."""
    with Double(small_world()) as double:
        double.add(faults.bad_gateway(times=2), faults.delay(1))
        begun = time.monotonic()
        assert call(double, "GET", ISSUES).status_code == 502
        between = time.monotonic()
        assert call(double, "GET", ISSUES).status_code == 502
        assert between - begun > 0.95 > time.monotonic() - between


@needs_schema
def test_graphql_that_says_200_and_is_not_whole() -> None:
    """Spent budgets, timeouts and resource limits come as 200 with errors; partial data is null where errors point."""
    with Double(small_world()) as double:
        double.add(faults.graphql_limit(), faults.timed_out(nth=2), faults.partial(keep=2, nth=3))
        assert ask(double, LIST)["errors"][0]["type"] == "RATE_LIMITED"
        assert ask(double, LIST)["errors"][0]["message"].startswith("Something went wrong while executing your query")
        answer = post(double, LIST)
        assert answer.status_code == 200
        nodes = answer.json()["data"]["repository"]["issues"]["nodes"]
        assert [each and each["number"] for each in nodes] == [1, 2, None, None, None]
        paths = [each["path"] for each in answer.json()["errors"]]
        assert paths == [["repository", "issues", "nodes", place] for place in (2, 3, 4)]
        assert {each["message"] for each in answer.json()["errors"]} == {"Resource limits for this query exceeded."}


@needs_schema
def test_heavy_pages_fail_until_they_are_smaller() -> None:
    """A page over the limit is 502 each time, whether text or variable gives its size; a smaller one is served."""
    with Double(small_world()) as double:
        double.add(faults.heavy_pages(limit=4, operation="List"))
        assert [post(double, LIST).status_code, post(double, LIST, first=5).status_code] == [502, 502]
        assert len(ask(double, LIST, first=4)["data"]["repository"]["issues"]["nodes"]) == 4
        assert post(double, LIST.replace("List", "Other")).status_code == 200


@needs_schema
def test_the_world_moves_right_before_a_request() -> None:
    """An edit before the second request of an operation is seen by it and not by the first."""
    with Double(small_world()) as double:
        repository = double.world.repositories["pytorch/pytorch"]
        double.add(faults.mutate(lambda _: changes.edit(repository, 1, title="new"), operation="List", nth=2))
        titles = [ask(double, LIST)["data"]["repository"]["issues"]["nodes"][0]["title"] for _ in range(2)]
        assert titles == ["issue 0", "new"]
