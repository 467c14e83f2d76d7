"""The checks of GitHub. One visit: what an early check learns, later ones need not ask again."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

from bot import wire
from bot.doctor.check import Said, ok, skipped, warning, wrong
from bot.edges import reach
from bot.edges.github.access import Access
from bot.edges.github.connect import Forge
from bot.edges.github.faults import LostError
from bot.edges.github.heads import Place
from bot.edges.github.rest import Response
from bot.edges.github.tokens import HOW_TO, AppKey, Token
from bot.errors import AlignbotError, LimitedError
from bot.model import rfc3339
from bot.settings import Settings

POINTS_A_DAY = 60
"""What reading one day's window takes of GraphQL's budget, with room to spare."""
LARGEST_SKEW_S = 30
SOON = timedelta(days=7)
NEEDED = ("issues", "pull_requests", "contents")
GIVEN = {"metadata"}
"""Permissions that every App has."""
IMPATIENT = {"timeout_s": 10.0, "max_wait": timedelta(seconds=1)}
"""The most that a doctor waits; the configuration may say less."""


class Visit:
    """Asks GitHub as a scan would, with less patience. Close it when done."""

    def __init__(self, settings: Settings) -> None:
        github = settings.github
        hasty = {name: min(most, getattr(github, name)) for name, most in IMPATIENT.items()}
        self._settings = settings.model_copy(update={"github": github.model_copy(update=hasty)})
        self._access = Access(**{one.name: getattr(self._settings.github, one.name) for one in fields(Access)})
        self._clock = wire.SystemClock()
        self._github = wire.GitHub(self._settings)
        self._credentials: Token | AppKey | None = None
        self._reached: reach.Reached | None = None
        self._overview: Response | None = None
        self._private = self._unreadable = False

    def close(self) -> None:
        """Close the connections."""
        self._github.close()

    def reachability(self) -> Said:
        """Does it answer, how fast, and by which way?"""
        api = self._access.api
        try:
            reached = reach.reach(self._access, self._clock)
        except LostError as error:
            return wrong(str(error), "check github.api, the proxy and this machine's network")
        if reached.status >= 500:
            return wrong(f"{api} answers {reached.status}", "see https://www.githubstatus.com and try again later")
        if 300 <= reached.status < 400:
            return wrong(f"{api} leads to {reached.location or 'another place'}", "set github.api to where it is")
        if not reached.is_json:
            return wrong(f"{api} answers {reached.status}, not as GitHub does", "check github.api and the proxy")
        self._reached = reached
        proxy = f"through {reached.proxy}" if reached.proxy else "without proxy"
        return ok(f"{api} answers in {reached.milliseconds:.0f} ms, {proxy}")

    def clock(self) -> Said:
        """Does our clock agree with GitHub's?"""
        ahead_s = self._reached.ahead_s if self._reached else None
        if ahead_s is None:
            return skipped("the answer does not say GitHub's time")
        if abs(ahead_s) <= 1:
            return ok("within a second of GitHub's")
        told = f"{abs(ahead_s):.0f} s {'ahead of' if ahead_s > 0 else 'behind'} GitHub's"
        if abs(ahead_s) > LARGEST_SKEW_S:
            return wrong(told, "set this machine's clock, e.g. `timedatectl set-ntp true`")
        return ok(told)

    def token(self) -> Said:
        """Is there one, is it accepted, and whose is it? That there is none is told without GitHub, too."""
        credentials = self._credentials = reach.who(self._access, self._clock)
        if self._reached is None:
            return skipped("github comes first")
        forge = self._github()
        overview = self._overview = forge.rest.get_json(reach.FREE)
        forge.limiter.learn_overview(_resources(overview) or {})
        kind = "App" if isinstance(credentials, AppKey) else "personal token of"
        told = f"{kind} {_login(forge)}, from {credentials.source}"
        ends_at, exposed = _ends_at(overview.headers), reach.open_secret(self._access)
        if ends_at is not None:
            told += f", until {rfc3339(ends_at)}"
        if exposed is not None:
            return warning(f"{told}; anybody on this machine may read it", f"type `chmod 600 {exposed}`")
        return warning(told, HOW_TO) if ends_at and ends_at - self._clock.now() < SOON else ok(told)

    def budget(self) -> Said:
        """Is enough left for a day's window?"""
        resources = _resources(self._overview)
        if resources is None:
            return ok("this GitHub sets no limits")
        left = ", ".join(_left(resources, name, unit) for name, unit in (("graphql", "points"), ("core", "requests")))
        points, requests = (resources.get(name, {}).get("remaining", 0) for name in ("graphql", "core"))
        if points < POINTS_A_DAY or requests < 1:
            told = f"{left}; a day's window takes {POINTS_A_DAY} points"
            return warning(told, "wait until then, and see what else uses the same account")
        return ok(left)

    def repositories(self) -> Said:
        """Are both readable, and their default branches as configured?"""
        places = wire.places(self._settings)
        problems = [problem for place in places if (problem := self._problem(place))]
        if len(problems) > 1:
            return wrong("; ".join(": ".join(filter(None, problem[1:])) for problem in problems))
        if problems:
            return problems[0]
        return ok(" and ".join(f"{place.repo} (branch {place.branch})" for place in places) + " are readable")

    def permissions(self) -> Said:
        """May the credentials do what reading needs, and no more?"""
        if isinstance(self._credentials, AppKey):
            repo = self._settings.upstream.repo
            return _of_app(reach.granted(self._access, self._credentials, repo, self._clock))
        headers = self._overview.headers if self._overview else {}
        if "x-oauth-scopes" not in headers:
            return ok("fine-grained: GitHub does not list them, `repositories` tries what is needed")
        scopes = set(headers["x-oauth-scopes"].replace(",", " ").split())
        if self._unreadable and "repo" not in scopes:
            return warning(
                "classic token without `repo`, which private repositories need", "grant it if one is private"
            )
        return _of_classic(scopes, private=self._private)

    def _problem(self, place: Place) -> Said | None:
        owner, _, name = place.repo.partition("/")
        document = reach.REPOSITORY
        try:
            answer = self._github().graphql.ask(document.text, {"owner": owner, "name": name}, document.name)
        except LimitedError:
            raise
        except AlignbotError as error:
            self._unreadable = True
            return wrong(str(error))
        found = answer.data.get("repository")
        if answer.errors or found is None:
            self._unreadable = True
            said = "; ".join(str(error.get("message")) for error in answer.errors) or "no reason given"
            return wrong(f"{place.repo} is not readable ({said})", f"grant {_grant(NEEDED)} there")
        self._private = self._private or bool(found["isPrivate"])
        if found["nameWithOwner"].lower() != place.repo.lower():
            return wrong(f"{place.repo} is now {found['nameWithOwner']}", f"set {place.key}.repo")
        if found["defaultBranchRef"] is None:
            return wrong(f"{place.repo} has no commits", f"set {place.key}.repo to a repository with some")
        branch = found["defaultBranchRef"]["name"]
        if branch != place.branch:
            told = f"the default branch of {place.repo} is {branch}, not {place.branch}"
            return wrong(told, f"see that changes land there and set {place.key}.branch")
        return None


