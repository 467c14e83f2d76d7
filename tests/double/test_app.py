"""GitHub Apps: who signs how is let in, and gets a token that ends."""

import functools
from datetime import UTC, datetime

import github
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.double import App, Double, Installation, World
from tests.double.asking import call

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)


@functools.cache
def keys(_: str = "") -> tuple[str, str]:
    """A private and a public key."""
    made = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    private = made.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = made.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()


def installed(now: datetime | None = NOW) -> tuple[World, App, Installation]:
    world = World(now)
    world.add_repository("intel/torch-xpu-ops", next_number=1)
    world.add_repository("intel/other")
    app = world.add_app(keys()[1])
    return world, app, world.install(app, "intel/torch-xpu-ops", "intel/other", issues="write")


def signature(app: App, key: str | None = None, **claims: object) -> str:
    now = int(NOW.timestamp())
    return jwt.encode(
        {"iss": str(app.app_id), "iat": now - 30, "exp": now + 500, **claims}, key or keys()[0], algorithm="RS256"
    )


@pytest.mark.parametrize(
    ("claims", "key", "status", "message"),
    [
        ({}, "", 201, None),
        ({"exp": int(NOW.timestamp())}, "", 401, "('exp') must be a numeric value representing the future time"),
        ({"exp": int(NOW.timestamp()) + 601}, "", 401, "('exp') is too far in the future"),
        ({"iat": int(NOW.timestamp()) + 5}, "", 401, "('iat') must be an Integer"),
        ({"iss": "999"}, "", 404, "Integration not found"),
        ({}, "another", 401, "A JSON web token could not be decoded"),
    ],
)
def test_signatures(claims: dict[str, object], key: str, status: int, message: str | None) -> None:
    """A token is given for the app's own key and sound times by the server's clock; GitHub's words say what's wrong."""
    world, app, installation = installed()
    proof = signature(app, keys(key)[0] if key else None, **claims)
    with Double(world) as double:
        path = f"/app/installations/{installation.installation_id}/access_tokens"
        answer = call(double, "POST", path, token=proof)
        assert answer.status_code == status
        assert message is None or message in answer.json()["message"]


def test_a_clock_that_is_behind_refuses_fresh_signatures() -> None:
    """Where the server's clock is a minute behind the client's, a signature that is not backdated is refused."""
    world, app, _ = installed()
    with Double(world) as double:
        proof = signature(app, iat=int(NOW.timestamp()))
        assert call(double, "GET", "/app", token=proof).status_code == 200
        world.clock.advance(-60)
        assert call(double, "GET", "/app", token=proof).status_code == 401


def test_a_token_ends_and_reaches_as_far_as_was_asked() -> None:
    """It writes as the app until its hour is over, in the repositories and with the permissions it was cut down to."""
    world, app, installation = installed()
    path = f"/app/installations/{installation.installation_id}/access_tokens"
    with Double(world) as double:
        asked = {"repositories": ["torch-xpu-ops"], "permissions": {"issues": "write"}}
        token = call(double, "POST", path, asked, token=signature(app)).json()["token"]
        opened = call(double, "POST", "/repos/intel/torch-xpu-ops/issues", {"title": "t"}, token=token)
        assert (opened.status_code, opened.json()["user"]["login"]) == (201, "alignbot[bot]")
        assert call(double, "POST", "/repos/intel/other/issues", {"title": "t"}, token=token).status_code == 403
        assert call(double, "GET", "/user", token=token).status_code == 403
        world.clock.advance(3_600)
        assert call(double, "GET", "/repos/intel/torch-xpu-ops", token=token).status_code == 401
        for beyond in ({"permissions": {"contents": "write"}}, {"repositories": ["unknown"]}):
            world.clock.set(NOW)
            assert call(double, "POST", path, beyond, token=signature(app)).status_code == 422


def test_the_real_client_gets_a_token_and_files() -> None:
    """PyGithub's own app authentication works against the double, on the machine's clock."""
    world, app, installation = installed(now=None)
    with Double(world) as double:
        client = github.GithubIntegration(auth=github.Auth.AppAuth(app.app_id, keys()[0]), base_url=double.url)
        assert client.get_app().slug == "alignbot"
        assert client.get_repo_installation("intel", "torch-xpu-ops").id == installation.installation_id
        assert [each.id for each in client.get_installations()] == [installation.installation_id]
        forge = client.get_github_for_installation(installation.installation_id)
        assert forge.get_repo("intel/torch-xpu-ops").create_issue(title="t").user.login == "alignbot[bot]"
