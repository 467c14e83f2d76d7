"""All routes of the REST interface, and those that belong to nobody's repository."""

import re

from tests.double import rest, rest_app, rest_reads, rest_writes
from tests.double.exchange import Answer, Exchange, as_json, refusal
from tests.double.limits import Spending
from tests.double.rest import Call, Route, route
from tests.double.shapes_place import whole_account
from tests.double.world import World

SIGNED = re.compile(r"/app(/.*)?|/repos/[^/]+/[^/]+/installation|/repositories/\d+/installation")
"""What an app asks for with its own signature instead of a token."""

ROOT = {
    "current_user": "/user", "current_user_authorizations_html": "/settings/connections/applications{/client_id}",
    "authorizations": "/authorizations", "code_search": "/search/code?q={query}{&page,per_page,sort,order}",
    "commit_search": "/search/commits?q={query}{&page,per_page,sort,order}", "emails": "/user/emails",
    "emojis": "/emojis", "events": "/events", "feeds": "/feeds", "followers": "/user/followers",
    "following": "/user/following{/target}", "gists": "/gists{/gist_id}", "hub": "/hub",
    "issue_search": "/search/issues?q={query}{&page,per_page,sort,order}", "issues": "/issues", "keys": "/user/keys",
    "label_search": "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}",
    "notifications": "/notifications", "organization": "/orgs/{org}",
    "organization_repositories": "/orgs/{org}/repos{?type,page,per_page,sort}",
    "organization_teams": "/orgs/{org}/teams", "public_gists": "/gists/public", "rate_limit": "/rate_limit",
    "repository": "/repos/{owner}/{repo}", "repository_search": "/search/repositories?q={query}{&page,per_page,sort}",
    "current_user_repositories": "/user/repos{?type,page,per_page,sort}", "starred": "/user/starred{/owner}{/repo}",
    "starred_gists": "/gists/starred", "topic_search": "/search/topics?q={query}{&page,per_page}",
    "user": "/users/{user}", "user_organizations": "/user/orgs", "user_repositories": "/users/{user}/repos{?type,page}",
    "user_search": "/search/users?q={query}{&page,per_page,sort,order}",
}  # fmt: skip


def root(call: Call) -> Answer:
    return as_json(200, {f"{name}_url": f"{call.base}{path}" for name, path in ROOT.items()})


def meta(call: Call) -> Answer:
    return as_json(200, {"verifiable_password_authentication": False, "api": ["127.0.0.1/32"]})


def limits(call: Call) -> Answer:
    """What the token has left of each resource; asking costs nothing."""
    who = call.exchange.token.value if call.exchange.token else ""
    shown = {}
    for resource in call.world.limits:
        budget = call.spending.look(who, resource, call.world.clock.now())
        shown[resource] = {
            "limit": budget.limit,
            "used": budget.used,
            "remaining": budget.remaining,
            "reset": int(budget.resets_at.timestamp()),
        }
    return as_json(200, {"resources": shown, "rate": shown["core"]})


def user(call: Call) -> Answer:
    """Whose the token is; an installation's is nobody's."""
    token = call.exchange.token
    if token is None:
        return refusal(401, "Requires authentication")
    if token.kind == "installation":
        return refusal(403, token.refusal)
    return as_json(200, whole_account(call.world.account(token.login), call.base))


PLACES: tuple[Route, ...] = (
    route("GET", "/", root),
    route("GET", "/meta", meta),
    route("GET", "/rate_limit", limits),
    route("GET", "/user", user),
    route("GET", "/search/issues", rest_reads.found_issues),
    *rest_app.PLACES,
)
UNDER: tuple[Route, ...] = (*rest_reads.UNDER, *rest_writes.UNDER, *rest_app.UNDER)


def needs_app(path: str) -> bool:
    """Whether an address asks for an app's signature."""
    return SIGNED.fullmatch(path) is not None


def answer(world: World, spending: Spending, exchange: Exchange) -> Answer:
    """Answer a request of the REST interface."""
    return rest.answer(world, spending, exchange, PLACES, UNDER)
