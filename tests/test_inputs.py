"""Bad input: one clear line, exit code 2, nothing half written, nothing lost."""

import gzip
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import zstandard

from bot.edges.archive import Archive, read_items
from bot.edges.outputs import write_all
from bot.errors import InputError
from bot.model import Item, Window
from bot.resources import resource
from tests.conftest import Alignbot, needs_bwrap, one_line

GOOD = '{"repo": "pytorch/pytorch", "number": 1, "kind": "issue", "title": "a title"}'


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([GOOD, '{"repo": "pytorch/pytorch",'], "line 2: no JSON"),
        ([GOOD, "[]"], "line 2: an item is a JSON object"),
        (['{"repo": "r/r", "number": 1, "kind": "issue"}'], "line 1: title: Field required"),
        ([GOOD.replace("1", "0")], "line 1: item: Value error, number must be a positive whole number"),
        ([GOOD.replace("issue", "letter")], "line 1: kind: Input should be 'issue', 'pull' or 'commit'"),
        ([GOOD[:-1] + ', "created_at": "2026-11-11"}'], "line 1: created_at"),
        (["[" * 100_000], "line 1: no JSON"),
    ],
)
def test_malformed_items(lines: list[str], told: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """A malformed line is named with file and line, by `classify` and by `scan`, and nothing is written."""
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert f"{path}, {told}" in one_line(alignbot("classify", path, state=tmp_path / "state"))
    out = tmp_path / "out"
    done = alignbot(
        "scan", "--archive", path, "--window", "2026-11-11", "--device", "cpu", "--out", out, state=tmp_path / "state"
    )
    assert f"{path}, {told}" in one_line(done)
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["scan"], "say what to scan"),
        (["scan", "--window", "2026-11-11"], "give --archive FILE or --sample"),
        (["scan", "--sample", "--window", "2026-11-10"], "leave --window out"),
        (["scan", "--sample", "--window", "2026-13-45"], "'2026-13-45' is no window"),
        (["scan", "--sample", "--window", "2026-11-12/2026-11-11"], "its end is not after its start"),
        (["scan", "--sample", "--window", "2026-11-11T00:00:00/2026-11-12"], "no time zone"),
        (["scan", "--sample", "--window", "9999-12-31"], "is no window"),
        (["scan", "--sample", "--device", "tpu"], "no target profile for 'tpu'; there are cpu, cuda, mps, xpu"),
        (["scan", "--sample", "--archive", "x.jsonl"], "leave --archive out"),
        (["scan", "--archive", "absent.jsonl", "--window", "2026-11-11"], "absent.jsonl: no such file"),
        (["scan", "--nonsense"], "alignbot scan --help"),
        (["classify", "absent.jsonl"], "absent.jsonl: no such file"),
        (["extract"], "give either a Markdown file"),
        (["extract", "absent.md"], "absent.md can't be read"),
        (["port", "absent.py"], "absent.py can't be read"),
        (["run", "absent.py", "--device", "cpu"], "absent.py can't be read"),
        (["run", "absent.py", "--repeat", "0"], "alignbot run --help"),
        (["nonsense"], "No such command 'nonsense'"),
        (["findings", "show"], "alignbot findings show --help"),
    ],
)
def test_wrong_words_are_one_line(arguments: list[str], told: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """What can't be meant is told in one line that says what to do, with exit code 2."""
    assert told in one_line(alignbot(*arguments, state=tmp_path / "state"))


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_archives_in_each_form(suffix: str, tmp_path: Path) -> None:
    """Plain, gzip and zstandard archives hold the same items; a cut one is an InputError, not half a list."""
    content = (resource("sample") / "2026-11-11.jsonl").read_bytes()
    packed = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[suffix](content)
    path = tmp_path / f"items.jsonl{suffix}"
    path.write_bytes(packed)
    assert len(list(read_items(path))) == 18
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(InputError, match=r"items\.jsonl"):
        list(read_items(path))


def test_archive_that_lost_items(tmp_path: Path) -> None:
    """An archive that holds fewer items than its window file promises is refused."""
    for path in resource("sample").glob("2026*"):
        shutil.copy(path, tmp_path)
    path = tmp_path / "2026-11-11.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8")
    with pytest.raises(InputError, match="its window file promises"):
        list(Archive(path).items())


