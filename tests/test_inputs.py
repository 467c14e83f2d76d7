"""Bad input: one clear line, exit code 2, nothing half written, nothing lost."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import zstandard

from bot.edges.archive import Archive, read_items
from bot.edges.lock import only_one
from bot.edges.outputs import write_all
from bot.errors import InputError
from bot.model import Item, Window
from bot.registry import rules
from bot.resources import resource
from bot.stages.classify import classify
from tests.conftest import Alignbot, needs_bwrap, one_line

COMMIT = '{"repo": "pytorch/pytorch", "number": "0123abc", "kind": "commit", "title": "a title"}'
GOOD = '{"repo": "pytorch/pytorch", "number": 1, "kind": "issue", "title": "a title"}'


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([GOOD, '{"repo": "pytorch/pytorch",'], "line 2: no JSON"),
        ([GOOD, "[]"], "line 2: an item is a JSON object"),
        (['{"repo": "r/r", "number": 1, "kind": "issue"}'], "line 1: title: Field required"),
        ([GOOD.replace("1", "0")], "line 1: item: Value error, number must be a positive whole number"),
        ([GOOD.replace("1", "1" * 200)], "line 1: item: Value error, number must be a positive whole number"),
        ([GOOD.replace("issue", "letter")], "line 1: kind: Input should be 'issue', 'pull' or 'commit'"),
        ([GOOD[:-1] + ', "created_at": "2026-11-11"}'], "line 1: created_at"),
        (["[" * 100_000], "line 1: no JSON"),
        ([GOOD, GOOD.replace("pytorch/pytorch", "../..")], "line 2: repo: Value error, a repository is OWNER/NAME"),
        ([GOOD.replace("pytorch/pytorch", "a/b/c")], "line 1: repo: Value error, a repository is OWNER/NAME"),
        ([COMMIT.replace("0123abc", "../../x")], "line 1: item: Value error, number must be the sha of a commit"),
        ([COMMIT.replace('"0123abc"', "1234567")], "line 1: item: Value error, number must be the sha of a commit"),
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
        (["scan", "--window", "2026-11-11"], "GitHub is not read without a token"),
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


def test_heads_are_commits(tmp_path: Path) -> None:
    """A window file's heads are hexadecimal or null; anything else is told with its field."""
    for head, fits in (("f" * 40, True), (None, True), ("../../x", False), ("F" * 40, False)):
        manifest = {"window": "2026-11-11", "heads": {"upstream": head}}
        (tmp_path / "items.window.json").write_text(json.dumps(manifest), "utf-8")
        if fits:
            assert Archive(tmp_path / "items.jsonl").heads().upstream == head
        else:
            with pytest.raises(
                InputError, match=r"is no window file: heads\.upstream: Value error, a commit is 7 to 64"
            ):
                Archive(tmp_path / "items.jsonl")


@pytest.mark.parametrize("name", ["../x.txt", "logs/../../x.txt", "/x.txt", "link/x.txt", "", "logs/.."])
def test_no_file_leaves_its_folder(name: str, tmp_path: Path) -> None:
    """A name that leads out of the output folder, by dots, as a whole path or through a link, stops all writing."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "link").symlink_to(tmp_path)
    with pytest.raises(InputError, match="leads out of"):
        write_all(out, {"a.txt": "first", name: "second"})
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "link"]


def test_what_an_earlier_scan_left_is_removed(tmp_path: Path) -> None:
    """Drafts, reproducers and logs that this scan did not write go, and a killed run's staging; nothing else does."""
    gone = (f"drafts/{'a' * 16}.md", f"reproducers/{'a' * 16}.py", "logs/7.1.stdout.txt", ".alignbot-staging/0")
    kept = (f"drafts/{'b' * 16}.md", "drafts/mine.md", f"drafts/{'a' * 15}.md", "logs/x.log", "notes.txt", "mine/1.txt")
    for name in (*gone, *kept):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("of old", "utf-8")
    write_all(tmp_path, {kept[0]: "new", "report.md": "new"})
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {*kept, "report.md"}
    assert (tmp_path / kept[0]).read_text("utf-8") == "new"
    assert not (tmp_path / ".alignbot-staging").exists()


class Interrupting(Mapping[str, str]):
    """Texts of which the second is never there."""

    def __getitem__(self, name: str) -> str:
        """The first, then an interrupt."""
        if name == "b.txt":
            raise KeyboardInterrupt
        return "first"

    def __iter__(self) -> Iterator[str]:
        """Two names."""
        return iter(("a.txt", "b.txt"))

    def __len__(self) -> int:
        """Two."""
        return 2


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl-C while files are written: no staging, no file, no folder that was made for them."""
    with pytest.raises(KeyboardInterrupt):
        write_all(tmp_path / "deep" / "out", Interrupting())
    assert list(tmp_path.iterdir()) == []


def test_half_renamed_is_said(tmp_path: Path) -> None:
    """When a rename fails after another has succeeded, the error doesn't claim that nothing was changed."""
    out = tmp_path / "out"
    code = (
        "import pathlib, sys\nfrom bot.edges.outputs import write_all\n"
        "def refuse(name, arguments):\n"
        "    if name == 'os.rename' and str(arguments[1]).endswith('b.txt'):\n"
        "        raise OSError(5, 'Input/output error')\n"
        "sys.addaudithook(refuse)\n"
        "write_all(pathlib.Path(sys.argv[1]), {'a.txt': 'new', 'b.txt': 'new'})\n"
    )
    done = subprocess.run([sys.executable, "-c", code, out], capture_output=True, text=True, check=False)
    assert "Input/output error; it may be partly new: scan again" in done.stderr
    assert [path.name for path in out.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("filler", [b"\0", b"[", b'{"a":'])
def test_bombs(pack: Callable[[bytes], bytes], filler: bytes, tmp_path: Path) -> None:
    """A few kilobytes that unpack to hundreds of megabytes are an error of one line, within a gigabyte of memory."""
    path = tmp_path / ("items.jsonl.gz" if pack is gzip.compress else "items.jsonl.zst")
    path.write_bytes(pack(filler * ((300 << 20) // len(filler))))
    code = (
        "import resource, sys, pathlib\nfrom bot.edges.archive import read_items\nfrom bot.errors import InputError\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "try:\n    list(read_items(pathlib.Path(sys.argv[1])))\n"
        "except InputError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert "line 1: longer than 64 MiB" in done.stdout
    assert len(done.stdout.splitlines()) == 1


def test_a_body_of_fifty_megabytes(tmp_path: Path) -> None:
    """One endless body is classified and chained in seconds."""
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({**json.loads(GOOD), "kind": "pull", "body": "fixes: " * (7 << 20)}) + "\n", "utf-8")
    began = time.monotonic()
    (ruling,) = classify(list(read_items(path)), rules("classify"))
    assert not ruling.candidate
    assert time.monotonic() - began < 30


def test_an_error_inside_the_lock_is_its_own(tmp_path: Path) -> None:
    """A BlockingIOError of the scan itself, from a full pipe, isn't told as another scan."""
    with pytest.raises(BlockingIOError, match="stderr"), only_one(tmp_path):
        raise BlockingIOError(11, "stderr is full")
    with only_one(tmp_path), pytest.raises(InputError, match=rf"another scan \(process {os.getpid()}\)"):  # noqa: SIM117
        with only_one(tmp_path):
            pass


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
