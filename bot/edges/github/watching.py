"""Reads issues of ours as they are now: their states in one list, and of each what was said and what closed it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.edges.github.rest import Rest
from bot.errors import ForgeError
from bot.model import Fix, Remark

PAGE, MOST_PAGES = 100, 100
FIXES = r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?):?\s+(?:{repo})?#{number}\b"


@dataclass(frozen=True, slots=True)
class Thread:
    """What was said on an issue, and what mended it."""

    remarks: tuple[Remark, ...]
    fix: Fix | None
    """The newest change of the same repository that closed it."""


class GitHubWatch:
    """Issues of ours, through a client that reads. The reading account may be another than the filing one."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def issues(self, repo: str, numbers: Sequence[int]) -> Mapping[int, dict[str, Any]]:
        """Those of these issues that are there, by number; whoever wrote one of them wrote all. Raises ForgeError."""
        for number in numbers:
            first = self._rest.get_json(f"/repos/{repo}/issues/{number}")
            if first.status < 300 and isinstance(first.data, dict):
                listed = self._pages(f"/repos/{repo}/issues", creator=login(first.data), state="all")
                there = {int(one["number"]): one for one in listed if isinstance(one.get("number"), int)}
                return {number: there[number] for number in numbers if number in there}
        return {}

    def thread(self, repo: str, number: int) -> Thread:
        """The timeline of an issue. Raises ForgeError."""
        lines = list(self._pages(f"/repos/{repo}/issues/{number}/timeline"))
        remarks = (_remark(one) for one in lines if one.get("event") == "commented")
        fixes = (fix for one in lines if (fix := self._fix(one, repo, number)))
        newest = max(fixes, key=lambda fix: (fix.landed_at, fix.what), default=None)
        return Thread(tuple(one for one in remarks if one), newest)

    def _fix(self, line: Mapping[str, Any], repo: str, number: int) -> Fix | None:
        """The change that a line of the timeline tells of: the commit that closed it, or a merged pull request."""
        sha = line.get("commit_id")
        if line.get("event") == "closed" and isinstance(sha, str):
            landed = self._landed(line.get("commit_url"), repo, sha)
            return Fix(what=f"commit {sha[:10]}", landed_at=landed) if landed else None
        source = line.get("source")
        issue = source.get("issue") if line.get("event") == "cross-referenced" and isinstance(source, dict) else None
        pull = issue.get("pull_request") if isinstance(issue, dict) else None
        if not isinstance(issue, dict) or not isinstance(pull, dict) or not pull.get("merged_at"):
            return None
        home = issue.get("repository")
        name = str(home.get("full_name") if isinstance(home, dict) else "")
        said = re.compile(FIXES.format(repo=re.escape(repo), number=number), re.IGNORECASE)
        if name.lower() != repo.lower() or not said.search(f"{issue.get('title')}\n{issue.get('body')}"):
            return None
        return Fix(what=f"#{issue['number']}", landed_at=_moment(pull["merged_at"]))

    def _landed(self, url: object, repo: str, sha: str) -> datetime | None:
        """When a commit of the repository was made; None for one of another."""
        if isinstance(url, str) and f"/repos/{repo}/commits/".lower() not in url.lower():
            return None
        told = self._rest.get_json(f"/repos/{repo}/commits/{sha}")
        commit = told.data.get("commit") if told.status < 300 and isinstance(told.data, dict) else None
        by = commit.get("committer") if isinstance(commit, dict) else None
        return _moment(by["date"]) if isinstance(by, dict) and by.get("date") else None

    def _pages(self, path: str, **asked: str) -> Iterator[dict[str, Any]]:
        """Each object of a list. Raises ForgeError also where it is not to be seen, or does not end."""
        for page in range(1, MOST_PAGES + 1):
            answer = self._rest.get_json(path, **asked, per_page=PAGE, page=page)
            if answer.status >= 300 or not isinstance(answer.data, list):
                raise ForgeError(f"GitHub answered {answer.status} to {path}: it is not to be seen")
            listed = answer.data
            yield from (one for one in listed if isinstance(one, dict))
            if len(listed) < PAGE:
                return
        raise ForgeError(f"GitHub's list of {path} does not end")


def login(shown: Mapping[str, Any]) -> str:
    """Whose it is."""
    user = shown.get("user")
    return str(user.get("login") or "") if isinstance(user, dict) else ""


def _remark(line: Mapping[str, Any]) -> Remark | None:
    user = line.get("user")
    if not isinstance(line.get("id"), int) or not isinstance(user, dict):
        return None
    author = str(user.get("login") or "")
    return Remark(
        id=line["id"],
        author=author,
        author_association=str(line.get("author_association") or "NONE"),
        bot=user.get("type") == "Bot" or author.lower().endswith("[bot]"),
        at=_moment(line.get("updated_at") or line.get("created_at")),
        body=str(line.get("body") or ""),
    )


def _moment(text: object) -> datetime:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError as error:
        raise ForgeError(f"GitHub gives '{text}' for a time") from error
