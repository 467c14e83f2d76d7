"""`collect`: a window of GitHub as a file, from which the same scan comes again without GitHub."""

import json
from pathlib import Path

import pytest

from bot import wire
from bot.config import load
from bot.edges.archive import Archive
from bot.model import Window
from bot.pipeline import scan
from bot.seams import Source
from bot.stages.report import files_of, report_facts
from tests.conftest import Alignbot, needs_bwrap, needs_torch
from tests.double import changes, faults, landing
from tests.fakes import Silent
from tests.online.conftest import Type
from tests.online.loopback import DAY, Loopback, an_hour_ago, later, midnight, noon, timeless, written
from tests.sample_line import open_store, recorded_line

WINDOW = Window.parse(str(DAY))
SCRIPT = "```python\nimport torch\nprint(torch.ones(4, device='cuda').sum())\n```\n"


def eventful(loopback: Loopback) -> None:
    """A day, and issues around it: one with a script, its fix that landed and was reverted, a discussion."""
    loopback.fill(later(-1))
    first = loopback.issue(midnight())
    found = loopback.defect(noon(), f"It prints 256, I expect 2048.\n\n{SCRIPT}")
    changes.comment(loopback.upstream, found, f"I see it too, and #{first} may be the same.", at=noon())
    changes.create_discussion(loopback.upstream, "How do others do it?", at=noon())
    body = f"Fixes #{found}"
    fix = changes.create_pull(loopback.upstream, "[CUDA] Fix grid_sampler_2d_backward in bfloat16", body, at=noon())
    landing.land(loopback.upstream, fix.number, at=noon())
    landing.revert(loopback.upstream, fix.number, at=noon())
    loopback.defect(noon())
    loopback.fill(later(1))


