"""Recognises GitHub's "not you" and "not there", and says in one sentence what a person has to change."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.edges.github.answers import content_of, errors_of, kind_of, lowered, may_hold_errors, message_of, one_line
from bot.edges.github.limits import http_date

SOURCE = "github.token_file or ALIGNBOT_GITHUB_TOKEN"
NEEDS = "Issues, Pull requests and Contents: read"
PROXY_CURE = (
    "the proxy wants a user and a password: put them into github.proxy, or HTTPS_PROXY (http://user:password@host:port)"
)
SKEW_S = 60
"""Seconds by which a clock may be wrong before it is told."""
REPOSITORY = re.compile(r"/repos/([^/]+/[^/]+)")


def denial(
    status: int,
    headers: Mapping[str, str],
    body: bytes | str,
    now: datetime,
    *,
    path: str = "",
    source: str = SOURCE,
    needs: str = NEEDS,
) -> str | None:
    """Why it is denied and what to do next; None if it isn't.

    `now` is this machine's time, `path` the REST path that was asked for, `source` where the credentials are from,
    `needs` the permissions that they should have.
    """
    heads = lowered(headers)
    if status == 401:
        said = message_of(body) or "no reason given"
        return f"GitHub does not accept the credentials ({said}): check {source}{_wrong_clock(heads, now)}"
    if status == 403:
        return _forbidden(heads, message_of(body), source, needs)
    if status == 404 and (repository := REPOSITORY.fullmatch(path)):
        return _no_repository(repository[1], source)
    if status == 407:
        return PROXY_CURE
    if status == 200:
        return _in_graphql(body, source, needs)
    return None


def _wrong_clock(headers: Mapping[str, str], now: datetime) -> str:
    theirs = http_date(headers.get("date", ""))
    seconds = (now - theirs).total_seconds() if theirs else 0.0
    if abs(seconds) <= SKEW_S:
        return ""
    where = "ahead of" if seconds > 0 else "behind"
    return f"; the clock of this machine is {abs(seconds):.0f} s {where} GitHub's: set it"


def _forbidden(headers: Mapping[str, str], said: str, source: str, needs: str) -> str:
    if "x-github-sso" in headers or "saml" in said.lower():
        return _single_sign_on(source)
    if "not accessible by" in said.lower():
        return _not_accessible(said, source, needs)
    return f"GitHub forbids this ({said or 'no reason given'}): check what {source} may do; it needs {needs}"


def _single_sign_on(source: str) -> str:
    return (
        "the organisation demands SAML single sign-on: authorise the token for it "
        f"at https://github.com/settings/tokens (Configure SSO), or set another in {source}"
    )


def _not_accessible(said: str, source: str, needs: str) -> str:
    return f"{source} may not do this ({said}): give it access to the repository, with {needs}"


def _no_repository(name: str, source: str) -> str:
    return (
        f"GitHub shows no repository {one_line(name)}: check upstream.repo and target.repo, "
        f"and that {source} may see it if it is private"
    )


def _in_graphql(body: bytes | str, source: str, needs: str) -> str | None:
    """GraphQL denies with status 200; where it answers in part, the asker decides."""
    content = content_of(body) if may_hold_errors(body) else {}
    for error in errors_of(content):
        said, kind = one_line(str(error.get("message") or "")), kind_of(error)
        if kind == "NOT_FOUND" and error.get("path") == ["repository"]:
            name = re.search(r"with the name '([^']+)'", said)
            return _no_repository(name[1] if name else "by that name", source)
        if kind == "INSUFFICIENT_SCOPES":
            return f"the token lacks a scope ({said}): make one that has it, and set {source}"
        if kind == "FORBIDDEN" and not answered(content):
            return _forbidden({}, said, source, needs)
    return None


def answered(content: Mapping[str, Any]) -> bool:
    """Did GraphQL answer any part of the question? What it says of the budget is none."""
    data = content.get("data")
    return isinstance(data, dict) and any(value is not None for name, value in data.items() if name != "rateLimit")
