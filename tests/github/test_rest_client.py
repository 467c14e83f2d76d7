"""REST through PyGithub over a real connection: whatever it sends passes our gate, and no write is ever sent twice."""

import logging
import threading
from datetime import timedelta
from typing import Any

import github
import pytest
from github.Issue import Issue
from github.Requester import Requester

from bot.edges.github.faults import AnswerError, LostError
from bot.edges.github.limiter import Spent
from bot.edges.github.rest import ours
from bot.errors import ForgeError, InputError, LimitedError
from tests.github.loopback import SECRET, START, Asked, Server, Told, connected, limits

REPOSITORY = Told({"full_name": "a/b", "url": "/repos/a/b"})
ISSUE = {"number": 5, "title": "wrong sum", "state": "open", "url": "/repos/a/b/issues/5"}


def of(*script: Told) -> Server:
    """A server that first shows the repository a/b."""
    return Server(REPOSITORY, *script)


def issue(server: Server, **access: Any) -> Issue:
    """Issue 5 of a/b by PyGithub."""
    with connected(server, **access) as forge:
        return forge.rest.repository("a/b").get_issue(5)


def create(server: Server, **access: Any) -> Issue:
    """A new issue in a/b by PyGithub."""
    with connected(server, writes=True, **access) as forge:
        return forge.rest.repository("a/b").create_issue("wrong sum", "body")


def posts(server: Server) -> list[Asked]:
    """What was written."""
    return [asked for asked in server.asked if asked.method != "GET"]


def test_objects_are_pygithubs() -> None:
    """With our credentials, which PyGithub does not know, and the version of the API that we were made for."""
    with of(Told(ISSUE)) as server, connected(server) as forge:
        found = forge.rest.repository("a/b").get_issue(5)
        assert isinstance(found, Issue)
        assert (found.number, found.title) == (5, "wrong sum")
        assert forge.rest.github.requester.auth is None
    for asked in server.asked:
        assert asked.headers["authorization"] == f"Bearer {SECRET}"
        assert asked.headers["x-github-api-version"] == "2022-11-28"
        assert asked.headers["user-agent"].startswith("alignbot/")


def test_nothing_of_pygithub_is_changed_for_others() -> None:
    """A client of somebody else's in this process goes its own way."""
    with of(Told(ISSUE)) as server, connected(server):
        plain = github.Github(base_url=server.url, retry=None, seconds_between_requests=None)
        assert type(plain.requester) is Requester
        assert plain.get_repo("a/b").full_name == "a/b"
        plain.close()
    assert "authorization" not in server.asked[0].headers
    assert server.asked[0].headers["user-agent"] == "PyGithub/Python"


def test_pages_and_lazy_attributes_pass_the_gate() -> None:
    """Every page, every count and every attribute that is missing is a request that the limiter saw."""
    spent = limits(10, START + timedelta(seconds=30))
    pages = [
        Told([ISSUE], headers={**spent, "Link": '<{base}/repos/a/b/issues?page=2&per_page=100>; rel="next"'}),
        Told([{"number": 6, "url": "/repos/a/b/issues/6"}], headers=limits(0, START + timedelta(seconds=30))),
        Told({"number": 6, "title": "lazy", "url": "/repos/a/b/issues/6"}),
    ]
    with of(*pages) as server, connected(server) as forge:
        found = list(forge.rest.repository("a/b").get_issues(state="all"))
        assert [one.title for one in found] == ["wrong sum", "lazy"]
        assert forge.limiter.spent == {"core": Spent(requests=4)}
    assert server.clock.slept == [31]
    assert [asked.path for asked in server.asked[1:]] == [
        "/repos/a/b/issues?per_page=100&state=all",
        "/repos/a/b/issues?page=2&per_page=100",
        "/repos/a/b/issues/6",
    ]


def test_copies_of_the_client_pass_the_gate_too() -> None:
    """PyGithub copies its requester for lazy objects, other credentials and other versions."""
    with Server(Told(ISSUE)) as server, connected(server) as forge:
        mine = forge.rest.github.requester
        for other in (mine.withLazy(True), mine.withAuth(None), mine.withApiVersion("2026-03-10")):
            other.requestJsonAndCheck("GET", "/repos/a/b")
        lazy = forge.rest.github.withLazy(True).get_repo("a/b")
        assert lazy.get_issue(5).title == "wrong sum"
        assert forge.limiter.spent == {"core": Spent(requests=4)}
    assert [asked.headers.get("authorization") for asked in server.asked] == [f"Bearer {SECRET}"] * 4


