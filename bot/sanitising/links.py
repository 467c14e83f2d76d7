"""links: whether an address may stay a link, and how the thing behind it is spelled where it may not."""

import re
from typing import NamedTuple

from bot.sanitising.rules import ExitRules

NO_BACKLINK = "redirect.github.com"
"""Leads to github.com, and GitHub makes no back-link of it."""
NOT_GITHUB = frozenset({"docs.github.com", "api.github.com"})
"""Hosts below github.com that show no issues."""
_PLAIN = re.compile(r"https?://(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?P<path>(?:/[\w.~%+:,=&?#/-]*)?)", re.ASCII)
_NAMED = re.compile(
    r"/(?P<repo>[\w.-]+/[\w.-]+)/(?P<kind>issues|pull|discussions|commit)/(?P<id>[0-9a-fA-F]+)"
    r"(?P<rest>(?:/(?:files|commits|checks))?/?(?:#[\w-]+)?)",
    re.ASCII,
)
_LOOSE = re.compile(
    r"https?://(?:[a-z0-9-]+\.)*github\.com/+(?P<repo>[\w.-]+/[\w.-]+)"
    r"/+(?P<kind>issues|pull|discussions|commit)/+(?P<id>[0-9a-f]{1,40})(?![0-9a-z])",
    re.ASCII | re.IGNORECASE,
)
_SAFE_ON_GITHUB = re.compile(
    r"/[\w.-]+/[\w.-]+(?:/(?:(?:blob|tree|raw|blame|releases|actions|wiki)(?:/[\w.+-]+)*)?)?/?(?:#[\w-]+)?", re.ASCII
)


class Named(NamedTuple):
    """An issue, pull request, discussion or commit behind an address."""

    repo: str
    kind: str
    id: str

    @property
    def reference(self) -> str:
        """`owner/repository#12` or `owner/repository@sha`."""
        return f"{self.repo}{'@' if self.kind == 'commit' else '#'}{self.id}"

    @property
    def quiet(self) -> str:
        """Its address at the host that makes no back-link."""
        return f"https://{NO_BACKLINK}/{self.repo}/{self.kind}/{self.id}"


def may_link(url: str, rules: ExitRules) -> bool:
    """May this address stay a link? Only a plain one may: nothing encoded, no way up, a host of the list."""
    plain = _PLAIN.fullmatch(url)
    if plain is None or ".." in url:
        return False
    host, path = plain["host"], plain["path"]
    if host == NO_BACKLINK:
        return _quiet_path(path, rules)
    if host == "github.com":
        return host in rules.hosts and _github_path(path, rules)
    makes_backlinks = host.endswith(".github.com") and host not in NOT_GITHUB
    return host in rules.hosts and not makes_backlinks


def _github_path(path: str, rules: ExitRules) -> bool:
    named = _NAMED.fullmatch(path)
    if named is not None:
        return Named(named["repo"], named["kind"], named["id"]).reference.lower() in rules.references
    return _SAFE_ON_GITHUB.fullmatch(path) is not None


def _quiet_path(path: str, rules: ExitRules) -> bool:
    named = _NAMED.fullmatch(path)
    return (
        named is not None
        and not named["rest"]
        and rules.upstream_reference == "no-backlink"
        and named["repo"].lower() in rules.upstream
    )


def behind(url: str) -> Named | None:
    """What a GitHub address names, if it is an issue, a pull request, a discussion or a commit."""
    found = _LOOSE.match(url)
    return Named(found["repo"], found["kind"].lower(), found["id"].lower()) if found else None


def quiet_form(named: Named | None, rules: ExitRules) -> str | None:
    """The address without back-link where the rules want one, otherwise None."""
    wanted = named is not None and rules.upstream_reference == "no-backlink" and named.repo.lower() in rules.upstream
    return named.quiet if wanted and named is not None else None
