"""Freezing the default branches: every file of a scan is read at these two commits, and landed means before them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.edges.github import documents
from bot.edges.github.answers import kind_of, one_line
from bot.edges.github.denials import NEEDS
from bot.edges.github.graphql import Answer
from bot.edges.github.pages import Pages
from bot.errors import InputError
from bot.model import FrozenHeads

COUNTED = ("issues", "pullRequests", "discussions")


@dataclass(frozen=True, slots=True)
class Place:
    """A repository that the configuration names; `key` is the section that does."""

    key: str
    repo: str
    branch: str


@dataclass(frozen=True, slots=True)
class Heads:
    """What was found when the window was opened."""

    frozen: FrozenHeads
    newest: int
    """The highest number of an issue, pull request or discussion at that time, 0 where there was none."""
    repo: str
    """The upstream repository in GitHub's own spelling: one item has one key, however the configuration spells it."""


class _NoDiscussionsError(Exception):
    """The token may read everything but the discussions."""


def freeze(pages: Pages, upstream: Place, target: Place, ready: Callable[[], None]) -> Heads:
    """Both heads; asked once for a window, and kept only if `ready` raises nothing once GitHub has answered.

    Raises InputError when a repository or its branch is not as configured, or may not be read.
    """
    owner, _, name = upstream.repo.partition("/")
    target_owner, _, target_name = target.repo.partition("/")
    variables = {"owner": owner, "name": name, "targetOwner": target_owner, "targetName": target_name}

    def check(answer: Answer) -> None:
        places = {"upstream": upstream, "target": target}
        _complain(answer, places)
        for side, place in places.items():
            _verify(answer.data[side], place)
        ready()

    ask = partial(pages.once, documents.HEADS, place=f"{upstream.repo} {target.repo}", check=check)
    try:
        answer = ask({**variables, "discussions": True})
    except _NoDiscussionsError:
        answer = ask({**variables, "discussions": False})
    found = answer["upstream"]
    numbers = [node["number"] for field in COUNTED for node in (found.get(field) or {"nodes": ()})["nodes"] if node]
    same = found["nameWithOwner"].lower() == upstream.repo.lower()
    return Heads(
        FrozenHeads(upstream=_head(found), target=_head(answer["target"])),
        max(numbers, default=0),
        found["nameWithOwner"] if same else upstream.repo,
    )


def _head(found: Mapping[str, Any]) -> str:
    return str(found["defaultBranchRef"]["target"]["oid"])


def _complain(answer: Answer, places: Mapping[str, Place]) -> None:
    """Raises for a part that the credentials may not read. Without discussions a window can be proven too."""
    for error in answer.errors:
        path = error.get("path") or [""]
        if kind_of(error) != "FORBIDDEN" or path[0] not in places:
            continue
        if path[1:2] == ["discussions"]:
            raise _NoDiscussionsError
        what, said = ".".join(map(str, path[1:])) or "anything", one_line(str(error.get("message")))
        raise InputError(f"the token may not read {what} of {places[path[0]].repo} ({said}): it needs {NEEDS}")


def _verify(found: Mapping[str, Any] | None, place: Place) -> None:
    if found is None:
        raise InputError(f"GitHub has no repository {place.repo} that this token may read: set {place.key}.repo")
    if found["nameWithOwner"].lower() != place.repo.lower():
        raise InputError(f"{place.repo} is now {found['nameWithOwner']}: set {place.key}.repo")
    branch = found["defaultBranchRef"]
    if branch is None or branch["target"] is None:
        raise InputError(f"{place.repo} has no default branch: set {place.key}.repo to a repository with commits")
    if branch["name"] != place.branch:
        raise InputError(
            f"the default branch of {place.repo} is '{branch['name']}', not '{place.branch}': "
            f"see that changes land there and set {place.key}.branch"
        )
