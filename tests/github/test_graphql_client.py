"""GraphQL over a real connection: every fault of the network and of GitHub, and what becomes of it."""

import gzip
import json
import logging
import signal
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import trustme

from bot.edges.github.denials import PROXY_CURE
from bot.edges.github.faults import LostError
from bot.edges.github.graphql import TooHeavyError, graphql_url
from bot.edges.github.limiter import Spent
from bot.edges.github.network import Network, excepts, network, proxy_for
from bot.edges.github.transport import Transport
from bot.errors import ForgeError, InputError, LimitedError
from tests.github.loopback import SECRET, START, Server, Told, connected, limits, proxying

QUERY = "query Q($n: Int!) { repository { issue(number: $n) { title } } }"
OK = Told({"data": {"repository": {"issue": {"title": "é"}}}})
WRONG = "Something went wrong while executing your query."
TIMEOUT = f"{WRONG} This may be the result of a timeout, or it could be a GitHub bug."


def failed(kind: str, message: str = "no", data: Any = None, status: int = 200, **more: Any) -> Told:
    """An answer with one error."""
    error = {"message": message, **({"type": kind} if kind else {}), **more}
    return Told({"data": data, "errors": [error]}, status)


def ask(server: Server, **access: Any) -> Any:
    """One question to that server, on its clock."""
    with connected(server, **access) as forge:
        return forge.graphql.ask(QUERY, {"n": 5}, "Q")


def test_what_is_sent_and_what_comes() -> None:
    """The document, its variables and its name, with the token; the answer's data, and its very bytes."""
    with Server(OK) as server:
        answer = ask(server)
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/graphql")
    assert asked.content == {"query": QUERY, "variables": {"n": 5}, "operationName": "Q"}
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.headers["user-agent"].startswith("alignbot/")
    assert answer.data == {"repository": {"issue": {"title": "é"}}}
    assert (answer.errors, answer.raw) == ((), OK.encoded())


@pytest.mark.parametrize(
    ("api", "url"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://api.github.com/", "https://api.github.com/graphql"),
        ("https://git.example.com/api/v3", "https://git.example.com/api/graphql"),
        ("https://git.example.com/api/v3/", "https://git.example.com/api/graphql"),
        ("http://127.0.0.1:8000/base", "http://127.0.0.1:8000/base/graphql"),
    ],
)
def test_where_graphql_is(api: str, url: str) -> None:
    """Beside the REST API, on an enterprise server too."""
    assert graphql_url(api) == url


def test_an_enterprise_server() -> None:
    """Both APIs are found below its paths, and pages of lists are followed there."""
    page = Told([{"number": 1}], headers={"Link": '<{base}/api/v3/repositories/1/issues?page=2>; rel="next"'})
    script = (OK, Told({"full_name": "a/b", "url": "/repos/a/b"}), page, Told([{"number": 2}]))
    with Server(*script) as server, connected(server, api=f"{server.url}/api/v3") as forge:
        forge.graphql.ask(QUERY, {}, "Q")
        assert [issue.number for issue in forge.rest.repository("a/b").get_issues()] == [1, 2]
    assert [asked.path.partition("?")[0] for asked in server.asked] == [
        "/api/graphql",
        "/api/v3/repos/a/b",
        "/api/v3/repos/a/b/issues",
        "/api/v3/repositories/1/issues",
    ]


def test_a_compressed_answer() -> None:
    """It is asked for as gzip, and given out as it was."""
    body = gzip.compress(OK.encoded())
    with Server(Told(body, headers={"Content-Encoding": "gzip"})) as server:
        assert ask(server).raw == OK.encoded()
    assert server.asked[0].headers["accept-encoding"] == "gzip"


LOST = {
    "reset": Told(fault="reset"),
    "closed": Told(fault="close"),
    "cut": Told(OK.body, fault="cut"),
    "cut in JSON": Told(OK.encoded()[:20]),
    "empty": Told(b""),
    "HTML": Told(b"<html>Unicorn!</html>", headers={"Content-Type": "text/html"}),
    "no object": Told([1]),
    "neither": Told({"data": None}),
    "deep": Told(b'{"data":' + b"[" * 100_000),
    "no UTF-8": Told(b'{"data": {"a": "\xff"}}'),
    "broken gzip": Told(b"no gzip", headers={"Content-Encoding": "gzip"}),
    "other encoding": Told(OK.encoded(), headers={"Content-Encoding": "zstd"}),
    "500": Told(b"", 500),
    "502": Told(b"<html>", 502),
    "503": Told(b"", 503),
    "504": Told(b"", 504),
    "500 with errors": failed("", "Internal error", status=500),
    "bug": failed("", WRONG),
}


