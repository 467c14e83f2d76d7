"""Configuration: a file, then variables over it; what is unknown or impossible is told with the nearest right word."""

import json
import os
from datetime import timedelta
from pathlib import Path

import pytest

from bot import config
from bot.errors import InputError
from tests.conftest import Alignbot, one_line


def written(folder: Path, text: str) -> dict[str, str]:
    """An environment whose configuration file holds `text`."""
    path = folder / "alignbot.toml"
    path.write_text(text, "utf-8")
    return {"ALIGNBOT_CONFIG": str(path)}


def load(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> config.Settings:
    """Settings from this environment alone."""
    for name in [name for name in os.environ if name.startswith("ALIGNBOT_")]:
        monkeypatch.delenv(name)
    for name, text in environment.items():
        monkeypatch.setenv(name, text)
    return config.load()[0]


def test_variables_stand_over_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A key of the file is used, a variable replaces it, and the rest of its section stays."""
    environment = written(tmp_path, "[run]\nrepeats = 5\nmemory = '2 GiB'\n")
    settings = load(monkeypatch, {**environment, "ALIGNBOT_RUN__REPEATS": "7"})
    assert (settings.run.repeats, settings.run.memory, settings.run.timeout_s) == (7, 2 << 30, 120.0)


@pytest.mark.parametrize(
    ("text", "variables", "told"),
    [
        ("[run]\nrepeat = 5\n", {}, "unknown key 'run.repeat'; did you mean 'run.repeats'?"),
        ("[filling]\nmode = 'off'\n", {}, "unknown key 'filling'"),
        ("[run]\nrepeats = 0\n", {}, "setting 'run.repeats': input should be greater than or equal to 1"),
        (
            "[filing]\nmode = 'always'\n",
            {},
            "setting 'filing.mode': input should be 'off', 'dry-run', 'draft' or 'auto'",
        ),
        ("[run\n", {}, "alignbot.toml: "),
        (
            "",
            {"ALIGNBOT_RUN__REPEAT": "5"},
            "unknown variable ALIGNBOT_RUN__REPEAT; did you mean 'ALIGNBOT_RUN__REPEATS'?",
        ),
        ("", {"ALIGNBOT_FILING__CAPS__PER_DAY": "-1"}, "setting 'filing.caps.per_day'"),
        ("", {"ALIGNBOT_DASHBOARD__HOSTS": "proxy"}, "lists are written as JSON"),
        ("[dashboard]\nhosts = ['*']\n", {}, "setting 'dashboard.hosts.0'"),
        ("[github]\napi = 'http://127.0.0.1@example.org'\n", {}, "setting 'github.api'"),
        ("[github]\napp_id = 'my app'\n", {}, "setting 'github.app_id'"),
        ("[sources]\ngit = 'file:///srv'\n", {}, "setting 'sources.git'"),
        ("[sources]\ngit = 'http://[::1'\n", {}, "setting 'sources': 'git' is no address"),
        ("[sources]\ngit = 'http://a:port/'\n", {}, "setting 'sources': 'git' is no address"),
        ('[sources]\ngit = "https://x\\u001b[2J"\n', {}, "setting 'sources.git'"),
        ("[filing]\nreferences = ['5508']\n", {}, "setting 'filing.references.0'"),
        ("[filing]\nmuted = ['']\n", {}, "setting 'filing.muted.0'"),
        ("[filing]\npeople = ['@a']\n", {}, "setting 'filing.people.0'"),
        ('[filing]\ngone_label = "a\\nb"\n', {}, "setting 'filing.gone_label'"),
        ("[filing.caps]\nper_hour = 99999999999999999999\n", {}, "setting 'filing.caps.per_hour'"),
        ("[github]\napp_installation_id = 0\n", {}, "setting 'github.app_installation_id'"),
        ("[github]\ntimeout_s = 0\n", {}, "setting 'github.timeout_s'"),
        ("[github]\nmax_wait = 'long'\n", {}, "setting 'github.max_wait'"),
        ("", {"ALIGNBOT_GITHUB__PROXY": "user:secret@proxy"}, "setting 'github.proxy'"),
    ],
)
def test_mistakes_name_the_cure(
    text: str, variables: dict[str, str], told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each mistake is one line that names the key and what is right."""
    with pytest.raises(InputError) as caught:
        load(monkeypatch, {**written(tmp_path, text), **variables})
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("api", "allowed"),
    [
        ("https://api.github.com", False),
        ("http://127.0.0.1.example.org", False),
        ("http://10.0.0.1:8000", False),
        ("http://127.0.0.1:8000/api/v3", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000", True),
    ],
)
def test_rehearsal_stays_at_home(api: str, allowed: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A rehearsal is allowed while the forge is on a loopback address, and told as the mistake it is elsewhere."""
    variables = {"ALIGNBOT_FILING__REHEARSAL": "true", "ALIGNBOT_GITHUB__API": api}
    if allowed:
        assert load(monkeypatch, {**written(tmp_path, ""), **variables}).filing.rehearsal
        return
    with pytest.raises(InputError, match=r"needs 'github\.api' to be a loopback address"):
        load(monkeypatch, {**written(tmp_path, ""), **variables})


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:secret@h/db",
        "postgresql://u:sec@secret@h/db",
        "postgresql://u:s/secret@h/db",
        "postgresql://u@h:secret@h/db",
        "postgresql://h/db?user=u&password=secret",
    ],
)
def test_no_password_is_shown(url: str) -> None:
    """Nothing of a password is left, whatever characters it holds; the rest of the address is."""
    shown = config.without_password(url)
    assert "sec" not in shown
    assert shown.startswith("postgresql://")
    assert "***" in shown


def test_keys_of_github(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An App's ID may be written as the number that it is, a wait with its unit, and files are paths."""
    text = "[github]\napp_id = 12\napp_key_file = 'app.pem'\nmax_wait = '90s'\nca_bundle = 'ca.pem'\n"
    github = load(monkeypatch, {**written(tmp_path, text), "ALIGNBOT_GITHUB__APP_INSTALLATION_ID": "34"}).github
    assert (github.app_id, github.app_installation_id, github.max_wait) == ("12", 34, timedelta(seconds=90))
    assert (github.app_key_file, github.ca_bundle) == (Path("app.pem"), Path("ca.pem"))


def test_addresses_without_password_stay() -> None:
    """An address that holds no password is shown as it is."""
    for url in ("sqlite:////var/lib/alignbot/alignbot.db", "postgresql://h:5432/db", "sqlite://"):
        assert config.without_password(url) == url


def test_shown_with_their_sources(alignbot: Alignbot, tmp_path: Path) -> None:
    """`config show` names each key's source and masks passwords; `config check` fails on a bad file."""
    path = written(tmp_path, "[run]\nrepeats = 5\n")["ALIGNBOT_CONFIG"]
    url = "postgresql://bot:secret@db/alignbot"
    variables = {"ALIGNBOT_DATABASE_URL": url, "ALIGNBOT_GITHUB__PROXY": "http://u:secret@proxy:3128"}
    shown = alignbot("config", "show", "--json", state=tmp_path, ALIGNBOT_CONFIG=path, **variables)
    rows = {row["key"]: row for row in json.loads(shown.stdout)}
    assert (rows["run.repeats"]["value"], rows["run.repeats"]["source"]) == (5, path)
    assert rows["state"]["source"] == "ALIGNBOT_STATE"
    assert rows["github.proxy"]["value"] == "http://u:***@proxy:3128"
    assert (rows["github.max_wait"]["source"], rows["github.app_id"]["value"]) == ("default", None)
    assert rows["filing.mode"] == {"key": "filing.mode", "value": "off", "source": "default"}
    assert "secret" not in shown.stdout
    Path(path).write_text("[run]\nrepeats = 'many'\n", "utf-8")
    assert "run.repeats" in one_line(alignbot("config", "check", state=tmp_path, ALIGNBOT_CONFIG=path))


def test_the_example_is_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key of the example that ships for operators is known."""
    example = Path(__file__).parent.parent / "deploy/alignbot.example.toml"
    load(monkeypatch, {"ALIGNBOT_CONFIG": str(example)})
