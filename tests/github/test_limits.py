"""Every shape of GitHub's "not now" and "not you" is told from every other, and from an answer."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.edges.github.denials import denial
from bot.edges.github.limits import refusal

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)
IN_10_MIN = {"X-RateLimit-Reset": str(int((NOW + timedelta(minutes=10)).timestamp()))}
SPENT = {"X-RateLimit-Remaining": "0", **IN_10_MIN}
LEFT = {"X-RateLimit-Remaining": "41", **IN_10_MIN}
PRIMARY = {"message": "API rate limit exceeded for user ID 1.", "documentation_url": "https://docs.github.com/rest"}
SECONDARY = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
ABUSE = {"message": "You have triggered an abuse detection mechanism. Please retry your request again later."}
PAT = {"message": "Resource not accessible by personal access token"}
APP = {"message": "Resource not accessible by integration"}
WAF = b"<html><head><title>x</title></head><h1>Whoa there!</h1> You have exceeded a secondary rate limit.</html>"


def graphql(kind: str, message: str = "", data: Any = None, **more: Any) -> dict[str, Any]:
    """A GraphQL answer with one error."""
    return {"data": data, "errors": [{"type": kind, "message": message, **more}]}


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind", "wait_s"),
    [
        (403, SPENT, PRIMARY, "primary", 600),
        (429, SPENT, PRIMARY, "primary", 600),
        (403, SPENT, b"", "primary", 600),
        (403, LEFT, PRIMARY, "primary", 600),
        (403, {}, PRIMARY, "primary", None),
        (403, {"x-ratelimit-remaining": "0"}, PRIMARY, "primary", None),
        (403, {**SPENT, "X-RateLimit-Reset": "soon"}, PRIMARY, "primary", None),
        (403, {**SPENT, "X-RateLimit-Reset": "nan"}, PRIMARY, "primary", None),
        (403, {**SPENT, "X-RateLimit-Reset": "1e400"}, PRIMARY, "primary", None),
        (403, {**SPENT, "X-RateLimit-Reset": "0"}, PRIMARY, "primary", 1),
        (403, {**SPENT, "X-RateLimit-Reset": "99999999999"}, PRIMARY, "primary", 86_400),
        (403, {"Retry-After": "7"}, SECONDARY, "secondary", 7),
        (429, {"Retry-After": "7"}, SECONDARY, "secondary", 7),
        (403, {**LEFT, "Retry-After": "7"}, SECONDARY, "secondary", 7),
        (403, {**SPENT, "Retry-After": "7"}, SECONDARY, "secondary", 7),
        (403, {"Retry-After": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, {}, "secondary", 90),
        (403, {"Retry-After": format_datetime(NOW - timedelta(seconds=90), usegmt=True)}, {}, "secondary", 1),
        (429, {"Retry-After": "0"}, {}, "secondary", 1),
        (429, {"Retry-After": "-1"}, {}, "secondary", None),
        (429, {"Retry-After": "soon"}, {}, "secondary", None),
        (429, {"Retry-After": "999999999"}, {}, "secondary", 86_400),
        (403, LEFT, SECONDARY, "secondary", None),
        (403, LEFT, ABUSE, "secondary", None),
        (403, {}, WAF, "secondary", None),
        (429, {}, b"", "secondary", None),
        (429, {}, WAF, "secondary", None),
        (503, {"Retry-After": "30"}, b"<html>", "unavailable", 30),
        (200, SPENT, graphql("RATE_LIMITED", "API rate limit exceeded"), "primary", 600),
        (200, SPENT, graphql("RATE_LIMIT", "API rate limit already exceeded"), "primary", 600),
        (200, {}, graphql("", code="graphql_rate_limit"), "primary", None),
        (200, {}, graphql("RATE_LIMITED", data={"rateLimit": {"resetAt": "2026-11-12T06:05:00Z"}}), "primary", 300),
        (200, {}, graphql("RATE_LIMITED", data={"rateLimit": {"resetAt": "later"}}), "primary", None),
        (200, {"Retry-After": "9"}, graphql("", SECONDARY["message"]), "secondary", 9),
    ],
)
def test_refusals(status: int, headers: dict[str, str], body: Any, kind: str, wait_s: int | None) -> None:
    """Each is a refusal of its kind, with the time that GitHub gave and none where it gave none."""
    found = refusal(status, headers, body if isinstance(body, bytes) else json.dumps(body), NOW)
    assert found is not None
    assert found.kind == kind
    assert found.until == (None if wait_s is None else NOW + timedelta(seconds=wait_s))


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (200, SPENT, {"data": {}}),
        (200, SPENT, {"title": 'says "errors" and RATE_LIMITED'}),
        (200, {}, graphql("NOT_FOUND", "Could not resolve to an Issue with the number of 5.")),
        (200, {}, {"errors": "RATE_LIMITED"}),
        (200, {}, b'{"errors": [null, 1, "RATE_LIMITED"]'),
        (401, SPENT, {"message": "Bad credentials"}),
        (403, LEFT, PAT),
        (403, SPENT, APP),
        (403, {**SPENT, "X-GitHub-SSO": "required; url=https://github.com/orgs/x/sso"}, {}),
        (403, LEFT, b""),
        (404, SPENT, {"message": "Not Found"}),
        (500, {"Retry-After": "5"}, b""),
        (503, {}, b""),
        (304, SPENT, b""),
    ],
)
def test_no_refusals(status: int, headers: dict[str, str], body: Any) -> None:
    """What is no limit is not taken for one, though nothing be left or a text speak of limits."""
    assert refusal(status, headers, body if isinstance(body, bytes) else json.dumps(body), NOW) is None


@pytest.mark.parametrize(
    ("status", "headers", "body", "told"),
    [
        (401, {}, {"message": "Bad credentials"}, ["(Bad credentials)", "github.token_file", "ALIGNBOT_GITHUB_TOKEN"]),
        (401, {}, b"", ["no reason given"]),
        (403, {"X-GitHub-SSO": "required; url=https://github.com/orgs/x/sso?a=b"}, {}, ["SAML", "settings/tokens"]),
        (
            403,
            {},
            PAT,
            ["Resource not accessible by personal access token", "Issues, Pull requests and Contents: read"],
        ),
        (403, {}, APP, ["Resource not accessible by integration", "Contents: read"]),
        (403, {}, {"message": "the `x` organization has an IP allow list\nenabled"}, ["IP allow list enabled"]),
        (404, {}, {"message": "Not Found"}, ["pytorch/pytorch", "upstream.repo", "target.repo"]),
        (407, {}, b"", ["github.proxy"]),
        (200, {}, graphql("INSUFFICIENT_SCOPES", "requires ['read:org']"), ["lacks a scope", "read:org"]),
        (200, {}, graphql("FORBIDDEN", PAT["message"], {"repository": None}), ["personal access token", "Issues"]),
        (200, {}, graphql("FORBIDDEN", "Resource protected by organization SAML enforcement."), ["SAML"]),
        (
            200,
            {},
            graphql(
                "NOT_FOUND",
                "Could not resolve to a Repository with the name 'a/b'.",
                {"repository": None, "rateLimit": {"cost": 1}},
                path=["repository"],
            ),
            ["a/b", "upstream.repo"],
        ),
    ],
)
def test_denials(status: int, headers: dict[str, str], body: Any, told: list[str]) -> None:
    """Each denial is one sentence that says what to change."""
    text = body if isinstance(body, bytes) else json.dumps(body)
    said = denial(status, headers, text, NOW, path="/repos/pytorch/pytorch")
    assert said is not None
    assert "\n" not in said
    assert [part for part in told if part not in said] == []


@pytest.mark.parametrize(
    ("status", "body", "path"),
    [
        (404, {"message": "Not Found"}, "/repos/pytorch/pytorch/issues/5"),
        (410, {"message": "This issue was deleted"}, "/repos/pytorch/pytorch"),
        (422, {"message": "Validation Failed"}, ""),
        (200, {"data": {"repository": {}}}, ""),
        (200, graphql("NOT_FOUND", "… Repository with the name 'a/b'.", {"a": None, "b": {}}, path=["a"]), ""),
        (200, graphql("FORBIDDEN", "… SAML …", {"repository": {"n1": None}}, path=["repository", "n1"]), ""),
        (500, b"", ""),
    ],
)
def test_no_denials(status: int, body: Any, path: str) -> None:
    """A missing issue, and a part of an answer that is missing, are for the asker to judge."""
    assert denial(status, {}, body if isinstance(body, bytes) else json.dumps(body), NOW, path=path) is None


@pytest.mark.parametrize(("seconds", "told"), [(60, None), (-61, "61 s behind"), (7200, "7200 s ahead of")])
def test_a_wrong_clock_is_told(seconds: int, told: str | None) -> None:
    """Bad credentials may be a bad clock: more than a minute off is said."""
    headers = {"Date": format_datetime(NOW, usegmt=True)}
    said = denial(401, headers, b"{}", NOW + timedelta(seconds=seconds)) or ""
    assert (told in said) if told else ("clock" not in said)


@given(
    status=st.sampled_from([200, 401, 403, 404, 429, 503]),
    names=st.dictionaries(
        st.sampled_from(["retry-after", "x-ratelimit-reset", "x-ratelimit-remaining", "date", "x-github-sso"]),
        st.one_of(st.text(), st.integers().map(str), st.floats().map(str)),
    ),
    body=st.one_of(
        st.binary(),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
            lambda inner: st.one_of(
                st.lists(inner), st.dictionaries(st.sampled_from(["errors", "data", "message", "type", "path"]), inner)
            ),
        ).map(lambda content: json.dumps(content).encode()),
    ),
)
def test_nothing_that_comes_makes_it_fail(status: int, names: dict[str, str], body: bytes) -> None:
    """Whatever the headers and the body hold, there is an answer, and its time lies ahead, within a day."""
    found = refusal(status, names, body, NOW)
    assert found is None or found.until is None or NOW < found.until <= NOW + timedelta(days=1)
    said = denial(status, names, body, NOW, path="/repos/a/b")
    assert said is None or said.isprintable()
