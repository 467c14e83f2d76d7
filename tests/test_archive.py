"""Archives: what is written is read again, the same bytes for the same items, and damage is told."""

import json
import os
import threading
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.edges.archive import Archive, read_items, write_archive
from bot.errors import InputError
from bot.model import ChangedFile, Comment, FrozenHeads, Item, ItemKind, ItemState, Link, Reading
from tests.sample_line import WINDOW, sample

FORMS = (".jsonl", ".jsonl.gz", ".jsonl.zst")
NAMES = st.text(max_size=9)
TIMES = st.none() | st.datetimes(timezones=st.just(UTC))
COUNTS = st.integers(0, 9)
TOLD = {
    "repo": st.sampled_from(("pytorch/pytorch", "intel/torch-xpu-ops")),
    "title": NAMES,
    "body": st.text(),
    "labels": st.lists(NAMES, max_size=2).map(tuple),
    "state": st.sampled_from(ItemState),
    "author": NAMES,
    "author_association": NAMES,
    **dict.fromkeys(("created_at", "updated_at", "closed_at", "merged_at"), TIMES),
    **dict.fromkeys(("url", "base_ref", "head_ref", "head_sha", "landed_sha"), st.none() | NAMES),
    "files": st.lists(
        st.builds(ChangedFile, path=NAMES, additions=COUNTS, deletions=COUNTS, patch=st.none() | NAMES), max_size=2
    ).map(tuple),
    "comments": st.lists(
        st.builds(Comment, author=NAMES, author_association=NAMES, created_at=TIMES, body=NAMES), max_size=2
    ).map(tuple),
    "links": st.lists(st.builds(Link, kind=NAMES, repo=NAMES, number=COUNTS), max_size=2).map(tuple),
}
THREADS = st.builds(
    Item, kind=st.sampled_from((ItemKind.ISSUE, ItemKind.PULL)), number=st.integers(1, 10**12 - 1), **TOLD
)
COMMITS = st.builds(Item, kind=st.just(ItemKind.COMMIT), number=st.from_regex(r"\A[0-9a-f]{7,64}\Z"), **TOLD)
ITEMS = st.lists(THREADS | COMMITS, max_size=4, unique_by=lambda item: item.key)
LINE = {"repo": "a/b", "number": 1, "kind": "issue", "title": "first"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all that Hypothesis writes."""
    return tmp_path_factory.mktemp("archives")


@pytest.mark.parametrize("form", FORMS)
@settings(deadline=None, derandomize=True, database=None)
@given(items=ITEMS)
def test_what_is_written_is_read(folder: Path, form: str, items: list[Item]) -> None:
    """Any items come back equal, by themselves and through the window file, and written again are the same bytes."""
    path = folder / f"items{form}"
    write_archive(path, items, None, WINDOW, FrozenHeads())
    assert list(read_items(path)) == items
    assert list(Archive(path).items()) == items
    written = path.read_bytes()
    write_archive(path, read_items(path), None, WINDOW, FrozenHeads())
    assert path.read_bytes() == written


def test_the_window_file(tmp_path: Path) -> None:
    """It tells window, heads, counts, digest and reading, as they were given."""
    heads = FrozenHeads(upstream="1" * 40)
    reading = Reading(window=WINDOW, heads=heads, opened_at=WINDOW.end, why="not proven")
    path = tmp_path / "2026-11-11.jsonl.zst"
    write_archive(path, sample().items(), reading, WINDOW, heads)
    archive = Archive(path)
    assert (archive.window, archive.heads(), archive.reading()) == (WINDOW, heads, reading)
    told = json.loads((tmp_path / "2026-11-11.window.json").read_text("utf-8"))
    assert told["counts"] == {"issue": 10, "pull": 8}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2026-11-11.jsonl.zst", "2026-11-11.window.json"]
    kept = list(archive.items())
    assert list(archive.details(kept)) == kept


def test_another_file_than_was_written(tmp_path: Path) -> None:
    """An archive that was changed since is refused, also where its counts still fit."""
    path = tmp_path / "items.jsonl"
    write_archive(path, [Item.model_validate(LINE)], None, WINDOW, FrozenHeads())
    path.write_text(path.read_text("utf-8").replace("first", "other"), "utf-8")
    with pytest.raises(InputError, match=r"items\.jsonl is not the file that its window file speaks of"):
        list(Archive(path).items())


@pytest.mark.parametrize("name", ["items.json", "items.gz", "items.jsonl.xz", "items"])
def test_names_that_are_no_archives(name: str, tmp_path: Path) -> None:
    """Only what can be read back is written."""
    with pytest.raises(InputError, match=r"ends in \.jsonl, \.jsonl\.gz or \.jsonl\.zst"):
        write_archive(tmp_path / name, [], None, WINDOW, FrozenHeads())
    assert list(tmp_path.iterdir()) == []


def test_writing_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    """When the items break off, archive and window file stay as they were, and nothing lies beside them."""
    path = tmp_path / "items.jsonl.gz"
    write_archive(path, sample().items(), None, WINDOW, FrozenHeads())
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps(LINE) + "\n[]\n", "utf-8")
    with pytest.raises(InputError, match="line 2"):
        write_archive(path, read_items(broken), None, WINDOW, FrozenHeads())
    broken.unlink()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    with pytest.raises(InputError, match="can't be written: No such file or directory"):
        write_archive(tmp_path / "absent" / "items.jsonl", [], None, WINDOW, FrozenHeads())


def test_of_two_lines_the_later_counts(tmp_path: Path) -> None:
    """An item that stands twice is given once, as the later line tells it, also where only that is of the window."""
    path = tmp_path / "items.jsonl"
    link = {"kind": "fixes", "repo": "a/b", "number": 2}
    old, new = "2026-10-01T00:00:00Z", "2026-11-11T12:00:00Z"
    lines = (
        {**LINE, "created_at": new, "links": [link]},
        {**LINE, "number": 2, "created_at": old},
        {**LINE, "number": 3, "created_at": old},
        {**LINE, "created_at": old, "title": "later"},
        {**LINE, "number": 3, "created_at": new},
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert [item.number for item in Archive(path, WINDOW).items()] == [3]
    manifest = {"window": str(WINDOW), "counts": {"issue": 3}}
    (tmp_path / "items.window.json").write_text(json.dumps(manifest), "utf-8")
    assert [(item.number, item.title) for item in Archive(path).items()] == [(2, "first"), (1, "later"), (3, "first")]


def test_an_archive_from_a_pipe(tmp_path: Path) -> None:
    """A pipe can be read once only; its items are all there nevertheless, and errors name it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def told(*lines: str) -> list[Item]:
        writer = threading.Thread(target=pipe.write_text, args=("".join(line + "\n" for line in lines),))
        writer.start()
        try:
            return list(Archive(pipe, WINDOW).items())
        finally:
            writer.join()

    assert told(json.dumps(LINE)) == [Item.model_validate(LINE)]
    with pytest.raises(InputError, match=f"^{pipe}, line 2: an item is a JSON object"):
        told(json.dumps(LINE), "[]")
