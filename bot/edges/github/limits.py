"""Recognises GitHub's "not now" in each of its shapes. Values in, values out: what follows is for the limiter.

The rules are those of GitHub's documentation: `Retry-After` counts first, then `x-ratelimit-reset` once nothing
remains, else wait a minute, and longer each time. Times are GitHub's own; `now` is GitHub's too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

from bot.edges.github.answers import content_of, errors_of, kind_of, lowered, may_hold_errors, message_of, one_line

SECONDARY = re.compile(
    r"secondary rate limit|abuse detection|retry your request again later|wait a few minutes before you try again", re.I
)
PRIMARY = re.compile(r"rate limit (already )?exceeded", re.I)
FORBIDDEN = re.compile(r"not accessible|saml|permission|ip allow list|forbids|suspended|blocked", re.I)
"""A 403 that is no limit, even if it came with the last request that was left."""
LIMITED_TYPES = {"RATE_LIMITED", "RATE_LIMIT", "graphql_rate_limit"}
LONGEST = timedelta(days=1)
"""GitHub's windows last an hour; a time further away than this is not believed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """GitHub asks to wait."""

    kind: Literal["primary", "secondary", "unavailable"]
    """The budget of one resource is spent, too much was asked in a short time, or GitHub is down for a while."""
    until: datetime | None
    """UTC; None where GitHub does not say."""
    said: str = ""


def refusal(status: int, headers: Mapping[str, str], body: bytes | str, now: datetime) -> Refusal | None:
    """The refusal in an answer, None if it is none."""
    heads = lowered(headers)
    after = retry_after(heads, now)
    if status == 200:
        return _in_graphql(heads, body, now) if may_hold_errors(body) else None
    if status == 503 and after:
        return Refusal("unavailable", after, message_of(body))
    if status not in (403, 429):
        return None
    said = message_of(body)
    spent = heads.get("x-ratelimit-remaining") == "0" and "x-github-sso" not in heads and not FORBIDDEN.search(said)
    if SECONDARY.search(said) or (after and not PRIMARY.search(said)):
        return Refusal("secondary", after, said)
    if PRIMARY.search(said) or spent:
        return Refusal("primary", after or reset(heads, now), said)
    return Refusal("secondary", None, said) if status == 429 else None


def reset(headers: Mapping[str, str], now: datetime) -> datetime | None:
    """When a budget is whole again, from `x-ratelimit-reset` (seconds since 1970, lower-case names)."""
    try:
        return _plausible(datetime.fromtimestamp(float(headers["x-ratelimit-reset"]), UTC), now)
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def retry_after(headers: Mapping[str, str], now: datetime) -> datetime | None:
    """Until when `Retry-After` asks to wait: seconds, or an HTTP date. None where there is none or it means nothing."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", text):
        return _plausible(now + timedelta(seconds=float(text)), now)
    moment = http_date(text)
    return _plausible(moment, now) if moment else None


def http_date(text: str) -> datetime | None:
    """`Wed, 11 Nov 2026 06:00:00 GMT` in UTC, None if it is no such date."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _plausible(moment: datetime, now: datetime) -> datetime:
    """Not before the next second, so that nobody asks in a circle, and not beyond what GitHub could mean."""
    return min(max(moment, now + timedelta(seconds=1)), now + LONGEST)


def _in_graphql(headers: Mapping[str, str], body: bytes | str, now: datetime) -> Refusal | None:
    """GraphQL refuses with status 200."""
    content = content_of(body)
    for error in errors_of(content):
        said = one_line(str(error.get("message") or ""))
        if SECONDARY.search(said):
            return Refusal("secondary", retry_after(headers, now), said)
        if kind_of(error) in LIMITED_TYPES:
            until = retry_after(headers, now) or reset(headers, now) or _reset_at(content, now)
            return Refusal("primary", until, said)
    return None


def _reset_at(content: Mapping[str, object], now: datetime) -> datetime | None:
    """`data.rateLimit.resetAt`."""
    rate_limit = data.get("rateLimit") if isinstance(data := content.get("data"), dict) else None
    try:
        moment = datetime.fromisoformat(str(rate_limit["resetAt"])) if isinstance(rate_limit, dict) else None
    except (KeyError, ValueError):
        return None
    return _plausible(moment if moment.tzinfo else moment.replace(tzinfo=UTC), now) if moment else None
