"""The routes that change a repository, as whoever the token belongs to."""

from typing import Any

from tests.double import changes
from tests.double.exchange import Answer, as_json, refusal
from tests.double.nouns import Comment, Kind, Thread
from tests.double.rest import Call, Ended, Route, missing, route
from tests.double.shapes_thread import REACTIONS, comment, label, reaction, whole_issue

BOTH = (Kind.ISSUE, Kind.PULL)
LONGEST_BODY, LONGEST_TITLE = 65_536, 256


def create_issue(call: Call) -> Answer:
    """Open an issue; one without a title is refused."""
    login = call.may_write("issues")
    title = call.sent.get("title")
    if title is None:
        return refusal(422, 'Invalid request.\n\n"title" wasn\'t supplied.')
    _check("title", title, LONGEST_TITLE)
    body = call.sent.get("body") or ""
    _check("body", body, LONGEST_BODY)
    if not str(title).strip():
        return _refuse("title", "missing_field", "title can't be blank")
    labels = [_name(each) for each in call.sent.get("labels") or ()]
    made = changes.create_issue(call.repository, title, body, author=login, labels=labels)
    shown = whole_issue(made, call.repository, call.base)
    return as_json(201, shown, {"Location": shown["url"]})


def create_comment(call: Call, number: str) -> Answer:
    """Comment on an issue or a pull request."""
    login = call.may_write("issues")
    thread = call.thread(number, *BOTH)
    body = call.sent.get("body")
    if not body:
        return refusal(422, 'Invalid request.\n\n"body" wasn\'t supplied.')
    _check("body", body, LONGEST_BODY)
    made = changes.comment(call.repository, thread.number, body, author=login)
    shown = comment(made, call.repository, call.base)
    return as_json(201, shown, {"Location": shown["url"]})


def change_issue(call: Call, number: str) -> Answer:
    """Change title, body, labels or state."""
    login = call.may_write("issues")
    thread = call.thread(number, *BOTH)
    sent = call.sent
    for name, longest in (("title", LONGEST_TITLE), ("body", LONGEST_BODY)):
        _check(name, sent.get(name), longest)
    labels = None if sent.get("labels") is None else [_name(each) for each in sent["labels"]]
    changes.edit(
        call.repository, thread.number, title=sent.get("title"), body=sent.get("body"), labels=labels, by=login
    )
    state, reason = sent.get("state"), sent.get("state_reason")
    if state == "closed" and thread.open:
        changes.close(call.repository, thread.number, by=login, reason=reason.upper() if reason else None)
    elif state == "open" and not thread.open:
        changes.reopen(call.repository, thread.number, by=login)
    elif state not in {None, "open", "closed"}:
        return _refuse("state", "invalid", f"{state} is not a state")
    return as_json(200, whole_issue(thread, call.repository, call.base))


def add_labels(call: Call, number: str) -> Answer:
    """Add labels to those that are there."""
    login = call.may_write("issues")
    thread = call.thread(number, *BOTH)
    sent = call.exchange.sent
    names = sent.get("labels") if isinstance(sent, dict) else sent
    if not isinstance(names, list):
        return refusal(422, 'Invalid request.\n\n"labels" wasn\'t supplied.')
    added = [_name(each) for each in names]
    labels = [*thread.labels, *(each for each in added if each not in thread.labels)]
    changes.edit(call.repository, thread.number, labels=labels, by=login)
    return as_json(200, [label(each, call.repository, call.base) for each in thread.labels])


def change_comment(call: Call, number: str) -> Answer:
    """Write a comment anew; only its author, or whoever may write the repository, may."""
    call.may_write("issues")
    body = call.sent.get("body")
    if not body:
        return refusal(422, 'Invalid request.\n\n"body" wasn\'t supplied.')
    _check("body", body, LONGEST_BODY)
    if changes.comment_of(call.repository, int(number)) is None:
        return missing()
    return as_json(200, comment(changes.edit_comment(call.repository, int(number), body), call.repository, call.base))


def react_to_issue(call: Call, number: str) -> Answer:
    """React to an issue."""
    return _react(call, call.thread(number, *BOTH))


def react_to_comment(call: Call, number: str) -> Answer:
    """React to a comment."""
    written = changes.comment_of(call.repository, int(number))
    return missing() if written is None else _react(call, written)


def _react(call: Call, to: Thread | Comment) -> Answer:
    login, content = call.may_write("issues"), call.sent.get("content")
    if content not in REACTIONS:
        return _refuse("content", "invalid", f"{content} is not a reaction")
    made, new = changes.react(call.repository, to, str(content), by=login)
    return as_json(201 if new else 200, reaction(made, call.repository, call.base))


def _name(given: Any) -> str:
    """A label is given by its name or as an object."""
    return str(given["name"] if isinstance(given, dict) else given)


def _check(field: str, text: Any, longest: int) -> None:
    if text is not None and not isinstance(text, str):
        raise Ended(refusal(422, f"Invalid request.\n\nFor 'properties/{field}', {text!r} is not a string."))
    if text is not None and len(text) > longest:
        message = f"{field} is too long (maximum is {longest} characters)"
        raise Ended(_refuse(field, "custom", message))


def _refuse(field: str, code: str, message: str) -> Answer:
    error = {"resource": "Issue", "field": field, "code": code, "message": message}
    return refusal(422, "Validation Failed", errors=[error])


UNDER: tuple[Route, ...] = (
    route("POST", "/issues", create_issue),
    route("POST", "/issues/{number}/comments", create_comment),
    route("PATCH", "/issues/{number}", change_issue),
    route("POST", "/issues/{number}/labels", add_labels),
    route("POST", "/issues/{number}/reactions", react_to_issue),
    route("PATCH", "/issues/comments/{number}", change_comment),
    route("POST", "/issues/comments/{number}/reactions", react_to_comment),
)
