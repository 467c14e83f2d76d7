"""The switch: a file or a variable stops all writing, and what is not understood stops it too."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import InputError
from tests.filing.desk import Time, stop_file

HOUR = timedelta(hours=1)


def test_nothing_stops_by_itself(tmp_path: Path) -> None:
    """Neither a state folder that is not there yet, nor an empty variable."""
    for value in ("", "0"):
        assert stop_file(tmp_path / "none", Time(), ALIGNBOT_STOP=value).why() is None


@pytest.mark.parametrize("value", ["1", "yes", "false", " "])
def test_the_variable_stops(value: str, tmp_path: Path) -> None:
    """Whatever it says; only empty and 0 do not."""
    switch = stop_file(tmp_path, Time(), ALIGNBOT_STOP=value)
    assert "ALIGNBOT_STOP" in str(switch.why())
    assert "ALIGNBOT_STOP" in str(switch.resume())


def test_paused_and_resumed(tmp_path: Path) -> None:
    """With the reason, for everybody who looks at the folder; resumed twice is resumed."""
    time = Time()
    stop_file(tmp_path / "state", time).halt("a release")
    assert str(stop_file(tmp_path / "state", time).why()).endswith("STOP: a release")
    for _ in range(2):
        assert stop_file(tmp_path / "state", time).resume() is None


def test_paused_for_a_time(tmp_path: Path) -> None:
    """Until its end and not after."""
    time = Time()
    switch = stop_file(tmp_path, time)
    switch.halt("", 2 * HOUR)
    assert "until 2026-11-12T14:00:00Z" in str(switch.why())
    time.advance(2 * HOUR - timedelta(seconds=1))
    assert switch.why()
    time.advance(timedelta(seconds=1))
    assert switch.why() is None


@pytest.mark.parametrize(
    "text",
    [
        "", "stop!", "[]", '{"until": "2020-01-01T00:00:00Z"}', '{"reason": "r", "until": "soon"}',
        '{"reason": "r", "until": 5}', '{"reason": "r", "until": "2020-01-01T00:00:00"}',
    ],
)  # fmt: skip
def test_a_file_that_anybody_made_stops(text: str, tmp_path: Path) -> None:
    """`touch STOP` is enough; an end that is not understood is none."""
    (tmp_path / "STOP").write_text(text, "utf-8")
    assert stop_file(tmp_path, Time()).why()


def test_a_file_that_can_not_be_read_stops(tmp_path: Path) -> None:
    """No text, or no file: it is there."""
    (tmp_path / "STOP").write_bytes(b"\xff")
    assert "can't be read" in str(stop_file(tmp_path, Time()).why())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "STOP").mkdir()
    switch = stop_file(tmp_path / "other", Time())
    assert "can't be read" in str(switch.why())
    with pytest.raises(InputError, match="can't be removed"):
        switch.resume()


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    """One line."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="set ALIGNBOT_STATE"):
        stop_file(tmp_path / "file" / "state", Time()).halt("x")


def test_what_the_file_says(tmp_path: Path) -> None:
    """Reason, beginning, end."""
    stop_file(tmp_path, Time()).halt("why", HOUR)
    assert json.loads((tmp_path / "STOP").read_text("utf-8")) == {
        "reason": "why", "since": "2026-11-12T12:00:00Z", "until": "2026-11-12T13:00:00Z",
    }  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["STOP"]


@pytest.mark.parametrize("text", ['{"reason": "a\\u001b[2J\\nb", "since": "", "until": null}', "a\x1b[2J\nb"])
def test_a_reason_is_a_line(text: str, tmp_path: Path) -> None:
    """Whoever wrote the file, what is told of it is one line without anything that a terminal obeys."""
    (tmp_path / "STOP").write_text(text)
    why = stop_file(tmp_path, Time()).why()
    assert why is not None
    assert why.endswith(": a?[2J b")


def test_a_reason_that_is_no_text(tmp_path: Path) -> None:
    """Bytes of a command line that are no UTF-8 stop all the same."""
    switch = stop_file(tmp_path, Time())
    switch.halt("\udcff")
    assert "writing is stopped" in str(switch.why())