def test_search_has_its_own_budget() -> None:
    """A search is not taken from the others, nor waits for them."""
    found = Told({"total_count": 1, "incomplete_results": False, "items": [ISSUE]})
    headers = limits(0, START + timedelta(seconds=40), 5000)
    with Server(Told({"full_name": "a/b"}, headers=headers), found) as server, connected(server) as forge:
        forge.rest.repository("a/b")
        assert [one.number for one in forge.rest.github.search_issues("repo:a/b x")] == [5]
        assert set(forge.limiter.spent) == {"core", "search"}
    assert server.clock.slept == []


LOST = {
    "reset": Told(fault="reset"),
    "closed": Told(fault="close"),
    "cut": Told(ISSUE, fault="cut"),
    "cut in JSON": Told(b'{"number": 5, "ti'),
    "empty": Told(b""),
    "HTML": Told(b"<html>Unicorn!</html>", headers={"Content-Type": "text/html"}),
    "a text": Told(b'"number"'),
    "202": Told({}, 202),
    "500": Told(b"", 500),
    "502": Told(b"<html>", 502),
    "503": Told(b"", 503),
    "504": Told(b"", 504),
}
lost = pytest.mark.parametrize("told", [pytest.param(told, id=name) for name, told in LOST.items()])


@lost
def test_a_read_that_is_lost_is_asked_again(told: Told) -> None:
    """Twice, if need be, and never is half of an answer or a page of HTML taken for an object."""
    with of(told, told, Told(ISSUE)) as server:
        assert issue(server).title == "wrong sum"
    assert len(server.asked) == 4
    assert len(server.clock.slept) == 2


@lost
def test_a_read_that_stays_lost_is_an_error(told: Told) -> None:
    """After three tries; one line."""
    with of(told) as server, pytest.raises(LostError) as caught:
        issue(server)
    assert len(server.asked) == 4
    assert "\n" not in str(caught.value)


WRITES_LOST = {name: told for name, told in LOST.items() if name != "202"} | {
    "silent": Told(fault="hang"),
    "dripping": Told({"title": "x" * 2000}, 201, fault="drip"),
}


@pytest.mark.parametrize("told", [pytest.param(told, id=name) for name, told in WRITES_LOST.items()])
def test_a_write_that_is_lost_is_not_sent_again(told: Told) -> None:
    """One POST arrives, whatever became of the answer; the error says that it may have been done."""
    with of(told) as server, pytest.raises(LostError) as caught:
        create(server, timeout_s=0.5)
    assert [asked.content for asked in posts(server)] == [{"title": "wrong sum", "body": "body"}]
    assert caught.value.sent
    assert server.clock.slept == []


@pytest.mark.parametrize(
    "told",
    [
        Told({"message": "API rate limit exceeded"}, 403, limits(0, START + timedelta(seconds=20))),
        Told({"message": "You have exceeded a secondary rate limit"}, 403, {"Retry-After": "20"}),
        Told({"message": "You have exceeded a secondary rate limit"}, 403),
        Told(b"", 429),
    ],
)
def test_a_write_that_is_refused_is_not_sent_again(told: Told) -> None:
    """It is told until when, and the next write waits for that."""
    with of(told, Told(ISSUE, 201)) as server, connected(server, writes=True) as forge:
        repository = forge.rest.repository("a/b")
        with pytest.raises(LimitedError) as caught:
            repository.create_issue("first")
        assert len(posts(server)) == 1
        assert server.clock.slept == []
        repository.create_issue("second")
    assert server.clock.now() >= caught.value.until
    assert [asked.content["title"] for asked in posts(server)] == ["first", "second"]


def test_a_write_that_a_503_answers_is_lost() -> None:
    """Who answers so may not be who carried it out: it may be done; the next write waits as long as it says."""
    with of(Told(b"", 503, {"Retry-After": "20"}), Told(ISSUE, 201)) as server, connected(server, writes=True) as forge:
        repository = forge.rest.repository("a/b")
        with pytest.raises(LostError, match="503"):
            repository.create_issue("first")
        repository.create_issue("second")
        assert sum(server.clock.slept) >= 19
    assert [asked.content["title"] for asked in posts(server)] == ["first", "second"]


