"""`scan --window`: a window of GitHub goes in, and what follows when GitHub does not give all of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.model import Window
from tests.conftest import Alignbot, needs_bwrap, needs_torch
from tests.double import Token, changes, faults, landing
from tests.online.conftest import Type
from tests.online.loopback import DAY, Loopback, an_hour_ago, later, ledger, midnight, noon, written

SCAN = ("scan", "--window", DAY, "--device", "cpu", "--out", "out")
WINDOW = Window.parse(str(DAY))


@needs_torch
@needs_bwrap
def test_from_the_shell(loopback: Loopback, alignbot: Alignbot, tmp_path: Path) -> None:
    """A window is read, followed and written; the summary says that it is closed, and standard error what it cost."""
    first, _, last = loopback.fill(DAY)
    kept = loopback.defect(noon())
    pull = changes.create_pull(loopback.upstream, "[CI] Bump a runner", at=noon(later(-1)))
    sha = landing.land(loopback.upstream, pull.number, at=noon()).oid
    loose = landing.commit(loopback.upstream, "[Docs] Mend a link", at=noon()).oid
    variables = loopback.variables | {"ALIGNBOT_GITHUB_TOKEN": loopback.double.world.token}
    out = tmp_path / "out"
    done = alignbot("scan", "--window", DAY.isoformat(), "--device", "cpu", "--out", out, state=tmp_path, **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:3] == [
        f"{WINDOW} on cpu:",
        "  closed",
        "  6 items, 1 candidates, 0 ran on the device",
    ]
    points, requests = loopback.double.points, loopback.asked()
    assert done.stderr.splitlines()[-1].startswith(f"GitHub: {points} points, {requests} requests (")
    told = ledger(out)
    assert told.keys() == {first, first + 1, last, kept, pull.number, loose}
    assert (told[kept]["outcome"], told[kept]["stage"]) == ("watched", "judge")
    assert told[pull.number]["kind"] == "pull"
    assert sha not in told
    assert {"report.md", "report.json", "ledger.jsonl"} <= written(out).keys()
    assert loopback.double.world.token not in done.stdout + done.stderr


def test_again_asks_nothing(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """A second scan of a closed window asks GitHub nothing, though much has happened since, and writes the same."""
    numbers = loopback.fill(DAY, later(1))
    assert typed(*SCAN).code == 0
    before = written(tmp_path / "out")
    changes.edit(loopback.upstream, numbers[0], title="Another title")
    loopback.issue(noon(), "[Docs] One that was transferred in")
    loopback.asked()
    again = typed(*SCAN)
    assert (again.code, again.lines[-1], loopback.asked()) == (0, "GitHub: 0 points, 0 requests", 0)
    assert written(tmp_path / "out") == before


def test_json(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """With --json standard output is the report, with how the window was read."""
    loopback.fill(DAY)
    report = typed(*SCAN, "--json").json
    assert report["reading"]["state"] == "closed"
    assert report["reading"]["counts"] == {"issue": 3, "landed": 0}
    assert report["reading"]["proof"]["accounted"] == {"issue": 3}
    assert report["heads"]["upstream"] == loopback.upstream.commits[0].oid
    assert written(tmp_path / "out")["report.json"].startswith(b'{\n  "window"')


def test_dry_run(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """A dry run reads and writes the report, and remembers neither window nor case."""
    loopback.fill(DAY)
    assert typed(*SCAN, "--dry-run").code == 0
    assert len(ledger(tmp_path / "out")) == 3
    assert typed("windows", "--json").json == []


def test_a_number_is_hidden(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """A number that GitHub denies leaves a fresh window open, by its name; what is there is scanned. It is closed by a
    later scan, when the number is shown, and the item is not missing."""
    window = an_hour_ago()
    numbers = [loopback.issue(window.start + timedelta(hours=place)) for place in (-1, 1, 2, 3, 6)]
    hidden = numbers[2]
    changes.hide(loopback.upstream, hidden)
    scan = ("scan", "--window", window, "--device", "cpu", "--out", "out")
    done = typed(*scan)
    why = f"1 of its numbers can't be accounted for: GitHub denies #{hidden}; they are asked again later"
    assert (done.code, done.stdout.splitlines()[1]) == (3, f"  open: {why}")
    assert ledger(tmp_path / "out").keys() == {numbers[1], numbers[3]}
    told = typed("windows", "--json").json
    assert [(one["state"], one["why"], one["scans"]) for one in told] == [("open", why, {"cpu": "held"})]
    gaps = typed("windows", "--gaps", "--json")
    assert (gaps.code, gaps.json) == (3, told)
    changes.hide(loopback.upstream, hidden, hidden=False)
    assert typed(*scan).code == 0
    assert typed("windows", "--gaps").code == 0
    assert ledger(tmp_path / "out").keys() == {*numbers[1:4]}


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (faults.status(418, "I am a teapot", operation="Window", nth=2), "GitHub answered 418 to Window (I am a teap"),
        (faults.reset_before(operation="Window", nth=2, times=3), "the connection to GitHub broke at POST /graphql"),
        (faults.primary_limit(3600, operation="Window", nth=2), "GitHub's graphql budget is spent: it may be asked"),
        (faults.too_many(operation="Window", nth=2), "GitHub asks to be left alone for a while: it may be asked"),
    ],
    ids=["status", "reset", "primary", "secondary"],
)
def test_outage_after_some_pages(
    fault: faults.Rule, told: str, loopback: Loopback, typed: Type, tmp_path: Path
) -> None:
    """What GitHub refuses after the first page leaves the window open with the reason, exit code 3 and no report; the
    next scan asks for the rest alone."""
    numbers = loopback.fill(DAY, count=101)
    loopback.double.add(fault)
    done = typed(*SCAN)
    assert (done.code, done.stdout) == (3, "")
    assert done.lines[0].startswith(f"alignbot: {DAY} has to wait: {told}")
    assert len(done.lines) == 2
    assert done.lines[1].startswith("GitHub: ")
    assert not (tmp_path / "out").exists()
    (window,) = typed("windows", "--json").json
    assert window["state"] == "open"
    assert window["why"].startswith(told)
    pages = len(loopback.double.asked(operation="Window"))
    loopback.asked()
    assert typed(*SCAN).code == 0
    assert len(loopback.double.asked(operation="Window")) == pages + 1
    assert loopback.asked() == 1 + len(loopback.double.asked(operation="Fates"))
    assert ledger(tmp_path / "out").keys() == {*numbers}


@needs_torch
@needs_bwrap
def test_no_details(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """A closed window whose details can't be read is not scanned: exit code 3, and only they are asked for later."""
    loopback.fill(DAY)
    kept = loopback.defect(noon())
    loopback.double.add(faults.status(418, "I am a teapot", operation="Details"))
    done = typed(*SCAN)
    assert (done.code, done.stdout) == (3, "")
    assert "has to wait: GitHub answered 418 to Details" in done.stderr
    told = typed("windows", "--json").json[0]
    assert (told["state"], told["scans"]) == ("closed", {})
    loopback.asked()
    assert typed(*SCAN).code == 0
    assert loopback.asked() == 1
    assert ledger(tmp_path / "out")[kept]["outcome"] == "watched"