def test_window_of_a_larger_archive(tmp_path: Path) -> None:
    """Without a window file the window chooses: half-open, boundary items once, linked items with them."""
    rows = [
        {"number": 1, "created_at": "2026-11-10T23:59:59Z"},
        {"number": 2, "created_at": "2026-11-11T00:00:00Z", "links": [{"kind": "fixes", "repo": "a/b", "number": 1}]},
        {"number": 3, "created_at": "2026-11-11T23:59:59.999Z"},
        {"number": 4, "created_at": "2026-11-12T00:00:00Z"},
        {"number": 5, "created_at": "2026-11-12T01:00:00+02:00"},
        {
            "number": 6,
            "created_at": "2026-10-01T00:00:00Z",
            "closed_at": "2026-11-11T12:00:00Z",
            "landed_sha": "f" * 40,
        },
        {"number": 7, "created_at": "2026-10-01T00:00:00Z", "closed_at": "2026-11-11T12:00:00Z"},
    ]
    path = tmp_path / "all.jsonl"
    path.write_text(
        "".join(json.dumps({"repo": "a/b", "kind": "pull", "title": "t", **row}) + "\n" for row in rows), "utf-8"
    )

    def numbers(day: str) -> list[int | str]:
        return [item.number for item in Archive(path, Window.parse(day)).items()]

    assert numbers("2026-11-11") == [1, 2, 3, 5, 6]
    assert numbers("2026-11-12") == [4]
    assert numbers("2026-11-10") == [1]


def test_null_fields_are_missing_fields() -> None:
    """GitHub's null body is an empty body; unknown fields are ignored."""
    item = Item.model_validate({**json.loads(GOOD), "body": None, "labels": None, "reactions": {"+1": 3}})
    assert (item.body, item.labels) == ("", ())


def test_output_folder_that_is_a_file(alignbot: Alignbot, tmp_path: Path) -> None:
    """An --out that can't be a folder is told before anything runs."""
    (tmp_path / "file").write_text("kept", "utf-8")
    done = alignbot("scan", "--sample", "--device", "cpu", "--out", tmp_path / "file", state=tmp_path / "state")
    assert "can't be written" in one_line(done)
    assert (tmp_path / "file").read_text("utf-8") == "kept"


def _spare(tmp_path: Path, *mounts: str) -> tuple[str, ...]:
    """A command prefix that runs in a mount namespace of its own, so that root too meets a full or read-only disk."""
    (tmp_path / "spare").mkdir()
    return ("bwrap", "--dev-bind", "/", "/", *(mount.replace("SPARE", str(tmp_path / "spare")) for mount in mounts))


@needs_bwrap
@pytest.mark.parametrize("place", ["out", "state"])
def test_read_only_folder(place: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """A read-only output or state folder is one line that says what to set."""
    before = _spare(tmp_path, "--ro-bind", "SPARE", "SPARE")
    out = tmp_path / ("spare" if place == "out" else "out")
    state = tmp_path / ("spare" if place == "state" else "state")
    done = alignbot("scan", "--sample", "--device", "cpu", "--out", out, state=state, before=before)
    assert "can't be written: Read-only file system" in one_line(done)


@needs_bwrap
@pytest.mark.parametrize("place", ["out", "state"])
def test_full_disk(place: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """A disk that fills up is told in one line; no file is left half written."""
    before = _spare(tmp_path, "--size", "40960", "--tmpfs", "SPARE")
    spare, other = tmp_path / "spare" / "here", tmp_path / "other"
    out, state = (spare, other) if place == "out" else (other, spare)
    path = tmp_path / "items.jsonl"
    noise = {"repo": "a/b", "kind": "issue", "title": "[docs] " + "x" * 500, "body": "y" * 2000}
    path.write_text("".join(json.dumps({**noise, "number": number}) + "\n" for number in range(1, 200)), "utf-8")
    arguments = ["scan", "--archive", path, "--window", "2026-11-11", "--device", "cpu", "--out", out]
    listing = ("sh", "-c", f'"$@"; code=$?; ls -A {out} >{tmp_path}/left 2>/dev/null; exit $code', "sh")
    done = alignbot(*arguments, state=state, before=(*before, *listing))
    told = done.stderr.splitlines()[-1]
    assert done.returncode == 2
    assert told.startswith("alignbot: ")
    assert any(word in told for word in ("No space left", "full"))
    assert (tmp_path / "left").read_text("utf-8") == ""


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    """When one of several files can't be placed, none of the others is changed."""
    write_all(tmp_path, {"a.txt": "first", "b/c.txt": "first"})
    (tmp_path / "blocked").write_text("a file where a folder is needed", "utf-8")
    with pytest.raises(InputError, match="nothing was changed"):
        write_all(tmp_path, {"a.txt": "second", "blocked/d.txt": "second"})
    assert (tmp_path / "a.txt").read_text("utf-8") == "first"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b", "blocked"]


def test_two_scans_at_once(alignbot: Alignbot, tmp_path: Path) -> None:
    """A second scan on the same state folder is refused while the first one holds it."""
    state = tmp_path / "state"
    state.mkdir()
    holder = subprocess.Popen(["flock", str(state / "scan.lock"), "sleep", "60"], start_new_session=True)
    try:
        while not (state / "scan.lock").exists():
            os.sched_yield()
        done = alignbot("scan", "--sample", "--device", "cpu", "--out", tmp_path / "out", state=state)
        assert "another scan" in one_line(done)
    finally:
        os.killpg(holder.pid, 9)
        holder.wait()
