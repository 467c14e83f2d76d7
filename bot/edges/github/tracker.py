"""A Tracker on GitHub: sends an intent once, says what came of it, and looks for what was lost on the way.

Looking is by listing and not by search, which lags. Only what this account wrote counts: anybody may copy our marks.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.edges.github.faults import AnswerError, DeniedError, LostError
from bot.edges.github.requests import ours, place, recognised, request
from bot.edges.github.rest import Rest
from bot.errors import ForgeError, InputError, LimitedError
from bot.model import (
    Answer,
    Carried,
    Declined,
    Filed,
    Intent,
    Outbound,
    Overtaken,
    Unsent,
    Unsure,
    rfc3339,
)
from bot.model.marks import marked, replaced

PAGE, MOST_PAGES = 100, 100
MARGIN = timedelta(days=1)
"""How far before the sending a look begins: clocks differ."""


class GitHubTracker:
    """GitHub, through a client that writes."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self._login: str | None = None

    def greet(self, repo: str) -> None:
        """Ask who we are, once, and whether the repository is there under this name.

        Each answer tells GitHub's clock, too. Raises InputError for what people must mend, ForgeError otherwise.
        """
        if self._login is None:
            told = self._read("/user")
            login = told.get("login") if isinstance(told, dict) else None
            if not isinstance(login, str):
                raise InputError("GitHub does not say whose the write token is: filing needs a personal token")
            self._login = login
        here = self._read(f"/repos/{repo}")
        name = here.get("full_name") if isinstance(here, dict) else None
        if str(name).lower() != repo.lower():
            raise InputError(f"GitHub shows {name or 'nothing'} for {repo}: set target.repo")

    def post(self, intent: Intent) -> Answer:
        """Send it. What may have been carried out is Unsure, whatever was answered."""
        try:
            text = self._edited(intent) if intent.kind is Outbound.EDIT else intent.text
        except (ForgeError, InputError) as error:  # nothing but a read so far
            return Unsent(why=str(error))
        if text is None:
            return Overtaken(why="somebody has written where the edit belongs")
        asked = request(intent, text)
        try:
            answer = self._rest.send_json(asked.method, asked.path, asked.content)
        except (ForgeError, InputError) as error:
            return _meaning(error, intent)
        filed = recognised(intent, answer.data)
        return Carried(filed=filed) if filed else Unsure(why=f"GitHub answered {answer.status} without what was sent")

    def find(self, intent: Intent) -> Filed | None:
        """Look where it would be."""
        shown: Iterator[Any]
        match intent.kind:
            case Outbound.ISSUE:
                shown = self._own_issues(intent.repo, intent.sent_at or intent.created_at)
            case Outbound.COMMENT:
                since = rfc3339(_early(intent.sent_at or intent.created_at))
                shown = self._pages(f"/repos/{intent.repo}/issues/{intent.number}/comments", since=since)
            case Outbound.REACTION:
                shown = iter([list(self._pages(f"{place(intent)}/reactions", content=intent.body))])
            case _:
                shown = iter([self._read(place(intent))])
        return next((filed for one in shown if (filed := recognised(intent, one, self._login))), None)

    def own(self, repo: str) -> Mapping[str, Sequence[Filed]]:
        """All issues of this account that are marked, by fingerprint, whatever their state."""
        found: dict[str, list[Filed]] = {}
        for one in self._own_issues(repo, None):
            for fingerprint, _ in marked(str(one.get("body") or "")):
                if "pull_request" not in one and (filed := ours(one, self._login)):
                    found.setdefault(fingerprint, []).append(filed)
        return found

    def _edited(self, intent: Intent) -> str | None:
        """The text as it is to become, made from what is there now; None where a person has been at our part of it."""
        now = self._read(place(intent))
        return replaced(str(now.get("body") or ""), intent.body.strip(), intent.id) if isinstance(now, dict) else None

    def _own_issues(self, repo: str, since: datetime | None) -> Iterator[dict[str, Any]]:
        """Newest first: what is opened meanwhile moves others to a later page, where they are seen again."""
        asked = {} if since is None else {"since": rfc3339(_early(since))}
        return self._pages(
            f"/repos/{repo}/issues", creator=str(self._login), state="all", sort="created", direction="desc", **asked
        )

    def _pages(self, path: str, **asked: str) -> Iterator[dict[str, Any]]:
        """Each object of a list. Raises ForgeError also where it does not end."""
        for number in range(1, MOST_PAGES + 1):
            listed = self._read(path, **asked, per_page=PAGE, page=number)
            if not isinstance(listed, list):
                return
            yield from (one for one in listed if isinstance(one, dict))
            if len(listed) < PAGE:
                return
        raise ForgeError(f"GitHub's list of {path} does not end")

    def _read(self, path: str, **asked: Any) -> Any:
        """What is there; None where nothing is to be seen. Raises ForgeError or InputError."""
        answer = self._rest.get_json(path, **asked)
        return answer.data if answer.status < 300 else None


def _meaning(error: ForgeError | InputError, intent: Intent) -> Answer:
    """What an error says of a write. It is unsure unless it is certain that nothing was done."""
    why = str(error)
    if isinstance(error, AnswerError) and 400 <= error.status != 408:
        gone = error.status in (404, 410, 451) and intent.kind is Outbound.ISSUE
        return Declined(why=why, all=gone)  # of an issue to be opened such a status is about the whole repository
    if isinstance(error, DeniedError):
        return Declined(why=why, all="locked" not in why)
    unsent = isinstance(error, LimitedError | InputError) or (isinstance(error, LostError) and not error.sent)
    return Unsent(why=why) if unsent else Unsure(why=why)


def _early(moment: datetime) -> datetime:
    return (moment - MARGIN).replace(microsecond=0)