def test_nobody_answers(loopback: Loopback, typed: Type) -> None:
    """A GitHub that can't be reached at all is asked again later: exit code 3 with the address, and nothing is known of
    the window."""
    done = typed(*SCAN, ALIGNBOT_GITHUB__API="http://127.0.0.1:9")
    assert (done.code, done.stdout) == (3, "")
    assert done.lines[0].startswith(f"alignbot: {DAY} has to wait: GitHub can't be reached for POST /graphql")
    assert typed("windows", "--json").json == []


def test_little_is_left(loopback: Loopback, typed: Type) -> None:
    """A window isn't begun that what is left of the budget can't pay for: exit code 3, and when it can."""
    loopback.fill(DAY)
    loopback.double.world.limits["graphql"] = 20
    done = typed(*SCAN)
    assert done.code == 2, "this much is never given at once"
    assert "which gives 20 at a time: choose a shorter window" in done.lines[0]
    loopback.double.world.limits["graphql"] = 31
    spent = typed("scan", "--window", later(-1), "--device", "cpu", "--out", "other")
    assert spent.code == 3
    assert "are left: it may be asked again at" in spent.lines[0]


def wrong_branch(loopback: Loopback) -> dict[str, str]:
    """The default branch was renamed."""
    landing.rename_branch(loopback.upstream, "trunk")
    return {}