def _resources(overview: Response | None) -> dict[str, Any] | None:
    """What is left of each budget; None where the server has none."""
    told = overview.data.get("resources") if overview and isinstance(overview.data, dict) else None
    return told if isinstance(told, dict) else None


def _login(forge: Forge) -> str:
    """Whose they are; somebody's where the budget does not allow to ask."""
    try:
        answer = forge.graphql.ask(reach.VIEWER.text, {}, reach.VIEWER.name)
    except LimitedError:
        return "somebody (GitHub's limits are reached)"
    return str((answer.data.get("viewer") or {}).get("login", "somebody"))


def _ends_at(headers: Mapping[str, str]) -> datetime | None:
    """When the token ends, UTC: `2026-12-31 00:00:00 UTC`, or with an offset."""
    try:
        day, time, zone = headers.get("github-authentication-token-expiration", "").split()
        return datetime.fromisoformat(f"{day}T{time}{'Z' if zone == 'UTC' else zone}").astimezone(UTC)
    except ValueError:
        return None


def _left(resources: Mapping[str, Any], name: str, unit: str) -> str:
    told = resources.get(name) or {}
    reset_at = rfc3339(datetime.fromtimestamp(told.get("reset", 0), UTC))
    return f"{told.get('remaining', 0)} of {told.get('limit', 0)} {unit} left until {reset_at}"


def _of_classic(scopes: set[str], *, private: bool) -> Said:
    needed = {"repo"} if private else set()
    words = ", ".join(needed) or "none"
    if scopes <= needed:
        return ok(f"classic token, scopes: {words}")
    told = f"classic token with more scopes than reading needs: {', '.join(sorted(scopes - needed))}"
    return warning(told, f"take a token without them (needed: {words}), or a fine-grained one that only reads")


def _of_app(permissions: Mapping[str, str]) -> Said:
    lacking = [name for name in NEEDED if name not in permissions]
    more = [f"{name}: {level}" for name, level in permissions.items() if name not in GIVEN]
    more = [one for one in more if one not in {f"{name}: read" for name in NEEDED}]
    if lacking:
        return warning(f"the App's installation lacks {_grant(lacking)}", "grant it in the App's settings")
    if more:
        told = f"the App's installation may do more than reading needs: {', '.join(sorted(more))}"
        return warning(told, "take it away in the App's settings")
    return ok(f"the App's installation has {_grant(NEEDED)}")


def _grant(names: tuple[str, ...] | list[str]) -> str:
    """As GitHub's pages write it: `Issues, Pull requests: read`."""
    return f"{', '.join(name.replace('_', ' ').capitalize() for name in names)}: read"
