"""The short way into `analyze`: what it understands, what it leaves to typer, and when files are not read again."""

import os
from pathlib import Path

import pytest
import typer

from bot.cli import quick
from bot.cli.analysis import answer
from bot.cli.commands import app
from bot.edges.stat_cache import SETTLED_NS, StatCache
from bot.errors import InputError

LONG_AGO_NS = 1_700_000_000 * 10**9


def test_it_knows_every_option_that_typer_knows() -> None:
    """An option that is added to the one and not to the other would be slow and nobody would see why."""
    command = typer.main.get_command(app).commands[quick.COMMAND]  # type: ignore[attr-defined]
    known = {name for one in command.params for name in one.opts + one.secondary_opts if name != "--no-json"}
    assert known - {"--help", "--no-all"} == {*quick.FLAGS, *quick.TEXTS, *quick.LISTS, *quick.PATHS}


def test_a_plain_command_line_is_understood() -> None:
    """Flags, texts, paths and options that may be repeated, in any order; of two that may not the last counts."""
    line = ["analyze", "--json", "--op", "a", "--target-source", "x", "--op", "b", "--target-source", "y", "--all"]
    assert quick.asked(line) == {"json": True, "ops": ["a", "b"], "target": Path("y"), "everything": True}


def test_a_commit_in_the_place_of_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It goes the short way too, and what is wrong with it is one line, not a fault of ours."""
    monkeypatch.setenv("ALIGNBOT_STATE", str(tmp_path))
    asked = quick.asked(["analyze", "--target-commit", "abc", "--json"])
    assert asked == {"commit": "abc", "json": True}
    with pytest.raises(InputError, match="no full commit"):
        answer(**asked)
    with pytest.raises(InputError, match="no target profile for 'nonsense'"):
        answer(**asked, device="nonsense")


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["scan", "--target-source", "x"],
        ["analyze"],
        ["analyze", "--json"],
        ["analyze", "--help"],
        ["analyze", "--target-source"],
        ["analyze", "--target-source", "-x"],
        ["analyze", "--target-source=x"],
        ["analyze", "--target-source", ""],
        ["analyze", "--target-source", "x", "y"],
        ["analyze", "--target-source", "x", "--no-such", "y"],
    ],
)
def test_whatever_else_is_left_to_typer(line: list[str]) -> None:
    """Help, mistakes and other ways of writing get typer's own answer."""
    assert quick.asked(line) is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files that were last touched long ago, as far as their content goes."""
    for name in ("a.cpp", "b.cpp"):
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, ns=(LONG_AGO_NS, LONG_AGO_NS))
    return tmp_path


def kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> StatCache:
    """A cache that remembers both files, at a moment when they are old enough."""
    cache = StatCache(folder / "memory", folder)
    stamps = cache.stamps(["a.cpp", "b.cpp"])
    later = max(one[2] for one in stamps.values()) + 2 * SETTLED_NS
    monkeypatch.setattr("time.time_ns", lambda: later)
    cache.keep(stamps, {"a.cpp": "1", "b.cpp": "2"})
    return cache


def test_files_that_did_not_change_need_no_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All digests or none: of other paths, and of fewer, nothing is known."""
    cache = kept(folder, monkeypatch)
    assert cache.digests(cache.stamps(["a.cpp", "b.cpp"])) == {"a.cpp": "1", "b.cpp": "2"}
    assert cache.digests(cache.stamps(["a.cpp"])) is None
    assert StatCache(folder / "memory", folder / "other").digests({}) is None


def test_a_change_of_the_same_length_at_the_same_time_is_seen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sets the time back after writing changes the file's other time, and who replaces a file its inode."""
    for change in (lambda path: path.write_text("other"), lambda path: (path.unlink(), path.write_text("a.cpp"))):
        cache = kept(folder, monkeypatch)
        change(folder / "a.cpp")
        os.utime(folder / "a.cpp", ns=(LONG_AGO_NS, LONG_AGO_NS))
        assert cache.digests(cache.stamps(["a.cpp", "b.cpp"])) is None


def test_what_was_touched_just_now_is_not_remembered(folder: Path) -> None:
    """A second change within the same tick of the file system's clock would go unseen."""
    cache = StatCache(folder / "memory", folder)
    stamps = cache.stamps(["a.cpp", "b.cpp"])
    cache.keep(stamps, {"a.cpp": "1", "b.cpp": "2"})
    assert cache.digests(stamps) is None


def test_a_broken_memory_is_no_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in its file, the answer is that nothing is known."""
    cache = kept(folder, monkeypatch)
    stamps = cache.stamps(["a.cpp", "b.cpp"])
    for content in (b"", b"\xff", b"[]", b"{}", b'{"stamps": 1, "digests": 2}'):
        for path in (folder / "memory").iterdir():
            path.write_bytes(content)
        assert cache.digests(stamps) is None