@pytest.mark.parametrize(
    "form", [".jsonl", ".jsonl.gz", pytest.param(".jsonl.zst", marks=[needs_torch, needs_bwrap], id="candidate")]
)
def test_replay(form: str, loopback: Loopback, typed: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive gives the same report and ledger as the window itself, for somebody who has never asked GitHub."""
    loopback.fill(DAY)
    if form == ".jsonl.zst":
        loopback.defect(noon())
    live = typed("scan", "--window", DAY, "--device", "cpu", "--out", "live")
    assert live.code == 0, live.stderr
    collected = typed("collect", "--window", DAY, "--output", f"made/2025-11-11{form}")
    assert collected.code == 0, collected.stderr
    assert collected.stdout.splitlines()[-1] == f"archive  made/2025-11-11{form}"
    assert collected.lines[-1] == "GitHub: 0 points, 0 requests"
    for name in loopback.variables:
        monkeypatch.delenv(name)
    elsewhere = {"ALIGNBOT_STATE": str(tmp_path / "elsewhere")}
    archive = ("--archive", f"made/2025-11-11{form}")
    again = typed("scan", *archive, "--window", DAY, "--device", "cpu", "--out", "again", **elsewhere)
    assert again.code == 0, again.stderr
    assert timeless(written(tmp_path / "again")) == timeless(written(tmp_path / "live"))
    assert again.stdout == live.stdout.replace("live/", "again/")
    other = typed("scan", *archive, "--window", later(1), "--device", "cpu", **elsewhere)
    assert (other.code, len(other.lines)) == (2, 1)
    assert f"holds {WINDOW}, not" in other.lines[0]


def test_replay_with_all_that_a_window_holds(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """Report, ledger, drafts, reproducers and logs are the same bytes, with chains, landings, reverts and findings."""
    eventful(loopback)
    assert typed("collect", "--window", DAY, "--output", "day.jsonl.zst").code == 0
    settings, _ = load()
    github = wire.GitHub(settings)

    def files(source: Source, folder: Path) -> dict[str, str]:
        store = open_store(folder)
        line = recorded_line(store, folder)
        done = scan(source, WINDOW, line, Silent())
        store.close()
        return files_of(report_facts(done), done.cases, line.templates)

    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    store = open_store(tmp_path / "first")
    live = files(wire.window_source(settings, WINDOW, store, github), tmp_path / "first")
    again = files(Archive(tmp_path / "day.jsonl.zst"), tmp_path / "second")
    github.close()
    store.close()
    assert again == live
    folders = {name.partition("/")[0] for name in live}
    assert folders == {"report.json", "report.md", "ledger.jsonl", "drafts", "reproducers", "logs"}
    kinds = {json.loads(line)["kind"] for line in live["ledger.jsonl"].splitlines()}
    assert kinds == {"issue", "pull", "commit"}


def test_the_same_bytes(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """Collected twice, a window is the same file, also when it is read anew by somebody else; the window file tells
    window, both heads, counts, the digest and the proof."""
    eventful(loopback)
    for name, state in (("a", "one"), ("b", "one"), ("c", "two")):
        done = typed("collect", "--window", DAY, "--output", f"{name}.jsonl.zst", ALIGNBOT_STATE=str(tmp_path / state))
        assert done.code == 0, done.stderr
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.*")}
    assert made["a.jsonl.zst"] == made["b.jsonl.zst"] == made["c.jsonl.zst"]
    assert made["a.window.json"] == made["b.window.json"]
    told = json.loads(made["a.window.json"])
    assert told["window"] == str(WINDOW)
    heads = {
        "upstream": loopback.upstream.head.oid,
        "target": loopback.double.world.repository("intel/torch-xpu-ops").head.oid,
    }
    assert told["heads"] == heads
    assert told["counts"] == {"commit": 1, "issue": 3, "pull": 1}
    assert told["reading"]["state"] == "closed"
    assert told["reading"]["counts"] == {"commit": 1, "issue": 3, "landed": 1, "pull": 1}
    assert told["reading"]["proof"]["accounted"] == {"discussion": 1, "issue": 3, "pull": 1}


def test_json(loopback: Loopback, typed: Type) -> None:
    """With --json standard output is the window with its counts and the archive's name."""
    loopback.fill(DAY)
    told = typed("collect", "--window", DAY, "--output", "day.jsonl", "--json").json
    assert (told["window"], told["state"], told["archive"]) == (str(WINDOW), "closed", "day.jsonl")
    assert told["counts"] == {"issue": 3, "landed": 0}


def test_an_open_window(loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """The archive of a window whose numbers don't add up says so to who makes it and to who scans it: exit code 3."""
    window = an_hour_ago()
    numbers = [loopback.issue(window.start), loopback.issue(window.start), loopback.issue(window.start)]
    changes.hide(loopback.upstream, numbers[1])
    done = typed("collect", "--window", window, "--output", "open.jsonl")
    assert done.code == 3
    assert f"GitHub denies #{numbers[1]}" in done.stdout
    scanned = typed("scan", "--archive", "open.jsonl", "--device", "cpu", ALIGNBOT_STATE=str(tmp_path / "elsewhere"))
    assert scanned.code == 3
    assert scanned.stdout.splitlines()[1].startswith("  open: 1 of its numbers can't be accounted for")


@pytest.mark.parametrize("operation", ["Heads", "Window", "Details"])
def test_refused(operation: str, loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """A window that can't be read to its end, details and all, makes no archive and leaves an older one as it is."""
    loopback.fill(DAY)
    loopback.defect(noon())
    (tmp_path / "day.jsonl").write_text("what was there\n", "utf-8")
    loopback.double.add(faults.status(418, "I am a teapot", operation=operation))
    done = typed("collect", "--window", DAY, "--output", "day.jsonl")
    assert done.code == 3
    assert "I am a teapot" in done.stdout
    assert "archive" not in done.stdout
    assert (tmp_path / "day.jsonl").read_text("utf-8") == "what was there\n"
    assert not (tmp_path / "day.window.json").exists()
    assert typed("collect", "--window", DAY, "--output", "day.jsonl").code == 0
    assert len((tmp_path / "day.jsonl").read_text("utf-8").splitlines()) == 4


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("day.json", "is no name of an archive: it ends in .jsonl, .jsonl.gz or .jsonl.zst"),
        ("day.jsonl.xz", "is no name of an archive"),
        ("folder.jsonl", "is a folder: name a file in it"),
        ("file/day.jsonl", "file can't be made: "),
        ("/proc/day.jsonl", "can't be written: "),
    ],
)
def test_no_place_for_it(output: str, told: str, loopback: Loopback, typed: Type, tmp_path: Path) -> None:
    """Where the archive can't be written, that is told in one line before GitHub is asked anything."""
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file").write_text("", "utf-8")
    done = typed("collect", "--window", DAY, "--output", output)
    assert (done.code, done.stdout, len(done.lines)) == (2, "", 1)
    assert told in done.lines[0]
    assert loopback.asked() == 0


@needs_bwrap
def test_full_disk(loopback: Loopback, alignbot: Alignbot, tmp_path: Path) -> None:
    """A disk without room is told in one line before GitHub is asked anything."""
    spare = tmp_path / "spare"
    spare.mkdir()
    filled = f'head -c 4096 /dev/zero >{spare}/much; exec "$@"'
    before = ("bwrap", "--dev-bind", "/", "/", "--size", "4096", "--tmpfs", str(spare), "sh", "-c", filled, "sh")
    output = spare / "day.jsonl.zst"
    variables = loopback.variables
    done = alignbot(
        "collect", "--window", str(DAY), "--output", output, state=tmp_path / "state", before=before, **variables
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "can't be written: No space left on device" in done.stderr
    assert loopback.asked() == 0