def test_a_write_to_nobody() -> None:
    """Where no connection came about, nothing can have been done, and the error says so."""
    with of() as server:
        pass
    with connected(server, writes=True) as forge, pytest.raises(LostError, match="can't be reached") as caught:
        forge.rest.github.requester.requestJsonAndCheck("POST", "/repos/a/b/issues", input={"title": "x"})
    assert not caught.value.sent
    assert server.clock.slept == []


def test_a_writing_client_repeats_no_read() -> None:
    """It asks for nothing twice."""
    with of(Told(b"", 502)) as server, connected(server, writes=True) as forge, pytest.raises(LostError):
        forge.rest.repository("a/b").get_issue(5)
    assert len(server.asked) == 2


def test_a_reading_client_writes_nothing() -> None:
    """It is refused here, before anything is sent."""
    with of(Told(ISSUE)) as server, connected(server) as forge:
        found = forge.rest.repository("a/b").get_issue(5)
        for write in (lambda: found.edit(title="x"), lambda: found.create_comment("x"), lambda: found.lock("spam")):
            with pytest.raises(InputError, match="only reads"):
                write()
    assert posts(server) == []


def test_a_second_passes_between_writes() -> None:
    """Three writes of different kinds take two seconds, and reads nothing."""
    with of(Told(ISSUE, 201), Told({"id": 1}, 201), Told(ISSUE)) as server, connected(server, writes=True) as forge:
        made = forge.rest.repository("a/b").create_issue("x")
        made.create_comment("y")
        made.edit(title="z")
    assert [asked.method for asked in posts(server)] == ["POST", "POST", "PATCH"]
    assert server.clock.slept == [1, 1]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304])
@pytest.mark.parametrize("write", [False, True])
def test_no_redirect_is_followed(status: int, write: bool) -> None:
    """An issue elsewhere is another issue: the error says where, and nothing was sent there."""
    told = Told(b"", status, {"Location": "{base}/repositories/9/issues/7"})
    with of(told, Told({"number": 7})) as server, pytest.raises(AnswerError) as caught:
        create(server) if write else issue(server)
    assert len(server.asked) == 2
    assert (caught.value.status, caught.value.location) == (status, f"{server.url}/repositories/9/issues/7")


@pytest.mark.parametrize("host", ["https://evil.example.com", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_no_other_host_is_asked(host: str) -> None:
    """A link that leads elsewhere gets neither a request nor the token."""
    page = Told([ISSUE], headers={"Link": f'<{host}/repos/a/b/issues?page=2>; rel="next"'})
    with of(page) as server, connected(server) as forge, pytest.raises(ForgeError, match=r"check github\.api"):
        list(forge.rest.repository("a/b").get_issues())
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("told", "status", "said"),
    [
        (Told({"message": "Not Found"}, 404), 404, "404: Not Found"),
        (Told({"message": "This issue was deleted"}, 410), 410, "deleted"),
        (
            Told({"message": "Validation Failed", "errors": [{"field": "title", "code": "missing"}]}, 422),
            422,
            "Validation Failed; title missing",
        ),
        (Told(b"<html><body>Not <b>here</b></body></html>", 404), 404, "Not here"),
        (Told(["odd"], 422), 422, "odd"),
        (Told(b"", 409), 409, "no reason given"),
        (Told({"message": f"no {SECRET}"}, 422), 422, "no ***"),
    ],
)
def test_other_statuses_are_errors_of_ours(told: Told, status: int, said: str) -> None:
    """With GitHub's reason, as one line, and the status as a value; nothing is asked again."""
    for ask in (issue, create):
        with of(told) as server, pytest.raises(AnswerError) as caught:
            ask(server)
        assert caught.value.status == status
        assert said in str(caught.value)
        assert SECRET not in f"{caught.value}{caught.value.__cause__}"
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (Told({"message": "Not Found"}, 404), "GitHub shows no repository a/b: check upstream.repo"),
        (Told({"message": "Bad credentials"}, 401), "check ALIGNBOT_GITHUB_TOKEN"),
        (Told({"message": "Resource not accessible by personal access token"}, 403), "Issues, Pull requests"),
        (Told({"message": "x"}, 403, {"X-GitHub-SSO": "required; url=x"}), "SAML"),
    ],
)
def test_denials_say_what_to_do(told: Told, said: str) -> None:
    """They are for a person to mend."""
    with Server(told) as server, connected(server) as forge, pytest.raises(InputError) as caught:
        forge.rest.repository("a/b")
    assert said in str(caught.value)
    assert len(server.asked) == 1


