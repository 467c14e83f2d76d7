"""The only addresses that the pages make clickable: github.com, built from repository and number.

An item's own `url` is a stranger's text; it counts only when it is such an address.
"""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from bot.model import Item, ItemKind, Window

_GITHUB = re.compile(r"https?://github\.com(/[\w.~%/#?=&+:@!,;-]*)?", re.ASCII)
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}")
_SHA = re.compile(r"[0-9a-f]{7,64}")
_FOLDER = {ItemKind.ISSUE: "issues", ItemKind.PULL: "pull", ItemKind.COMMIT: "commit"}


def is_github(url: str) -> bool:
    """Is it an http(s) address of github.com itself: no user, no port, no odd characters?"""
    return _GITHUB.fullmatch(url) is not None


def item_url(item: Item) -> str | None:
    """Where an item is read on GitHub, or None when nothing safe can be built."""
    number = str(item.number)
    if _REPOSITORY.fullmatch(item.repo) and (item.kind is not ItemKind.COMMIT or _SHA.fullmatch(number)):
        return f"https://github.com/{item.repo}/{_FOLDER[item.kind]}/{number}"
    return item.url if item.url and is_github(item.url) else None


def commit_url(repo: str, sha: str | None) -> str | None:
    """A commit's page, or None when repository or digest aren't what they should be."""
    if sha and _REPOSITORY.fullmatch(repo) and _SHA.fullmatch(sha):
        return f"https://github.com/{repo}/commit/{sha}"
    return None


def finding_url(fingerprint: str) -> str:
    """The page of a finding."""
    return f"/findings/{quote(fingerprint, safe='')}"


def ledger_url(window: Window, device: str, **further: str | int) -> str:
    """The ledger of a window on a device; `further` are `outcome` and `page`."""
    query: Mapping[str, str | int] = {"window": str(window), "device": device, **further}
    return f"/windows/ledger?{urlencode(query, safe='/:')}"
