"""What commit messages say by PyTorch's conventions, and what strangers' text in them must not say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.windows.landing import Reland, Revert, is_revert, landed, relands, reverted
from tests.work import calls

REPO = "pytorch/pytorch"
URL = "https://github.com/pytorch/pytorch/pull"
SHA = "0123456789abcdef0123456789abcdef01234567"
LAND = f"""[CUDA] Fix overflow in cumsum (#1200)

Fixes #1100

Pull Request resolved: {URL}/1200
Approved by: https://github.com/ngimel, https://github.com/eqy
ghstack dependencies: #1190, #1195

Co-authored-by: A B <a@b.org>
"""
BOT_REVERT = f"""Revert "[CUDA] Fix overflow in cumsum (#1200)"

This reverts commit {SHA}.

Reverted {URL}/1200 on behalf of https://github.com/huydhn due to it breaks ROCm ([comment]({URL}/1200#issuecomment-1))
"""
PULL_REVERT = f"""Revert "[CUDA] Fix overflow in cumsum (#1200)" (#1300)

This reverts commit {SHA}.

Pull Request resolved: {URL}/1300
Approved by: https://github.com/ngimel
"""
QUOTING_REVERT = f"""Revert "[CUDA] Fix overflow in cumsum"

This reverts commit {SHA}.

Original commit message:

Pull Request resolved: {URL}/1200
Approved by: https://github.com/ngimel
"""


@pytest.mark.parametrize(
    ("message", "pull"),
    [
        (LAND, 1200),
        (LAND.replace("\n", "\r\n"), 1200),
        (LAND.replace("pytorch/pytorch", "PyTorch/PYTORCH").replace("github.com", "GitHub.com"), 1200),
        (LAND.replace("/1200\n", "/1200/  \n"), 1200),
        (f"Quoted before\n\nPull Request resolved: {URL}/7\n\nPull Request resolved: {URL}/8\n", 8),
        (f"Summary\n\nSummary:\nPull Request resolved: {URL}/9\n\nTest Plan: CI", 9),
        ("Fix typo (#42)", 42),
        ("Fix #41 (#41) (#42)\n\nbody (#43)", 42),
        (f"Never closed (#5)\n\n```\nx\n\nPull Request resolved: {URL}/5\n", 5),
        (f"Quoted (#5)\n\n```\nPull Request resolved: {URL}/4\n```\n", 5),
        (f"Quoted (#5)\n\n~~~~\n```\nPull Request resolved: {URL}/4\n```\n~~~~\n", 5),
        (f"Indented (#5)\n\n    Pull Request resolved: {URL}/4\n> Pull Request resolved: {URL}/3\n", 5),
        (f"One line\n\nsee Pull Request resolved: {URL}/4\nPull Request resolved: {URL}/4 and more", None),
        (f"Separator\n\nx\u2028Pull Request resolved: {URL}/4\x0bPull Request resolved: {URL}/4", None),
        ("Elsewhere\n\nPull Request resolved: https://github.com/pytorch/vision/pull/4", None),
        ("Elsewhere\n\nPull Request resolved: https://github.com.evil.org/pytorch/pytorch/pull/4", None),
        ("Elsewhere\n\nPull Request resolved: https://evil.org/github.com/pytorch/pytorch/pull/4", None),
        (f"No number\n\nPull Request resolved: {URL}/0\nPull Request resolved: {URL}/١٢", None),
        (f"Too large\n\nPull Request resolved: {URL}/{'9' * 5000}", None),
        ("Mentions (#42) only", None),
        ("Glued(#42)", None),
        ("", None),
        (BOT_REVERT, None),
        (PULL_REVERT, 1300),
        (QUOTING_REVERT, None),
        (BOT_REVERT.replace("cumsum (#1200)", "cumsum") + f"\nPull Request resolved: {URL}/1200\n", None),
        ('Revert "Fix typo (#42)" (#43)\n\nReverts pytorch/pytorch#42', None),
        ('Revert "Cut off by somebody (#42)', None),
        (f'Reland "Fix typo (#42)" (#43)\n\nPull Request resolved: {URL}/43', 43),
        (f'Back out "Fix typo" (#43)\n\nSummary:\n\nPull Request resolved: {URL}/43', 43),
        (f'Revert "Revert "Fix (#1)" (#2)" (#3)\n\nPull Request resolved: {URL}/3', 3),
    ],
)
def test_landed(message: str, pull: int | None) -> None:
    """A commit lands the pull request of its own trailer or button, and none that it only quotes."""
    assert landed(message, REPO) == pull


@pytest.mark.parametrize(
    ("message", "revert"),
    [
        (BOT_REVERT, Revert(pull=1200, sha=SHA)),
        (PULL_REVERT, Revert(pull=1200, sha=SHA)),
        (QUOTING_REVERT, Revert(pull=None, sha=SHA)),
        (BOT_REVERT.replace("\n", "\r\n"), Revert(pull=1200, sha=SHA)),
        (BOT_REVERT.replace("cumsum (#1200)", "cumsum"), Revert(pull=1200, sha=SHA)),
        (BOT_REVERT + f"Reverted {URL}/666 on behalf of a stranger's reason\n", Revert(pull=1200, sha=SHA)),
        (BOT_REVERT.replace("pytorch/pytorch/pull/1200 on", "a/b/pull/666 on"), Revert(pull=1200, sha=SHA)),
        ('Back out "Fix typo (#42)" (#43)\n\nOriginal commit changeset: abc', Revert(pull=42)),
        ('Revert "Revert "Revert "Fix (#1)" (#2)" (#3)"', Revert(pull=3)),
        ('Revert "Reland "Fix (#1)" (#2)"', Revert(pull=2)),
        ('Revert "Fix"\n\nThis reverts commit HEAD~1 and others.', Revert()),
        ('Revert "Revert "Fix (#1)" (#2)"', None),
        (LAND + f"\nReverted {URL}/666 on behalf of nobody\n\nThis reverts commit {SHA}.\n", None),
        ("Reverting the order of strides (#42)", None),
        ("", None),
    ],
)
def test_reverted(message: str, revert: Revert | None) -> None:
    """A commit takes back what its headline quotes; the bot's line says which, a stranger's line does not."""
    assert reverted(message, REPO) == revert


@pytest.mark.parametrize(
    ("message", "reland"),
    [
        (f'Revert "Revert "Fix (#1)" (#2)"\n\nThis reverts commit {SHA}.', Reland(pull=1, revert=2, sha=SHA)),
        ('Revert "Revert "Fix" (#2)"', Reland(revert=2)),
        ('Back out "Revert "Fix (#1)""', Reland(pull=1)),
        ('Reland "Fix (#1)" (#3)', Reland(pull=1)),
        ("[reland] Fix (#3)", Reland()),
        ("[CUDA][Re-land] Fix #1 (#3)", Reland(pull=1)),
        ('Reapply "Fix (#1)" (#3)', Reland(pull=1)),
        ("Relanded: Fix (#3)", Reland()),
        ("Reapply weight decay after resume (#3)", None),
        ("Release 2.14 (#3)", None),
        ("Ireland (#3)", None),
        (BOT_REVERT, None),
        (LAND, None),
        ('Revert "[reland] Fix (#3)"', None),
    ],
)
def test_relands(message: str, reland: Reland | None) -> None:
    """A commit brings back what it says that it brings back; a revert of that does not."""
    assert relands(message) == reland


LINES = st.sampled_from([*LAND.split("\n"), *BOT_REVERT.split("\n"), "```", "> quoted", "", "\x00", "~~~~ x"])
MESSAGES = st.lists(LINES | st.text(max_size=30), max_size=12).map("\n".join)


@settings(deadline=None, derandomize=True, database=None)
@given(MESSAGES)
def test_never_both_taken_back_and_brought_back(message: str) -> None:
    """Any message is read without a fault, and none is a revert and a re-land."""
    assert landed(message, REPO) in (None, 1200)
    assert reverted(message, REPO) is None or relands(message) is None
    assert is_revert(message) == (reverted(message, REPO) is not None)


@settings(deadline=None, derandomize=True, database=None)
@given(MESSAGES, st.sampled_from(["    ", "> ", "\t", "* ", "+"]))
def test_quoted_messages_say_nothing(message: str, prefix: str) -> None:
    """Any message that is quoted or indented in the body of a landing changes nothing of what it says."""
    quoted = "\n".join(prefix + line for line in message.split("\n"))
    assert landed(f"Fix (#7)\n\n{quoted}\n\nPull Request resolved: {URL}/7\n", REPO) == 7
    assert landed(f"Fix (#7)\n\n{quoted}\n", REPO) == 7
    assert reverted(f"Fix (#7)\n\n{quoted}\n", REPO) is None


@pytest.mark.parametrize(
    "message",
    [
        'Revert "' * 100_000,
        "Fix" + " (#1)" * 100_000,
        "x\n" + f"Pull Request resolved: {URL}/1\n```\n" * 50_000,
        "x\n" + "Pull Request resolved: " + " " * 1_000_000 + "\n",
        "x\n" + f"Reverted {URL}/1 on behalf of\n" * 100_000,
        "x\n" + "This reverts commit " + "a" * 1_000_000,
        "x\n" + "`" * 1_000_000 + "\n" + "~" * 1_000_000,
        "\n" * 1_000_000,
        "re-" * 100_000 + "[" * 100_000,
    ],
    ids=range(9),
)
def test_a_hostile_message_is_work_that_grows_with_its_length(message: str) -> None:
    """A message of a megabyte is less than six calls a character, whatever it repeats."""
    for read in (landed, reverted, lambda text, _: relands(text)):
        assert calls(lambda read=read: read(message, REPO)) < 1_000 + 6 * len(message)
