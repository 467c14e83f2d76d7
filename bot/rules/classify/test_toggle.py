"""Switching tests off and on says nothing about a kernel."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import all_files, in_title, words

TOGGLE = re.compile(
    r"^\s*(?:DISABLED|UNSTABLE)\b|\b(?:dis|en|re-?en)abl(?:e|es|ed|ing)\s+(?:\S+\s+){0,4}tests?\b"
    r"|\b(?:un)?skip(?:s|ped|ping)?\s+(?:\S+\s+){0,4}(?:tests?|UTs?|test_\w+)\b"
    r"|\[Bug Skip\]|\bxfail\w*|\bfailed cases\b|\bflaky\b",
    re.IGNORECASE,
)
STALE = words(r"upstream_ut", r"nightly (?:failures?|regressions?)", r"tests? (?:failures?|enablement)")
TESTS = re.compile(r"test/|torch/testing/")


def rule(item: Item) -> Iterable[Claim]:
    """Veto toggles by title; pull requests that touch tests alone are probably the same."""
    toggled = in_title(item, TOGGLE)
    if toggled:
        yield Claim(
            why="the title switches a test", item_class=ItemClass.TEST_TOGGLE, veto=True, weight=4, span=toggled
        )
    stale = in_title(item, STALE)
    if stale:
        yield Claim(why="the title lists test failures", item_class=ItemClass.TEST_TOGGLE, weight=2.5, span=stale)
    touched = all_files(item, TESTS)
    if touched:
        yield Claim(why="only tests are changed", item_class=ItemClass.TEST_TOGGLE, weight=3, span=touched)
