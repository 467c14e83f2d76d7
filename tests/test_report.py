"""A window's report from the store, as Markdown, HTML and JSON, through the command line."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot.edges.decisions import SqlDecisions
from bot.edges.outbox import SqlOutbox
from bot.model import Decision, DecisionKind, Finding, Intent, Outbound
from bot.pipeline import scan
from tests.fakes import Silent
from tests.filing.desk import NOON
from tests.sample_line import WINDOW, open_store, recorded_line, sample
from tests.typed import typed

HOSTILE = "<script>alert(1)</script> | @torchxpubot\n# x"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state folder with the sample's window, a decision and a planned issue."""
    folder = tmp_path_factory.mktemp("report")
    store = open_store(folder)
    done = scan(sample(), WINDOW, recorded_line(store, folder), Silent())
    finding = next(case.finding for case in done.cases if isinstance(case.finding, Finding))
    word = Decision(fingerprint=finding.fingerprint, kind=DecisionKind.APPROVE, reason=HOSTILE, decided_at=NOON)
    SqlDecisions(store.engine).decide(word)
    SqlOutbox(store.engine).plan(
        Intent(kind=Outbound.ISSUE, fingerprint=finding.fingerprint, repo="intel/torch-xpu-ops", created_at=NOON)
    )
    store.finish_scan(WINDOW, "cpu", "done")
    store.close()
    return folder


def test_the_funnel_adds_up(state: Path) -> None:
    """The steps only narrow, the outcomes are all items, and what waits has a date or is asked at the next tick."""
    (told,) = json.loads(typed(state, "report", "--json").stdout)
    counts = [one["count"] for one in told["funnel"]]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == len(told["items"]) == sum(told["outcomes"].values()) == 18
    assert {one["item"] for one in told["waiting"]} >= {"pytorch/pytorch#204467"}
    assert all(one["look_again_at"] for one in told["waiting"])
    (finding,) = told["findings"]
    assert (finding["shown_in"], finding["filed"], finding["fileable"]) == ("2 of 2 fresh processes", "planned", False)
    assert finding["decision"].startswith("approve: ")
    assert told["costs"]["processes"] == 2


def test_for_people(state: Path, tmp_path: Path) -> None:
    """The Markdown has every item; what strangers wrote stays text in it, and in the page."""
    text = typed(state, "report").stdout
    for number in ("#204496", "#204519"):
        assert number in text
    assert "## From items to findings" in text
    page = tmp_path / "report.html"
    assert typed(state, "report", "--html", "--output", str(page)).returncode == 0
    tags: set[str] = set()

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            tags.add(tag)

    Tags().feed(page.read_text())
    assert "table" in tags
    assert not tags & {"script", "img", "iframe", "form", "a"}


def test_one_device(state: Path) -> None:
    """Another device's report is not there, and says so with exit code 1; wrong wishes are refused with 2."""
    assert typed(state, "report", "--device", "cpu").returncode == 0
    none = typed(state, "report", "--device", "xpu")
    assert (none.returncode, none.stdout) == (1, "")
    assert "`alignbot windows` shows all" in none.stderr
    for wrong in (["--html", "--json"], ["--window", "yesterday"], ["--output", "/nowhere/x"]):
        refused = typed(state, "report", *wrong)
        assert refused.returncode == 2, refused
        assert len(refused.stderr.strip().splitlines()) == 1