@pytest.mark.parametrize("lost", [pytest.param(told, id=name) for name, told in LOST.items() if "errors" not in name])
def test_what_is_lost_is_asked_again(lost: Told) -> None:
    """Once lost, the same question is answered at the second try, after a pause."""
    with Server(lost, OK) as server:
        assert ask(server).data["repository"]["issue"] == {"title": "é"}
    assert len(server.asked) == 2
    assert server.asked[0].body == server.asked[1].body
    assert len(server.clock.slept) == 1


@pytest.mark.parametrize(
    "lost",
    [pytest.param(told, id=name) for name, told in LOST.items() if name not in ("502", "504", "500 with errors")],
)
def test_what_stays_lost_is_an_error(lost: Told) -> None:
    """Three tries in all; the error is one line."""
    with Server(lost) as server, pytest.raises(LostError) as caught:
        ask(server)
    assert len(server.asked) == 3
    assert "\n" not in str(caught.value)
    assert len(server.clock.slept) == 2
    assert max(server.clock.slept) <= 10


@pytest.mark.parametrize("status", [502, 504])
def test_given_up_twice_is_too_heavy(status: int) -> None:
    """The first may be chance; after the second, less must be asked for."""
    with Server(Told(b"", status), Told(b"", 502)) as server, pytest.raises(TooHeavyError, match="takes too long"):
        ask(server)
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "told",
    [
        failed("", TIMEOUT),
        failed("", TIMEOUT, status=502),
        failed("RESOURCE_LIMITS_EXCEEDED", "Resource limits for this query exceeded.", {"a": [None]}, path=["a", 0]),
        failed("", "Resource limits for this query exceeded.", {"a": [None]}),
        failed("MAX_NODE_LIMIT_EXCEEDED", "This query requests up to 1,000,100 possible nodes"),
    ],
)
def test_too_heavy_is_told_at_once(told: Told) -> None:
    """GitHub says so: nothing is asked again, and what came in part is not taken for the whole."""
    with Server(told) as server, pytest.raises(TooHeavyError):
        ask(server)
    assert len(server.asked) == 1


@pytest.mark.parametrize("kind", ["NOT_FOUND", "FORBIDDEN"])
def test_a_part_that_is_missing_is_left_to_the_asker(kind: str) -> None:
    """The data come with the errors that say which part is null."""
    data = {"repository": {"a": None, "b": {"title": "x"}}}
    told = failed(kind, "Could not resolve to an Issue with the number of 5.", data, path=["repository", "a"])
    with Server(told) as server:
        answer = ask(server)
    assert answer.data == data
    assert [error["path"] for error in answer.errors] == [["repository", "a"]]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (failed("undefinedField", "Field 'x' doesn't exist on type 'Query'"), "Q: Field 'x' doesn't exist"),
        (failed("", "odd", {"a": 1}), "odd"),
        (failed("NOT_FOUND", "gone"), "Q: gone"),
        (failed("SERVICE_UNAVAILABLE", "line\nline", {"a": 1}), "line line"),
        (failed("", "Internal error", status=500), "Internal error"),
        (Told({"data": {"a": 1}, "errors": ["odd"]}), "no reason given"),
        (Told({"message": "Problems parsing JSON"}, 400), "400 to Q (Problems parsing JSON)"),
        (Told(b"", 302, {"Location": "https://login.example.com"}), "302 to Q (https://login.example.com)"),
    ],
)
def test_other_errors_are_ours(told: Told, said: str) -> None:
    """One line with GitHub's reason; nothing is asked again, nothing followed."""
    with Server(told) as server, pytest.raises(ForgeError) as caught:
        ask(server)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (Told({"message": "Bad credentials"}, 401), "check ALIGNBOT_GITHUB_TOKEN"),
        (Told({"message": "x"}, 403, {"X-GitHub-SSO": "required"}), "SAML"),
        (Told({"message": "Not Found"}, 404), "check github.api"),
        (failed("INSUFFICIENT_SCOPES", "needs ['repo']"), "lacks a scope"),
        (failed("FORBIDDEN", "Resource not accessible by integration"), "Issues, Pull requests and Contents: read"),
        (failed("NOT_FOUND", "… Repository with the name 'a/b'.", {"repository": None}, path=["repository"]), "a/b"),
    ],
)
def test_denials_say_what_to_do(told: Told, said: str) -> None:
    """They are for a person to mend: InputError, at once."""
    with Server(told) as server, pytest.raises(InputError) as caught:
        ask(server)
    assert said in str(caught.value)
    assert len(server.asked) == 1


