"""Every REST route answers what GitHub's own description of it says, with no key that the description doesn't know."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from tests.double import Day, Double, World, changes, seed_day
from tests.double.asking import call, needs_description
from tests.double.conform import description
from tests.double.nouns import File
from tests.double.test_app import NOW, installed, signature

pytestmark = needs_description
HERE = "/repos/pytorch/pytorch"

UNTOLD = {
    "$.status: not in the description",  # GitHub's own 422 says it, its description of 422 does not
}


class Filled:
    """A seeded day behind a server, shared by this file's reads."""

    def __init__(self) -> None:
        self.world = World(datetime(2026, 11, 12, 6, tzinfo=UTC))
        self.day: Day = seed_day(self.world, date(2026, 11, 11), items=60)
        self.repository = self.world.repositories["pytorch/pytorch"]
        pull = self.repository.threads[self.day.pulls[0]]
        pull.head_oid = "c" * 40
        pull.files += [File("test/test_any.py", 1, 0, text="x"), File("test/test_large.py", 1, 0, text="x" * 2**21)]
        self.landed = next(iter(self.day.landed.values()))
        self.reverted = next(iter(self.day.reverts.values()))
        self.closed = next(number for number in self.day.issues if not self.repository.threads[number].open)


@pytest.fixture(scope="module")
def filled() -> Filled:
    return Filled()


@pytest.fixture(scope="module")
def served(filled: Filled) -> Iterator[Double]:
    with Double(filled.world) as double:
        yield double


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/meta", 200),
        ("/rate_limit", 200),
        ("/user", 200),
        (HERE, 200),
        ("/repos/pytorch/nothing", 404),
        (f"{HERE}/issues?state=all&per_page=60", 200),
        (f"{HERE}/issues/{{closed}}", 200),
        (f"{HERE}/issues/{{landed}}", 200),
        (f"{HERE}/issues/{{landed}}/comments", 200),
        (f"{HERE}/issues/{{landed}}/timeline?per_page=100", 200),
        (f"{HERE}/issues/{{reverted}}/timeline?per_page=100", 200),
        (f"{HERE}/issues/{{closed}}/timeline?per_page=100", 200),
        (f"{HERE}/issues/{{day.transferred_in[0]}}/timeline?per_page=100", 200),
        (f"{HERE}/issues/{{day.deleted[0]}}", 410),
        (f"{HERE}/issues/{{day.hidden[0]}}", 404),
        (f"{HERE}/issues/{{day.discussions[0]}}", 404),
        (f"{HERE}/issues/{{day.transferred_out[0]}}", 301),
        (f"{HERE}/pulls/{{landed}}", 200),
        (f"{HERE}/pulls/{{day.pulls[0]}}", 200),
        (f"{HERE}/pulls/{{landed}}/files", 200),
        (f"{HERE}/contents/test/test_any.py?ref={'c' * 40}", 200),
        (f"{HERE}/contents/test/test_large.py?ref={'c' * 40}", 200),
        (f"{HERE}/contents/test/test_none.py?ref={'c' * 40}", 404),
        (f"{HERE}/contents/test/test_any.py?ref={'d' * 40}", 404),
        (f"{HERE}/commits?per_page=40", 200),
        (f"{HERE}/commits/{{repository.head.oid}}", 200),
        (f"{HERE}/commits/none", 422),
        (f"{HERE}/branches/main", 200),
        (f"{HERE}/branches/none", 404),
        ("/search/issues?q=repo:pytorch/pytorch+is:pr&per_page=40", 200),
        ("/search/issues?q=repo:pytorch/nothing", 422),
    ],
)
def test_reads(filled: Filled, served: Double, path: str, status: int) -> None:
    """The answer of a reading route."""
    asked = path.format(
        closed=filled.closed,
        landed=filled.landed,
        reverted=filled.reverted,
        day=filled.day,
        repository=filled.repository,
    )
    answer = call(served, "GET", asked)
    assert answer.status_code == status
    told = description().complaints("GET", asked.partition("?")[0], status, answer.json())
    assert set(told) <= UNTOLD, told


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("POST", "/issues", {"title": "t", "body": "b", "labels": ["x"]}, 201),
        ("POST", "/issues", {"body": "no title"}, 422),
        ("POST", "/issues", {"title": "t", "body": "b" * 70_000}, 422),
        ("POST", "/issues/{closed}/comments", {"body": "c"}, 201),
        ("PATCH", "/issues/{closed}", {"state": "open", "title": "new"}, 200),
        ("POST", "/issues/{closed}/labels", {"labels": ["y"]}, 200),
        ("POST", "/issues/{closed}/reactions", {"content": "eyes"}, 201),
        ("POST", "/issues/{closed}/reactions", {"content": "shrug"}, 422),
    ],
)
def test_writes(method: str, path: str, sent: object, status: int) -> None:
    """The answer of a writing route."""
    filled = Filled()
    with Double(filled.world) as double:
        asked = HERE + path.format(closed=filled.closed)
        answer = call(double, method, asked, sent)
        assert answer.status_code == status
        told = description().complaints(method, asked, status, answer.json())
        assert set(told) <= UNTOLD, told


