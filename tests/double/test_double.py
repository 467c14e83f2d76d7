"""The server: it starts and ends cleanly, knows who asks, logs without secrets, and owns up to its own faults."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx
import pytest

from tests.double import Double, Token, World, changes, faults
from tests.double.asking import ask, call, needs_schema
from tests.double.server import DoubleError

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)


def small_world() -> World:
    world = World(NOW)
    repository = world.add_repository("pytorch/pytorch", next_number=1)
    changes.create_issue(repository, "one", at=NOW)
    return world


def test_it_ends_with_connections_open() -> None:
    """Leaving the block ends idle and half-sent conversations, and every thread."""
    before = threading.active_count()
    with Double(small_world()) as double, httpx.Client() as client:
        assert client.get(f"{double.url}/meta").status_code == 200
        half = socket.create_connection(("127.0.0.1", int(double.url.rpartition(":")[2])))
        half.sendall(b"GET /meta HT")
    assert threading.active_count() == before
    half.close()


def test_it_answers_many_at_once() -> None:
    """Parallel writers get numbers of their own, and none is lost."""
    world = small_world()
    with Double(world) as double, ThreadPoolExecutor(8) as pool:
        path = "/repos/pytorch/pytorch/issues"
        made = list(
            pool.map(lambda place: call(double, "POST", path, {"title": f"n{place}"}).json()["number"], range(24))
        )
        assert sorted(made) == list(range(2, 26))
        assert double.requests == 24


def test_a_fault_of_its_own_is_raised_at_the_end() -> None:
    """What breaks inside the double fails the test that used it, with the traceback."""

    def broken(_: World) -> None:
        raise ZeroDivisionError

    def use() -> None:
        with Double(small_world()) as double:
            double.add(faults.mutate(broken))
            assert call(double, "GET", "/meta").status_code == 500

    with pytest.raises(DoubleError, match="ZeroDivisionError"):
        use()


@needs_schema
def test_the_log_tells_what_was_asked_and_no_secret() -> None:
    """Method, path, operation, variables, cost and status of each request; of a token its kind only."""
    with Double(small_world()) as double:
        ask(
            double,
            'query One($n: Int!) { repository(owner: "pytorch", name: "pytorch") { issue(number: $n) { id } } }',
            n=1,
        )
        call(double, "GET", "/nowhere", token="ghp_" + "secret" * 6)
    first, second = double.log
    assert (first.operation, first.variables, first.points, first.status) == ("One", {"n": 1}, 1, 200)
    assert (second.method, second.path, second.status, second.token) == ("GET", "/nowhere", 401, "ghp_***")
    assert double.world.token not in repr(double.log)
    assert "secret" not in repr(double.log)
    assert (double.requests, double.points, len(double.asked(operation="One"))) == (2, 1, 1)


def test_tokens() -> None:
    """Unknown and expired tokens are 401 `Bad credentials`; none is 401 too unless the world lets anybody in."""
    world = small_world()
    world.add_token(Token("ghp_old", "someone", expires_at=NOW))
    path = "/repos/pytorch/pytorch"
    with Double(world) as double:
        for token in ("ghp_unknown", "ghp_old"):
            refused = call(double, "GET", path, token=token)
            assert (refused.status_code, refused.json()["message"]) == (401, "Bad credentials")
        assert call(double, "GET", path, token="").status_code == 401
        assert call(double, "GET", "/rate_limit", token="").status_code == 200
        world.anonymous = True
        assert call(double, "GET", path, token="").status_code == 200
        assert call(double, "POST", "/graphql", {"query": "{ viewer { login } }"}, token="").status_code == 401


def test_what_headers_tell_about_tokens() -> None:
    """A classic token's scopes, and a personal token's end; not so of a fine-grained token without one."""
    world = small_world()
    fine = world.add_token(Token("github_pat_f", "someone", "fine-grained"))
    ending = world.add_token(Token("ghp_e", "someone", scopes=("repo", "read:org"), expires_at=NOW.replace(year=2027)))
    with Double(world) as double:
        told = call(double, "GET", "/user", token=ending).headers
        assert told["x-oauth-scopes"] == "repo, read:org"
        assert told["github-authentication-token-expiration"] == "2027-11-12 06:00:00 UTC"
        assert "x-oauth-scopes" not in call(double, "GET", "/user", token=fine).headers


def test_the_clock_is_the_worlds() -> None:
    """`Date` and reset times are the world's, and can be made to disagree with it."""
    with Double(small_world()) as double:
        assert call(double, "GET", "/meta").headers["date"] == "Thu, 12 Nov 2026 06:00:00 GMT"
        double.world.clock.advance(60)
        double.add(faults.clock_ahead(3_600))
        assert call(double, "GET", "/meta").headers["date"] == "Thu, 12 Nov 2026 07:01:00 GMT"


def test_requests_without_a_user_agent_are_refused() -> None:
    """As GitHub does, with 403."""
    with Double(small_world()) as double, httpx.Client() as client:
        del client.headers["user-agent"]
        assert client.get(f"{double.url}/meta").status_code == 403


def test_both_addresses_serve_both_interfaces() -> None:
    """Under `/api/v3` links stay there."""
    with Double(small_world()) as double:
        shown = call(double, "GET", "/api/v3/repos/pytorch/pytorch/issues/1").json()
        assert shown["url"] == f"{double.api_v3_url}/repos/pytorch/pytorch/issues/1"