def in_s(seconds: float) -> datetime:
    """So long after the clock's beginning."""
    return START + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("told", "slept"),
    [
        (Told({"message": "API rate limit exceeded"}, 403, limits(0, in_s(60))), [61]),
        (Told({"message": "API rate limit exceeded"}, 429, limits(0, in_s(60))), [61]),
        (Told({"message": "secondary rate limit"}, 403, {"Retry-After": "30"}), [30]),
        (Told({"message": "You have exceeded a secondary rate limit"}, 403), [60]),
        (Told(b"", 429), [60]),
        (Told(b"", 503, {"Retry-After": "5"}), [5]),
        (Told(failed("RATE_LIMITED").body, 200, limits(0, in_s(60), resource="graphql")), [61]),
        (failed("RATE_LIMIT", data={"rateLimit": {"resetAt": "2026-11-12T06:00:40Z"}}), [40]),
    ],
)
def test_a_refusal_is_waited_for(told: Told, slept: list[float]) -> None:
    """In each of GitHub's shapes, as long as it says, and then the question is answered."""
    with Server(told, OK) as server:
        ask(server)
    assert server.clock.slept == slept
    assert len(server.asked) == 2


def test_a_long_refusal_is_told() -> None:
    """Nobody waits for an hour: the error says until when, and nothing more is sent before."""
    told = Told({"message": "API rate limit exceeded"}, 403, limits(0, in_s(3000)))
    with Server(told) as server, connected(server) as forge:
        for _ in range(2):
            with pytest.raises(LimitedError, match="2026-11-12T06:50:0") as caught:
                forge.graphql.ask(QUERY, {}, "Q")
            assert caught.value.until == in_s(3001)
    assert len(server.asked) == 1
    assert server.clock.slept == []


def test_endless_refusals_end() -> None:
    """Three tries, with longer and longer waits between them."""
    with Server(Told(b"", 429)) as server, pytest.raises(LimitedError):
        ask(server, max_wait=timedelta(hours=1))
    assert server.clock.slept == [60, 120]
    assert len(server.asked) == 3


def test_points_are_learned() -> None:
    """From the query's own `rateLimit`; a server that gives null there has no limits."""
    paid = Told({"data": {"a": 1, "rateLimit": {"cost": 3, "remaining": 4997, "resetAt": "2026-11-12T07:00:00Z"}}})
    free = Told({"data": {"a": 1, "rateLimit": None}})
    odd = Told({"data": {"a": 1, "rateLimit": {"cost": "much"}}})
    with Server(paid, paid, free, odd) as server, connected(server) as forge:
        for _ in range(4):
            forge.graphql.ask(QUERY, {}, "Q")
        assert forge.limiter.spent == {"graphql": Spent(requests=4, points=6)}
        assert forge.limiter.left("graphql") == 4995


def test_a_scan_is_paid_for_before_it_starts() -> None:
    """The budget is asked for, which costs nothing, and too little is told before the first question."""
    reset = int(in_s(3000).timestamp())
    core = {"limit": 5000, "remaining": 5000, "reset": reset}
    told = Told({"resources": {"core": core, "graphql": {"limit": 5000, "remaining": 9, "reset": reset}}})
    with Server(told) as server, connected(server) as forge:
        forge.require(points=9, requests=5000)
        with pytest.raises(LimitedError, match="needs 10 points of GitHub's graphql budget, 9 are left"):
            forge.require(points=10)
        with pytest.raises(InputError, match="choose a shorter window"):
            forge.require(points=5001)
    assert {asked.path for asked in server.asked} == {"/rate_limit"}


def test_a_server_without_limits_lets_all_pass() -> None:
    """An enterprise server says 404 instead of a budget."""
    with Server(Told({"message": "Rate limiting is not enabled."}, 404)) as server, connected(server) as forge:
        forge.require(points=10**6, requests=10**6)


