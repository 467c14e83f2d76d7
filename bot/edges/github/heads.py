"""Freezing the default branches: every file of a scan is read at these two commits, and landed means before them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.edges.github import documents
from bot.edges.github.pages import Pages
from bot.errors import InputError
from bot.model import FrozenHeads


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
    newest: int | None
    """The highest number of an issue, pull request or discussion at that time."""


def freeze(pages: Pages, upstream: Place, target: Place) -> Heads:
    """Both heads; asked once for a window. Raises InputError when a repository or its branch is not as configured."""
    owner, _, name = upstream.repo.partition("/")
    target_owner, _, target_name = target.repo.partition("/")
    variables = {"owner": owner, "name": name, "targetOwner": target_owner, "targetName": target_name}
    answer = pages.once(documents.HEADS, variables, "heads")
    found = answer["upstream"]
    frozen = FrozenHeads(upstream=_head(found, upstream), target=_head(answer["target"], target))
    numbers = [
        node["number"] for field in ("issues", "pullRequests", "discussions") for node in found[field]["nodes"] if node
    ]
    return Heads(frozen, max(numbers, default=None))


def _head(found: Mapping[str, Any] | None, place: Place) -> str:
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
    return str(branch["target"]["oid"])
