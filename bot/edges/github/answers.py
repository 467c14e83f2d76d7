"""Reads what GitHub says in its answers, whatever came: JSON, HTML, half of either, or nothing."""

import json
import re
from collections.abc import Mapping
from typing import Any

LONGEST_LINE = 200
"""Characters of GitHub's words that are quoted in an error."""


def lowered(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers under their names in lower case."""
    return {name.lower(): text for name, text in headers.items()}


def parsed(body: bytes | str) -> Any:
    """The JSON of a body. Raises ValueError, also where it is nested too deep to read or is no UTF-8."""
    try:
        return json.loads(body)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def content_of(body: bytes | str) -> dict[str, Any]:
    """The JSON object of a body; empty where it is none."""
    try:
        content = parsed(body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def errors_of(content: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """GraphQL's `errors`, as far as they are objects."""
    errors = content.get("errors")
    return tuple(error for error in errors if isinstance(error, dict)) if isinstance(errors, list) else ()


def may_hold_errors(body: bytes | str) -> bool:
    """A glance that spares reading a long body: in a text of it the quotes would be escaped."""
    return (b'"errors"' in body) if isinstance(body, bytes) else ('"errors"' in body)


def kind_of(error: Mapping[str, Any]) -> str:
    """The type of a GraphQL error, e.g. `NOT_FOUND`; GitHub gives that of a malformed query elsewhere."""
    extensions = error.get("extensions")
    code = extensions.get("code") if isinstance(extensions, dict) else None
    return str(error.get("type") or error.get("code") or code or "")


def message_of(body: bytes | str) -> str:
    """What GitHub says: `message` of a JSON object, else the text of the page; one line."""
    content = content_of(body)
    if content:
        said = str(content.get("message") or "")
        return one_line("; ".join((said, *_details(content))).strip("; "))
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    return one_line(re.sub(r"<(style|script|head)\b.*?</\1>|<[^>]*>", " ", text[:20_000], flags=re.S | re.I))


def one_line(text: str) -> str:
    """The text without line ends and other controls, not longer than may be quoted."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"


def _details(content: Mapping[str, Any]) -> list[str]:
    """The reasons of a validation error (422): strings, or objects with a message, or with a field and a code."""
    found = content.get("errors")
    reasons = []
    for reason in found if isinstance(found, list) else ():
        if isinstance(reason, dict):
            said = reason.get("message") or " ".join(str(reason[key]) for key in ("field", "code") if reason.get(key))
            reasons.append(str(said))
        else:
            reasons.append(str(reason))
    return reasons