def test_only_queries_are_asked() -> None:
    """What could be asked twice must change nothing."""
    with Server(OK) as server, connected(server) as forge, pytest.raises(ValueError, match="is no query"):
        forge.graphql.ask("fragment F on X { a }\nmutation M { addStar { id } }", {}, "M")
    assert server.asked == []


@pytest.mark.parametrize("fault", ["drip", "drip-head"])
def test_a_dripping_answer_ends(fault: str) -> None:
    """A byte now and then is never silent for long, but the whole answer has its time, and is not asked for again."""
    with Server(Told({"data": {"a": "x" * 2000}}, fault=fault)) as server:
        begun = time.monotonic()
        with pytest.raises(LostError, match=r"longer than 1 s to answer POST /graphql"):
            ask(server, timeout_s=0.5)
        assert time.monotonic() - begun < 5
    assert len(server.asked) == 1


def test_a_silent_server_ends() -> None:
    """Silence is asked again, three times in all, and then it is over."""
    with Server(Told(fault="hang")) as server, pytest.raises(LostError, match="in time"):
        ask(server, timeout_s=0.4)
    assert len(server.asked) == 3


def test_after_a_lost_answer_the_next_is_whole() -> None:
    """Nothing of an answer that was given up is taken for a part of the next one."""
    with (
        Server(Told({"data": {"a": "x" * 2000}}, fault="drip"), OK) as server,
        connected(server, timeout_s=0.5) as forge,
    ):
        with pytest.raises(LostError):
            forge.graphql.ask(QUERY, {}, "Q")
        assert forge.graphql.ask(QUERY, {}, "Q").raw == OK.encoded()


def test_nobody_there() -> None:
    """A closed port is told as what it is."""
    with Server(OK) as server:
        pass
    with pytest.raises(LostError, match="can't be reached") as caught:
        ask(server)
    assert not caught.value.sent
    assert len(server.clock.slept) == 2


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_an_endless_answer_ends(encoding: str) -> None:
    """However small it looks on the wire."""
    body = json.dumps({"data": {"a": "x" * (3 << 20)}}).encode()
    told = Told(gzip.compress(body) if encoding == "gzip" else body, headers={"Content-Encoding": encoding})
    with Server(told) as server:
        transport = Transport(network(server.url, None, None, {}), 5.0, most_bytes=1 << 20)
        with pytest.raises(TooHeavyError, match="longer than 1 MiB"):
            transport.send("GET", server.url, {})
        transport.close()


def test_threads_share_connections() -> None:
    """Forty answers to four threads, each to the question that was asked."""

    class Echo(Server):
        def next(self, asked: Any) -> Told:
            super().next(asked)
            return Told({"data": asked.content["variables"]})

    wrong = []
    with Echo(OK) as server, connected(server) as forge:

        def work(name: int) -> None:
            wrong.extend(
                n for n in range(10) if forge.graphql.ask(QUERY, {"n": [name, n]}, "Q").data != {"n": [name, n]}
            )

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(server.asked) == 40


def test_closing_twice_is_no_harm() -> None:
    """And no thread of ours is left behind."""
    with Server(OK) as server, connected(server) as forge:
        forge.graphql.ask(QUERY, {}, "Q")
        forge.close()
    assert [thread.name for thread in threading.enumerate() if thread.name == "github"] == []


AUTHORITY = trustme.CA()


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A file with a certificate that only this test trusts."""
    path = tmp_path / "ca.pem"
    AUTHORITY.cert_pem.write_to_path(path)
    return path


def certified() -> ssl.SSLContext:
    """What a server needs whose certificate is from that authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert("127.0.0.1").configure_cert(context)
    return context


@pytest.fixture
def secure() -> Iterator[Server]:
    """A server with such a certificate."""
    with Server(OK, Told({"full_name": "a/b"}), OK, tls=certified()) as server:
        yield server


def both(server: Server, **access: Any) -> None:
    """A question to each API."""
    with connected(server, **access) as forge:
        assert forge.graphql.ask(QUERY, {}, "Q").raw == OK.encoded()
        assert forge.rest.repository("a/b").full_name == "a/b"