def test_comments_and_reactions() -> None:
    """A comment read, written anew and reacted to, by its own address."""
    filled = Filled()
    made = changes.comment(filled.repository, filled.closed, "first")
    here, issue = f"{HERE}/issues/comments/{made.database_id}", f"{HERE}/issues/{filled.closed}"
    asked = [
        ("GET", here, None, 200),
        ("PATCH", here, {"body": "second"}, 200),
        ("PATCH", here, {}, 422),
        ("POST", f"{here}/reactions", {"content": "eyes"}, 201),
        ("POST", f"{here}/reactions", {"content": "eyes"}, 200),
        ("POST", f"{issue}/reactions", {"content": "+1"}, 201),
        ("GET", f"{here}/reactions?content=eyes", None, 200),
        ("GET", f"{issue}/reactions", None, 200),
    ]
    with Double(filled.world) as double:
        for method, path, sent, status in asked:
            answer = call(double, method, path, sent)
            assert answer.status_code == status, path
            told = description().complaints(method, path.partition("?")[0], status, answer.json())
            assert set(told) <= UNTOLD, (path, told)
    assert (made.body, [one.content for one in made.reactions]) == ("second", ["eyes"])


def test_app_routes() -> None:
    """The answers to an app; in the list of installations the description wants an account to be an enterprise too."""
    world, app, installation = installed()
    assert world.clock.now() == NOW
    with Double(world) as double:
        for method, path in (
            ("GET", "/app"),
            ("GET", "/app/installations"),
            ("GET", "/repos/intel/other/installation"),
            ("POST", f"/app/installations/{installation.installation_id}/access_tokens"),
        ):
            answer = call(double, method, path, token=signature(app))
            told = description().complaints(method, path, answer.status_code, answer.json())
            untold = [
                each for each in told if not (path == "/app/installations" and each.startswith("$[0].account: '"))
            ]
            assert untold == [], path


def test_the_check_finds_what_is_wrong(filled: Filled, served: Double) -> None:
    """Missing keys, wrong types, invented keys deep inside, unknown routes and statuses are told; null reasons pass."""
    path = f"{HERE}/issues/{filled.day.issues[0]}"
    right = call(served, "GET", path).json()
    told = description().complaints
    assert told("GET", path, 200, {**right, "state_reason": None}) == []
    assert "'title' is a required property" in told("GET", path, 200, {k: right[k] for k in right if k != "title"})[0]
    assert told("GET", path, 200, {**right, "number": "4"}) == ["$.number: '4' is not of type 'integer'"]
    assert "banana" in told("GET", path, 200, {**right, "state_reason": "banana"})[0]
    invented = {**right, "user": {**right["user"], "karma": 3}}
    assert told("GET", path, 200, invented) == ["$.user.karma: not in the description"]
    assert told("GET", path, 200, invented, strict=False) == []
    assert told("GET", "/nowhere", 200, {}) == ["no path /nowhere"]
    assert told("GET", path, 418, {}) == ["GET /repos/{owner}/{repo}/issues/{issue_number} has no answer 418"]
