"""The corpus: scripts whose findings are known, scripts without any, and scripts that look whether they are watched."""

from pathlib import Path

import pytest

from .conftest import alone, names, observe, text

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("case", names("wrong"))
def test_wrong(case: str, tmp_path: Path) -> None:
    """Exactly the findings in the script's first lines, and the control is right in every one of them."""
    script = text(case)
    expected = [line.removeprefix("# off: ") for line in script.splitlines() if line.startswith("# off: ")]
    seen = observe(script, tmp_path)
    assert (seen.exit_code, seen.end["raised"]) == (0, None), seen.stderr
    found = [f"{one['op']} {one['dtype']} {one['kind']} {one['output']}" for one in seen.divergences]
    assert sorted(found) == sorted(expected)
    assert all(one["control"]["exact"] for one in seen.divergences)
    assert not [reason for reason in seen.end["unchecked"] if reason.startswith("observer")]


@pytest.mark.parametrize("case", names("right"))
def test_right(case: str, tmp_path: Path) -> None:
    """No finding, no failure of the observer, and as many calls checked as the script's first line promises."""
    script = text(case)
    seen = observe(script, tmp_path)
    assert (seen.exit_code, seen.end["raised"]) == (0, None), seen.stderr
    assert seen.divergences == []
    assert seen.end["checked"] >= int(script.splitlines()[0].removeprefix("# checked: "))
    assert not [reason for reason in seen.end["unchecked"] if reason.startswith("observer")]


@pytest.mark.parametrize("case", names("alike"))
def test_alike(case: str, tmp_path: Path) -> None:
    """Output, errors, random numbers and exit code are byte for byte those of the script run alone.

    The account has one end, its last event, unless the process was gone at once.
    """
    script = text(case)
    seen, same = observe(script, tmp_path), alone(script, tmp_path)
    assert seen.stdout == same.stdout
    assert seen.stderr == same.stderr
    assert seen.exit_code == same.exit_code
    ends = [place for place, event in enumerate(seen.events, 1) if event["event"] == "end"]
    assert ends == ([] if "os._exit" in script else [len(seen.events)])