@pytest.mark.parametrize("name", ["setting", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"])
def test_a_bundle_of_ones_own(name: str, bundle: Path, secure: Server) -> None:
    """Both APIs trust it, whether it is named by the setting or by any of the usual variables."""
    environ = {"ALIGNBOT_GITHUB_TOKEN": SECRET}
    if name == "setting":
        both(secure, environ={**environ, "SSL_CERT_FILE": "/none"}, ca_bundle=bundle)
    else:
        both(secure, environ={**environ, name: str(bundle)})


def test_a_stranger_is_not_trusted(secure: Server) -> None:
    """Nothing is sent, nothing asked again, and the cure is told."""
    with pytest.raises(InputError, match=r"not trusted .*set github\.ca_bundle or SSL_CERT_FILE"):
        ask(secure)
    assert secure.asked == []


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_bundle_that_is_none(content: str | None, tmp_path: Path) -> None:
    """Missing or broken, it is told under the name that it has, before anything is sent."""
    path = tmp_path / "ca.pem"
    if content:
        path.write_text(content)
    for name, bundle, environ in (
        ("github.ca_bundle", path, {}),
        ("REQUESTS_CA_BUNDLE", None, {"REQUESTS_CA_BUNDLE": str(path)}),
    ):
        with pytest.raises(InputError, match=f"{name} names {path}, which is no file of certificates"):
            network("https://api.github.com", None, bundle, environ)


def test_a_proxy_from_the_settings() -> None:
    """Both APIs go through it."""
    with proxying() as (proxy, seen), Server(OK, Told({"full_name": "a/b"})) as server:
        both(server, proxy=proxy)
    assert seen == [f"POST {server.url}/graphql", f"GET {server.url}/repos/a/b"]


def test_a_proxy_from_the_environment() -> None:
    """Both APIs go through it, unless NO_PROXY names the host."""
    for extra, count in (({}, 2), ({"NO_PROXY": "localhost, 127.0.0.0/8"}, 0)):
        with proxying() as (proxy, seen), Server(OK, Told({"full_name": "a/b"})) as server:
            environ = {"ALIGNBOT_GITHUB_TOKEN": SECRET, "HTTP_PROXY": proxy.removeprefix("http://"), **extra}
            both(server, environ=environ)
        assert len(seen) == count


def test_a_tunnel_through_a_proxy(secure: Server, bundle: Path) -> None:
    """With TLS the proxy sees a name and no token."""
    with proxying() as (proxy, seen):
        both(secure, environ={"ALIGNBOT_GITHUB_TOKEN": SECRET, "HTTPS_PROXY": proxy}, ca_bundle=bundle)
    assert seen == [f"CONNECT {secure.url.removeprefix('https://')}"]


def test_a_proxy_with_tls(bundle: Path) -> None:
    """The bundle counts for the way to the proxy too."""
    with proxying(tls=certified()) as (proxy, seen), Server(OK, Told({"full_name": "a/b"})) as server:
        both(server, proxy=proxy, ca_bundle=bundle)
        with pytest.raises(InputError, match="not trusted"):
            ask(server, proxy=proxy)
    assert len(seen) == 2


def test_a_proxy_with_a_password(secure: Server, bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It gets what the address holds; where it wants another, that is told without showing ours."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "github")
    with proxying("Basic dXNlcjpob3JzZS1zdGFwbGU=") as (proxy, _), Server(OK, Told({"full_name": "a/b"})) as server:
        host = proxy.removeprefix("http://")
        both(server, proxy=f"http://user:horse-staple@{host}")
        both(secure, proxy=f"http://user:horse-staple@{host}", ca_bundle=bundle)
        for other in (server, secure):
            with pytest.raises(InputError) as caught:
                ask(other, proxy=f"http://user:other-staple@{host}", ca_bundle=bundle)
            assert str(caught.value) == PROXY_CURE
    assert "staple" not in caplog.text
    assert "dXNlcj" not in caplog.text


def test_a_proxy_that_is_not_there() -> None:
    """It is the proxy's fault, or so it looks: nothing was sent."""
    with Server(OK) as server, proxying() as (proxy, _):
        pass
    with pytest.raises(LostError) as caught:
        ask(server, proxy=proxy)
    assert not caught.value.sent


@pytest.mark.parametrize(
    ("proxy", "told"),
    [
        ("ftp://user:secret@host", "is no address of a proxy"),
        ("http://", "is no address of a proxy"),
        ("http://user:secret@host:many", "is no address of a proxy"),
        ("socks5://user:secret@host", "SOCKS proxy: install"),
    ],
)
def test_a_proxy_that_is_none(proxy: str, told: str) -> None:
    """The setting is named, its password is not."""
    for name, setting, environ in (("github.proxy", proxy, {}), ("HTTPS_PROXY", None, {"https_proxy": proxy})):
        with pytest.raises(InputError, match=f"^{name} .*{told}") as caught:
            network("https://api.github.com", setting, None, environ)
        assert "secret" not in str(caught.value)


def test_an_address_that_is_none() -> None:
    """A port that is no number is the setting's fault."""
    with pytest.raises(InputError, match=r"github\.api is no address"):
        network("http://127.0.0.1:many", None, None, {})


@pytest.mark.parametrize(
    ("environ", "proxy"),
    [
        ({}, None),
        ({"HTTP_PROXY": "http://p"}, None),
        ({"HTTPS_PROXY": "http://p"}, "http://p"),
        ({"https_proxy": "p:3128", "HTTPS_PROXY": "http://q"}, "http://p:3128"),
        ({"ALL_PROXY": "http://p"}, "http://p"),
        ({"HTTPS_PROXY": "", "all_proxy": "http://p"}, "http://p"),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": ""}, "http://p"),
        ({"HTTPS_PROXY": "http://p", "NO_PROXY": "api.github.com"}, None),
        ({"HTTPS_PROXY": "http://p", "no_proxy": "github.com", "NO_PROXY": "x"}, None),
        ({"HTTPS_PROXY": "http://p", "no_proxy": "x", "NO_PROXY": "github.com"}, "http://p"),
    ],
)
def test_which_proxy(environ: dict[str, str], proxy: str | None) -> None:
    """The scheme's own before the one for all, small letters before large ones, as curl and requests have it."""
    assert proxy_for("https://api.github.com", environ)[1] == proxy


@pytest.mark.parametrize(
    ("entries", "host", "excepted"),
    [
        ("*", "api.github.com", True),
        (".github.com", "api.github.com", True),
        ("*.github.com", "api.github.com", True),
        ("GitHub.com", "api.github.com", True),
        ("hub.com", "api.github.com", False),
        ("x, api.github.com:443", "api.github.com", True),
        ("api.github.com:80", "api.github.com", False),
        ("10.0.0.0/8", "10.1.2.3", True),
        ("10.0.0.0/8", "11.1.2.3", False),
        ("10.0.0.0/8", "api.github.com", False),
        ("::1", "::1", True),
        ("", "api.github.com", False),
    ],
)
def test_no_proxy(entries: str, host: str, excepted: bool) -> None:
    """Names with all below them, ports, addresses and nets."""
    assert excepts(entries, host, 443) is excepted


def test_an_interrupt_ends_the_question() -> None:
    """Ctrl-C is not held up by a server that is silent, and leaves nothing open."""
    context = ssl.create_default_context()
    with Server(Told(fault="hang")) as server:
        transport = Transport(Network(context, None), 20.0)
        main = threading.get_ident()

        def interrupt() -> None:
            while not server.asked:
                time.sleep(0.01)
            signal.pthread_kill(main, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            transport.send("GET", server.url, {})
        thread.join()
        transport.close()
        assert time.monotonic() - begun < 5


def test_no_secret_in_errors_and_logs(caplog: pytest.LogCaptureFixture) -> None:
    """Even where GitHub repeats the token in what it says."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "github")
    said = []
    for told in (
        failed("", f"odd {SECRET}", {"a": 1}),
        failed("", f"{TIMEOUT} {SECRET}"),
        failed("FORBIDDEN", f"no {SECRET}"),
        failed("RATE_LIMITED", f"no {SECRET}"),
        Told({"message": f"no {SECRET}"}, 400),
        Told({"message": f"no {SECRET}"}, 403),
        Told({"message": f"rate limit exceeded {SECRET}"}, 429),
        Told(SECRET.encode(), 401),
    ):
        with Server(told) as server, pytest.raises((ForgeError, InputError)) as caught:
            ask(server)
        error: BaseException | None = caught.value
        while error:
            said.append(f"{error!r} {error} {error.args}")
            error = error.__cause__ or error.__context__
    assert SECRET not in "".join(said)
    assert SECRET not in caplog.text
