"""What each kind of intent is as a request to GitHub, and how its effect is recognised in an answer of GitHub's.

The same look recognises it in the answer to the request itself and in what a later read shows, so that what was lost
on the way is told by what is there.
"""

from dataclasses import dataclass
from typing import Any

from bot.model import Filed, Intent, Outbound
from bot.model.marks import holds_block


@dataclass(frozen=True, slots=True)
class Request:
    """A write."""

    method: str
    path: str
    content: Any


def request(intent: Intent, text: str) -> Request:
    """The write that an intent is; `text` is what its body becomes."""
    issues = f"/repos/{intent.repo}/issues"
    issue = f"{issues}/{intent.number}"
    requests = {
        Outbound.ISSUE: ("POST", issues, {"title": intent.title, "body": text, "labels": list(intent.labels)}),
        Outbound.COMMENT: ("POST", f"{issue}/comments", {"body": text}),
        Outbound.EDIT: ("PATCH", place(intent), {"body": text}),
        Outbound.LABEL: ("POST", f"{issue}/labels", {"labels": list(intent.labels)}),
        Outbound.CLOSE: ("PATCH", issue, {"state": "closed", "state_reason": intent.body or "completed"}),
        Outbound.REOPEN: ("PATCH", issue, {"state": "open"}),
        Outbound.REACTION: ("POST", f"{place(intent)}/reactions", {"content": intent.body}),
    }
    return Request(*requests[intent.kind])


def place(intent: Intent) -> str:
    """What is edited or reacted to: a comment, or the issue itself."""
    if intent.comment is not None:
        return f"/repos/{intent.repo}/issues/comments/{intent.comment}"
    return f"/repos/{intent.repo}/issues/{intent.number}"


def recognised(intent: Intent, shown: Any, login: str | None = None) -> Filed | None:
    """Where the intent's effect is, if this object or list of GitHub's shows it; `login` is whose it must be."""
    match intent.kind:
        case Outbound.ISSUE:
            return ours(shown, login) if _holds(intent.marker, shown) and "pull_request" not in shown else None
        case Outbound.COMMENT:
            return ours(shown, login, intent.number) if _holds(intent.marker, shown) else None
        case Outbound.EDIT:
            return _there(intent) if _is_edited(intent, shown) else None
        case Outbound.LABEL:
            return _there(intent) if set(intent.labels) <= _labels(shown) else None
        case Outbound.CLOSE | Outbound.REOPEN:
            wanted = "closed" if intent.kind is Outbound.CLOSE else "open"
            return _there(intent) if isinstance(shown, dict) and shown.get("state") == wanted else None
        case _:
            return _there(intent) if _reacted(intent, shown, login) else None


def _holds(marker: str, shown: Any) -> bool:
    return isinstance(shown, dict) and marker in str(shown.get("body") or "")


def ours(shown: dict[str, Any], login: str | None, number: int | None = None) -> Filed | None:
    """Where an issue (or a comment of issue `number`) of that account is; others may copy our marks."""
    if login is not None and not _is_by(shown, login):
        return None
    told, url = shown.get("number" if number is None else "id"), shown.get("html_url")
    if not isinstance(told, int) or not isinstance(url, str):
        return None
    return Filed(number=told, url=url) if number is None else Filed(number=number, url=url, comment=told)


def _is_by(shown: dict[str, Any], login: str) -> bool:
    user = shown.get("user")
    return isinstance(user, dict) and str(user.get("login")).lower() == login.lower()


def _there(intent: Intent) -> Filed:
    """Where something is that has no address of its own."""
    return Filed(number=intent.number or 0, url=place(intent), comment=intent.comment)


def _is_edited(intent: Intent, shown: Any) -> bool:
    return isinstance(shown, dict) and holds_block(str(shown.get("body") or ""), intent.id)


def _labels(shown: Any) -> set[str]:
    """Of an issue, or of the list that a change of labels answers."""
    listed = shown.get("labels") if isinstance(shown, dict) else shown
    named = listed if isinstance(listed, list) else []
    return {str(one["name"]) for one in named if isinstance(one, dict) and "name" in one}


def _reacted(intent: Intent, shown: Any, login: str | None) -> bool:
    """In the answer to a reaction, or among the reactions that are there."""
    listed = shown if isinstance(shown, list) else [shown]
    return any(
        isinstance(one, dict) and one.get("content") == intent.body and (login is None or _is_by(one, login))
        for one in listed
    )