def test_a_value_of_the_wrong_kind_is_an_error_of_ours() -> None:
    """PyGithub tells only when it is looked at: `ours` stands around that."""
    with of(Told({**ISSUE, "number": "five"})) as server, connected(server) as forge:
        found = forge.rest.repository("a/b").get_issue(5)
        with pytest.raises(ForgeError, match="not as documented: 'five'"), ours():
            assert found.number


@pytest.mark.parametrize(
    ("told", "data"),
    [
        (Told(ISSUE), ISSUE),
        (Told([1, 2]), [1, 2]),
        (Told(b"", 204), None),
        (Told({"message": "Moved Permanently"}, 301, {"Location": "{base}/x"}), {"message": "Moved Permanently"}),
        (Told({"message": "Not Found"}, 404), {"message": "Not Found"}),
        (Told({"message": "This issue was deleted"}, 410), {"message": "This issue was deleted"}),
        (Told(b"<html>", 404), None),
        (Told({"message": "Repository access blocked"}, 451), {"message": "Repository access blocked"}),
    ],
)
@pytest.mark.parametrize("path", ["/repos/a/b", "/repos/a/b/issues/5"])
def test_plain_json(told: Told, data: Any, path: str) -> None:
    """What moved, is hidden, deleted or blocked is told apart by its status; nothing is followed or asked again."""
    with Server(told) as server, connected(server) as forge:
        found = forge.rest.get_json(path, per_page=100, q="a b&c", flag=True)
        assert (found.status, found.data) == (told.status, data)
        if told.status == 301:
            assert found.headers["location"] == f"{server.url}/x"
    assert [asked.path for asked in server.asked] == [f"{path}?per_page=100&q=a+b%26c&flag=true"]


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        (Told({"message": "Validation Failed"}, 422), AnswerError),
        (Told(b"", 304), AnswerError),
        (Told({"message": "Bad credentials"}, 401), InputError),
    ],
)
def test_plain_json_of_other_statuses(told: Told, kind: type[Exception]) -> None:
    """What tells nothing about the thing itself is an error."""
    with Server(told) as server, connected(server) as forge, pytest.raises(kind):
        forge.rest.get_json("/repos/a/b")
    assert len(server.asked) == 1


def test_plain_json_that_is_lost() -> None:
    """It is asked again like all reading."""
    with Server(Told(fault="cut", body=ISSUE), Told(ISSUE)) as server, connected(server) as forge:
        assert forge.rest.get_json("/repos/a/b/issues/5").data == ISSUE
    assert len(server.asked) == 2


def test_threads_share_a_client() -> None:
    """PyGithub keeps a request in an object that threads share; forty answers still reach those who asked."""

    class Echo(Server):
        def next(self, asked: Asked) -> Told:
            super().next(asked)
            number = int(asked.path.rpartition("/")[2]) if "issues" in asked.path else 0
            return Told({"number": number, "full_name": "a/b", "url": asked.path})

    wrong: list[int] = []
    with Echo(Told()) as server, connected(server) as forge:
        repository = forge.rest.repository("a/b")

        def work(first: int) -> None:
            wrong.extend(n for n in range(first, first + 10) if repository.get_issue(n).number != n)

        threads = [threading.Thread(target=work, args=(100 * name,)) for name in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(server.asked) == 41


def test_logs_hold_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    """PyGithub's own log has the headers that it sets: the token is not among them."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "github")
    with (
        of(Told(ISSUE, 201), Told({"message": f"no {SECRET}"}, 422)) as server,
        connected(server, writes=True) as forge,
    ):
        repository = forge.rest.repository("a/b")
        repository.create_issue("x")
        with pytest.raises(AnswerError):
            repository.create_issue("x")
    assert "github.Requester" in {record.name for record in caplog.records}
    assert SECRET not in caplog.text
