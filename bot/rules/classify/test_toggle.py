"""Switching tests off and on says nothing about a kernel."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import all_files, claim

TOGGLE = Phrases(
    "disable*|re|reenable*|enable*|skip|skips|skipping|skipped|unskip* ..4 test|tests|ut|uts|test_*", "bug skip", "xfail*", "failed cases", "flaky", "skip unsupport*", "disable*|enable* test_*", "unstable",
)  # fmt: skip
REPAIRS = Phrases("fix", "fixes", "fixing", "correct", "bugfix", "repair*")
SWITCH = frozenset(("disabled", "unstable"))
STALE = Phrases(
    "upstream_ut", "nightly failure*|regression*", "test failure*|enablement", "tests failure*", "ut failure*",
    "failing test*|in ci", "test cases", "unit test*", "tests", "test", "test_*",
)  # fmt: skip
TESTS = re.compile(r"test/|torch/testing/")
LABELS = frozenset(("skipped", "module: flaky-tests", "unstable", "module: tests", "disabled-tests"))
SIGNALS = Signals(
    ItemClass.TEST_TOGGLE,
    Signal("verb", SWITCH, 5.0, "the title begins by switching a test", veto=True),
    Signal("title", TOGGLE, 6.0, "the title switches a test", veto=True, unless=REPAIRS),
    Signal("title", TOGGLE, 2.0, "the title switches a test and repairs something", only=REPAIRS),
    Signal("title", STALE, 1.5, "the title speaks of tests"),
    Signal("labels", LABELS, 1.5, "a label says that a test is off"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Veto toggles by title; pull requests that touch tests alone are probably the same."""
    yield from SIGNALS.claims(item)
    touched = all_files(item, TESTS)
    if touched:
        yield claim("only tests are changed", ItemClass.TEST_TOGGLE, 3.0, touched)
