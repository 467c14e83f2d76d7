"""Who asks: every way to give a token or an App's key, every way to get it wrong, and no way to see the secret."""

import logging
import os
import pickle
from collections.abc import Iterator
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from structlog.testing import capture_logs

from bot.edges.github.access import Access
from bot.edges.github.connect import connect
from bot.edges.github.faults import LostError
from bot.edges.github.graphql import Answer
from bot.edges.github.tokens import AppKey, Place, Token, credentials
from bot.errors import InputError
from bot.settings import GitHub
from tests.github.loopback import SECRET, START, Server, Time, Told, connected

PRIVATE = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = ec.generate_private_key(ec.SECP256R1())
MINTED = "ghs_16C7e42F292c6912E7710c838347Ae178B4a"
HOUR = (START + timedelta(hours=1)).isoformat()


def pem(key: Any, password: str = "") -> bytes:
    """A private key as GitHub gives it out."""
    kind = serialization.BestAvailableEncryption(password.encode()) if password else serialization.NoEncryption()
    encoded: bytes = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, kind)
    return encoded


def kept(folder: Path, content: bytes | str, mode: int = 0o600) -> Path:
    """A file with a secret."""
    path = folder / "secret"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)
    return path


def found(access: Access, **environ: str) -> Token | AppKey:
    """The credentials of these settings and this environment."""
    return credentials(access, environ, Time().now)


@pytest.mark.parametrize("content", [SECRET, f"{SECRET}\n", f"  {SECRET}\r\n\n", f"\ufeff{SECRET}\n"])
def test_a_token_from_a_file(content: str, tmp_path: Path) -> None:
    """Ends of lines, blanks around it and a byte order mark are no part of it."""
    token = found(Access(token_file=kept(tmp_path, content)))
    assert token.authorization() == f"Bearer {SECRET}"


def test_the_file_comes_first(tmp_path: Path) -> None:
    """File, then variable, then systemd credential; each only where the ones before are missing."""
    (tmp_path / "github-token").write_text("from-systemd")
    systemd = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    variable = {"ALIGNBOT_GITHUB_TOKEN": "from-variable", **systemd}
    file = Access(token_file=kept(tmp_path, "from-file"))
    tokens = [found(file, **variable), found(Access(), **variable), found(Access(), **systemd)]
    assert [token.authorization() for token in tokens] == [f"Bearer from-{w}" for w in ("file", "variable", "systemd")]
    assert [token.source for token in tokens] == [
        "github.token_file",
        "ALIGNBOT_GITHUB_TOKEN",
        "the systemd credential github-token",
    ]