def no_permission(loopback: Loopback) -> dict[str, str]:
    """A fine-grained token without a permission that it needs."""
    token = Token("github_pat_weak", "reader", kind="fine-grained", permissions={"metadata": "read"})
    loopback.upstream.restricted = True
    return {"ALIGNBOT_GITHUB_TOKEN": loopback.double.world.add_token(token)}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"ALIGNBOT_GITHUB_TOKEN": "ghp_wrong"}, "GitHub does not accept the credentials (Bad credentials): check"),
        ({"ALIGNBOT_UPSTREAM__REPO": "pytorch/torchpy"}, "upstream.repo"),
        ({"ALIGNBOT_TARGET__REPO": "intel/torch-xpu"}, "target.repo"),
        ({"ALIGNBOT_GITHUB__API": "http://127.0.0.1:99999"}, "github.api is no address"),
        (wrong_branch, "the default branch of pytorch/pytorch is 'trunk', not 'main': see that changes land there"),
        (no_permission, "it needs"),
    ],
    ids=["token", "upstream", "target", "address", "branch", "permission"],
)
def test_a_person_has_to_mend_it(change: object, told: str, loopback: Loopback, typed: Type) -> None:
    """What asking again can't cure is one line that says what to change, and exit code 2; nothing was begun."""
    loopback.fill(DAY)
    variables = change(loopback) if callable(change) else change
    assert isinstance(variables, dict)
    done = typed(*SCAN, **variables)
    assert (done.code, done.stdout, len(done.lines)) == (2, "", 1), done.stderr
    assert done.lines[0].startswith("alignbot: ")
    assert told in done.lines[0]
    assert typed("windows", "--json").json == []


def test_no_token(loopback: Loopback, typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a token it says where one is put; GitHub is not asked."""
    monkeypatch.delenv("ALIGNBOT_GITHUB_TOKEN")
    done = typed(*SCAN)
    assert (done.code, len(done.lines), loopback.asked()) == (2, 1, 0)
    assert "ALIGNBOT_GITHUB_TOKEN" in done.lines[0]


def test_windows_that_are_none(loopback: Loopback, typed: Type) -> None:
    """A window that is not over, or that is not given, is one line and exit code 2; GitHub is not asked."""
    today = datetime.now(UTC).date()
    done = typed("scan", "--window", f"{today}/{today + timedelta(days=2)}", "--device", "cpu")
    assert (done.code, len(done.lines)) == (2, 1)
    assert "is not over yet" in done.lines[0]
    for arguments in ((), ("--window", "yesterday"), ("--sample", "--window", str(DAY))):
        done = typed("scan", *arguments, "--device", "cpu")
        assert (done.code, len(done.lines)) == (2, 1), done.stderr
    assert loopback.asked() == 0


def test_a_result_folder_of_its_own(loopback: Loopback, typed: Type, state: Path) -> None:
    """Without --out each window has a folder below the state folder, named by its ends and the device."""
    loopback.fill(DAY)
    window = Window(start=midnight(), end=noon())
    assert typed("scan", "--window", window, "--device", "cpu").code == 0
    assert [path.name for path in (state / "scans").iterdir()] == ["2025-11-11T00:00:00Z_2025-11-11T12:00:00Z-cpu"]
