"""Every case of the exit: what comes out, and that GitHub's own parser finds nothing in it that pings or refers."""

from pathlib import Path

import pytest

from bot.sanitising import Sanitised, sanitise
from tests.exit_rules import RULES, may_refer
from tests.laws import files, text_of
from tests.referee import faults

QUIET = "upstream: no-backlink\n=== body ===\n"
LEAVES = "=== leaves ===\n"
PATHS = files("exit", "md")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """Just what the file says leaves; the referee finds no fault; a second time nothing happens."""
    text = text_of(path)
    rules = RULES.model_copy(update={"upstream_reference": "no-backlink"}) if text.startswith(QUIET) else RULES
    body, changed, leaves = text.removeprefix(QUIET).partition(LEAVES)
    told = sanitise(body, rules)
    assert told.body == (leaves if changed else body)
    assert bool(told.changes) == bool(changed)
    assert faults(told.body, *may_refer(rules)) == []
    assert sanitise(told.body, rules) == Sanitised(body=told.body)


def test_a_third_of_the_cases_says_that_nothing_happens() -> None:
    """There are at least forty cases, and a third of them leaves as it came."""
    same = [path for path in PATHS if LEAVES not in path.read_text("utf-8")]
    assert len(PATHS) >= 40
    assert len(same) * 3 >= len(PATHS)