def test_a_home_folder_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` is the user's own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    kept(tmp_path, SECRET)
    assert found(Access(token_file=Path("~/secret"))).authorization() == f"Bearer {SECRET}"


def test_another_place() -> None:
    """The filer's token has names of its own, and its errors have them too."""
    filer = Place("filing.token_file", "ALIGNBOT_FILING_TOKEN", "filing-token", "Issues: read and write")
    token = credentials(Access(), {"ALIGNBOT_FILING_TOKEN": SECRET}, Time().now, filer)
    assert (token.source, token.needs) == ("ALIGNBOT_FILING_TOKEN", "Issues: read and write")
    with pytest.raises(InputError, match=r"filing\.token_file names, or into ALIGNBOT_FILING_TOKEN"):
        credentials(Access(), {"ALIGNBOT_GITHUB_TOKEN": SECRET}, Time().now, filer)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty: make one"),
        (b" \n\t\n", "is empty: make one"),
        (f"{SECRET}\n{SECRET}\n".encode(), "has more than one line"),
        (f"token {SECRET}".encode(), "holds characters that no token has"),
        (f"{SECRET}\x00".encode(), "holds characters that no token has"),
        (f"{SECRET}é".encode(), "holds characters that no token has"),
        (b"\xff\xfe\x00", "no text of a token"),
        (b"a" * 70_000, "no text of a token"),
    ],
)
def test_files_that_hold_no_token(content: bytes, told: str, tmp_path: Path) -> None:
    """Each is told with the setting, and nothing of what it holds."""
    with pytest.raises(InputError) as caught:
        found(Access(token_file=kept(tmp_path, content)))
    assert told in str(caught.value)
    assert "github.token_file" in str(caught.value)
    assert SECRET[4:] not in str(caught.value)


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    """Missing, a folder, or not ours."""
    locked = kept(tmp_path, SECRET, 0o000)
    cases = [(tmp_path / "none", "No such file"), (tmp_path, "Is a directory")]
    cases += [] if os.geteuid() == 0 else [(locked, "Permission denied")]
    for path, told in cases:
        with pytest.raises(InputError, match=rf"github\.token_file names .*, which can't be read: {told}"):
            found(Access(token_file=path))


@pytest.mark.parametrize(("mode", "count"), [(0o600, 0), (0o640, 0), (0o644, 1)])
def test_a_secret_for_all_to_read_is_warned_of(mode: int, count: int, tmp_path: Path) -> None:
    """It works, as it must in containers, but it is said; the secret itself is not."""
    with capture_logs() as logs:
        found(Access(token_file=kept(tmp_path, SECRET, mode)))
    assert [line["log_level"] for line in logs] == ["warning"] * count
    assert SECRET not in repr(logs)


@pytest.mark.parametrize("text", ["", " "])
def test_no_token_at_all(text: str) -> None:
    """It says where to make one and where to put it; an empty variable is none, a blank one is a mistake."""
    with pytest.raises(InputError, match=r"https://github\.com/settings/personal-access-tokens") as caught:
        found(Access(), ALIGNBOT_GITHUB_TOKEN=text)
    assert "ALIGNBOT_GITHUB_TOKEN" in str(caught.value)


def test_nothing_shows_the_token(tmp_path: Path) -> None:
    """Neither the token's own text, nor the App's, nor what they are part of."""
    token = Token("source", "needs", SECRET)
    app = found(Access(app_id="7", app_key_file=kept(tmp_path, pem(PRIVATE))))
    with connect(Access(api="http://127.0.0.1:1"), "a/b", Time(), {"ALIGNBOT_GITHUB_TOKEN": SECRET}) as forge:
        shown = f"{token} {token!r} {app!r} {forge!r} {forge.rest.github.requester.kwargs}"
    assert SECRET not in shown
    assert "PRIVATE KEY" not in shown
    assert token.hidden(f"said {SECRET}!") == "said ***!"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file with the App's key."""
    return kept(tmp_path, pem(PRIVATE))


def test_half_an_app_is_told(key: Path) -> None:
    """Both the number and the key are needed, and not a token beside them."""
    for access, told in (
        (Access(app_id="7"), "github.app_id is given without github.app_key_file"),
        (Access(app_key_file=key), "github.app_key_file is given without github.app_id"),
        (Access(app_installation_id=3), "github.app_installation_id is given without github.app_id"),
    ):
        with pytest.raises(InputError, match=told):
            found(access)
    with pytest.raises(InputError, match=r"both a token \(ALIGNBOT_GITHUB_TOKEN\) and a GitHub App"):
        found(Access(app_id="7", app_key_file=key), ALIGNBOT_GITHUB_TOKEN=SECRET)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a key",
        SECRET.encode(),
        pem(PRIVATE)[:600],
        pem(PRIVATE, "password"),
        pem(OTHER),
        PRIVATE.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
    ],
    ids=["empty", "text", "token", "cut", "locked", "elliptic", "public"],
)
def test_a_broken_key_is_told(content: bytes, tmp_path: Path) -> None:
    """Before anything is asked, whatever is wrong with it, and without its text."""
    path = kept(tmp_path, content)
    with pytest.raises(InputError, match=r"github\.app_key_file names .*, which holds no private RSA key") as caught:
        found(Access(app_id="7", app_key_file=path))
    assert "BEGIN" not in str(caught.value)


def test_what_is_signed(key: Path) -> None:
    """GitHub's three claims, by GitHub's clock, good for less than ten minutes."""
    app = found(Access(app_id="Iv1.x", app_key_file=key))
    signed = app.authorization().removeprefix("Bearer ")
    claims = jwt.decode(signed, PRIVATE.public_key(), algorithms=["RS256"], options={"verify_exp": False})
    now = int(START.timestamp())
    assert claims == {"iat": now - 60, "exp": now + 300, "iss": "Iv1.x"}
    assert app.hidden(f"said {signed}") == "said ***"


def minted(token: str = MINTED, until: str = HOUR) -> Told:
    """GitHub's answer to an App that asks for a token."""
    return Told({"token": token, "expires_at": until, "permissions": {"issues": "read"}}, 201)


OK = Told({"data": {"a": 1}})


def ask(server: Server, key: Path, **access: Any) -> Answer:
    """One question of App 7's."""
    with connected(server, environ={}, app_id="7", app_key_file=key, **access) as forge:
        return forge.graphql.ask("query Q { a }", {}, "Q")


def test_an_installation_is_looked_up(key: Path) -> None:
    """With the App's number and key alone, by the upstream repository; both APIs then ask with the token it gives."""
    repository = Told({"full_name": "pytorch/pytorch"})
    with (
        Server(Told({"id": 42}), minted(), OK, repository) as server,
        connected(server, environ={}, app_id="7", app_key_file=key) as forge,
    ):
        forge.graphql.ask("query Q { a }", {}, "Q")
        assert forge.rest.repository("pytorch/pytorch").full_name == "pytorch/pytorch"
    assert [(asked.method, asked.path) for asked in server.asked] == [
        ("GET", "/repos/pytorch/pytorch/installation"),
        ("POST", "/app/installations/42/access_tokens"),
        ("POST", "/graphql"),
        ("GET", "/repos/pytorch/pytorch"),
    ]
    sent = [asked.headers["authorization"] for asked in server.asked]
    assert sent[0].startswith("Bearer eyJ")
    assert sent[2:] == [f"Bearer {MINTED}"] * 2


def test_a_token_is_renewed_before_it_ends(key: Path) -> None:
    """The same one for nearly an hour, then another."""
    script = (minted(), OK, OK, minted("ghs_second", (START + timedelta(hours=3)).isoformat()), OK)
    with (
        Server(*script) as server,
        connected(server, environ={}, app_id="7", app_key_file=key, app_installation_id=42) as forge,
    ):
        for minutes in (0, 54, 2):
            server.clock.moment += timedelta(minutes=minutes)
            forge.graphql.ask("query Q { a }", {}, "Q")
    assert [asked.headers["authorization"] for asked in server.asked if asked.path == "/graphql"] == [
        f"Bearer {MINTED}",
        f"Bearer {MINTED}",
        "Bearer ghs_second",
    ]


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ([Told({"message": "Not Found"}, 404)], "not installed on pytorch/pytorch.*github.app_installation_id"),
        ([Told({"message": "Integration not found"}, 404)], "knows no App 7: check github.app_id"),
        ([Told({"id": 42}), Told({"message": "Not Found"}, 404)], "no installation 42 of this App"),
        (
            [Told({"message": "A JSON web token could not be decoded"}, 401)],
            "could not be decoded.*check github.app_id and github.app_key_file$",
        ),
        ([Told({"message": "This installation has been suspended"}, 403)], "suspended"),
    ],
)
def test_an_app_that_github_does_not_know(script: list[Told], told: str, key: Path) -> None:
    """A deleted key, a wrong number, an App that is not there: each names its setting."""
    with Server(*script) as server, pytest.raises(InputError, match=told):
        ask(server, key)


def test_a_wrong_clock_is_told_to_an_app(key: Path) -> None:
    """What an App signs has a time: it says so when that may be why."""
    behind = Time(START - timedelta(minutes=20))
    answer = Told({"message": "'Expiration time' claim ('exp') must be in the future"}, 401)
    with Server(answer) as server, pytest.raises(InputError, match="1200 s behind GitHub's"):
        ask(server, key, clock=behind)


@pytest.mark.parametrize("lost", [Told(status=502), Told(fault="reset"), Told(fault="cut"), Told(b"<html>")])
def test_a_lost_token_is_asked_for_again(lost: Told, key: Path) -> None:
    """Nothing comes of two tokens."""
    with Server(lost, minted(), OK) as server:
        assert ask(server, key, app_installation_id=42).data == {"a": 1}
    assert len(server.asked) == 3


@pytest.mark.parametrize("odd", [Told({}, 201), Told({"token": MINTED}, 201), minted(until="soon"), Told([], 201)])
def test_a_token_without_an_end_is_none(odd: Told, key: Path) -> None:
    """It is an error of ours, and the token is in none of it."""
    with Server(odd) as server, pytest.raises(LostError, match="without its end") as caught:
        ask(server, key, app_installation_id=42)
    assert MINTED not in str(caught.value)


def test_logs_hold_no_secret(key: Path, caplog: pytest.LogCaptureFixture) -> None:
    """At the finest level, of all libraries, with a token and with an App, whatever GitHub repeats of it."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, "github")
    echo = Told({"message": f"you sent Bearer {MINTED} {SECRET}"}, 401)
    said = []
    for access, environ, script in (
        ({}, {"ALIGNBOT_GITHUB_TOKEN": SECRET}, [Told({"full_name": "a/b"}), echo]),
        (
            {"app_id": "7", "app_key_file": key, "app_installation_id": 4},
            {},
            [minted(), Told({"full_name": "a/b"}), echo],
        ),
    ):
        with Server(*script) as server, connected(server, environ=environ, **access) as forge:
            forge.rest.repository("a/b")
            with pytest.raises(InputError) as caught:
                forge.rest.repository("a/b")
            said.append(str(caught.value))
    assert SECRET not in said[0]
    assert MINTED not in said[1]
    assert caplog.records
    assert [secret for secret in (SECRET, MINTED, "eyJ", "PRIVATE KEY") if secret in caplog.text] == []


def test_the_settings_are_the_keys() -> None:
    """What the configuration calls a key of `github` is what the edge takes under that name, with the same default."""
    assert {field.name for field in fields(Access)} == set(GitHub.model_fields)
    assert Access(**GitHub().model_dump()) == Access()
    assert pickle.loads(pickle.dumps(Access())) == Access()  # noqa: S301


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Warnings about files that all may read are tested where they are meant."""
    with capture_logs():
        yield
