"""The routes of a GitHub App: it signs who it is with its key, and gets tokens that end after an hour."""

import hashlib
from datetime import timedelta
from typing import Any

import jwt

from tests.double.exchange import Answer, as_json, refusal
from tests.double.nouns import Actor, node_id, rfc3339
from tests.double.rest import Call, Ended, Route, missing, route
from tests.double.shapes_place import BORN, account, middle_repository
from tests.double.tokens import App, Installation, Token

LONGEST_S = 600
TOKEN_S = 3600
UNREADABLE = "A JSON web token could not be decoded"
EXPIRED = (
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion "
    "expires"
)
TOO_FAR = "'Expiration time' claim ('exp') is too far in the future"
NOT_YET = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"


def signed(call: Call) -> App:
    """The app that signed the request. 401 in GitHub's words where key or times (on the world's clock) are wrong."""
    text = call.exchange.credentials
    try:
        claims = jwt.decode(text, options={"verify_signature": False})
        app = call.world.apps.get(int(claims.get("iss", 0)))
        if app is None:
            raise Ended(refusal(404, "Integration not found"))
        jwt.decode(
            text,
            app.public_key,
            algorithms=["RS256"],
            options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
        )
    except (jwt.InvalidTokenError, ValueError) as error:
        raise Ended(refusal(401, UNREADABLE)) from error
    now = call.world.clock.now().timestamp()
    until, since = claims.get("exp"), claims.get("iat")
    if not isinstance(since, int) or since > now:
        raise Ended(refusal(401, NOT_YET))
    if not isinstance(until, int) or until <= now:
        raise Ended(refusal(401, EXPIRED))
    if until > now + LONGEST_S:
        raise Ended(refusal(401, TOO_FAR))
    return app


def own(call: Call) -> Answer:
    """The app itself."""
    app = signed(call)
    installed = [each for each in call.world.installations.values() if each.app_id == app.app_id]
    shown = {
        "id": app.app_id,
        "slug": app.slug,
        "node_id": node_id("App", app.app_id),
        "client_id": f"Iv1.{app.app_id:016x}",
        "owner": account(call.world.account("app-owner"), call.base),
        "name": app.slug,
        "description": "Made up for tests",
        "external_url": "https://example.org",
        "html_url": f"https://github.com/apps/{app.slug}",
        "created_at": BORN,
        "updated_at": BORN,
        "permissions": installed[0].permissions if installed else {},
        "events": [],
        "installations_count": len(installed),
    }
    return as_json(200, shown)


def installations(call: Call) -> Answer:
    """Where the app is installed."""
    app = signed(call)
    found = [each for each in call.world.installations.values() if each.app_id == app.app_id]
    return call.page(found, lambda each: _shown(call, each, app))


def of_repository(call: Call) -> Answer:
    """The app's installation on a repository."""
    app = signed(call)
    name = call.repository.name
    for each in call.world.installations.values():
        if each.app_id == app.app_id and name in each.repositories:
            return as_json(200, _shown(call, each, app))
    return missing()


def _shown(call: Call, installed: Installation, app: App) -> dict[str, Any]:
    url = f"{call.base}/app/installations/{installed.installation_id}"
    return {
        "id": installed.installation_id,
        "account": account(Actor(installed.account, installed.installation_id, "Organization"), call.base),
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": f"{call.base}/installation/repositories",
        "html_url": f"https://github.com/organizations/{installed.account}/settings/installations",
        "app_id": app.app_id,
        "app_slug": app.slug,
        "target_id": installed.installation_id,
        "target_type": "Organization",
        "repository_selection": "selected",
        "permissions": installed.permissions,
        "events": [],
        "created_at": BORN,
        "updated_at": BORN,
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": None,
        "suspended_at": None,
    }


def new_token(call: Call, number: str) -> Answer:
    """A token for an installation: all that it was given, or the part of it that was asked for."""
    app = signed(call)
    installed = call.world.installations.get(int(number))
    if installed is None or installed.app_id != app.app_id:
        return missing()
    sent = call.exchange.sent if isinstance(call.exchange.sent, dict) else {}
    asked: dict[str, str] = sent.get("permissions") or installed.permissions
    beyond = [name for name, level in asked.items() if installed.permissions.get(name) not in {level, "write"}]
    if beyond:
        return refusal(422, "The permissions requested are not granted to this installation.")
    names = [each for each in installed.repositories if _chosen(each, sent.get("repositories"))]
    if sent.get("repositories") and len(names) != len(sent["repositories"]):
        message = (
            "There is at least one repository that does not exist or is not accessible to the parent installation."
        )
        return refusal(422, message)
    until = call.world.clock.now() + timedelta(seconds=TOKEN_S)
    count = call.world.issue_id("token", 1)
    value = "ghs_" + hashlib.sha256(f"{number} {count} {until}".encode()).hexdigest()[:36]
    call.world.add_token(Token(value, f"{app.slug}[bot]", "installation", (), asked, tuple(names), until))
    held = [found for name in names if (found := call.world.repository(name))]
    shown = {
        "token": value,
        "expires_at": rfc3339(until),
        "permissions": asked,
        "repository_selection": "selected",
        "repositories": [middle_repository(each, call.base) for each in held],
    }
    return as_json(201, shown)


def _chosen(name: str, wanted: list[str] | None) -> bool:
    return not wanted or name.partition("/")[2] in wanted


PLACES: tuple[Route, ...] = (
    route("GET", "/app", own),
    route("GET", "/app/installations", installations),
    route("POST", "/app/installations/{number}/access_tokens", new_token),
)
UNDER: tuple[Route, ...] = (route("GET", "/installation", of_repository),)
