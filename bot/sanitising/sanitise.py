"""sanitise: the one gate through which a body leaves for GitHub.

A round reads the Markdown tree and writes some stretches in another way; rounds go on until one changes nothing, so a
body that has been through here goes through unchanged. What does not come to rest, or can't be placed in its source
for sure, is shown as a fenced block, in which nothing is active.
"""

import re
from collections import Counter

from bot.sanitising.blocks import fenced, once
from bot.sanitising.rules import BODY_LIMIT, Change, ExitRules, Sanitised, TooLong
from bot.sanitising.secrets import redacted, refuse_late
from bot.sanitising.tree import Budget, Tangled
from bot.sanitising.unseen import visible

ROUNDS = 12
LONGEST_RUN = 60
"""Backticks or tildes in a row. Of more than 80 GitHub's parser makes no code span, and of more than 255 no fence."""
RUNS = re.compile(rf"([`~])\1{{{LONGEST_RUN},}}")
COMMAND_LINES = re.compile(
    r"^(?P<before>[ \t>]*)(?P<sign>[@/])(?=(?:torchxpubot|pytorch(?:merge)?bot|alignbot|label)(?:\s|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""Other programs read these in any line, code or not."""
CASES = re.compile(r"^(?P<before>[ \t>*_#`~+-]*)(?P<word>cases):", re.IGNORECASE | re.MULTILINE)


def sanitise(body: str, rules: ExitRules) -> Sanitised:
    """The body as it may leave, with what was changed.

    Raises Refused when a secret is left at the end, TooLong when it is longer than GitHub takes, before or after.
    """
    _short_enough(body)
    counts: Counter[str] = Counter()
    text, found = visible(body)
    counts["unseen character"] += found
    text, found = RUNS.subn(lambda run: run.group(1) * LONGEST_RUN, text)
    counts["long run of marks"] += found
    text, secrets = redacted(text, rules)
    counts += secrets
    text, found = re.subn("<!--", r"<\\u{21}--", text)
    counts["HTML comment"] += found
    try:
        text, edits = _at_rest(text, rules)
        counts += edits
    except Tangled:
        text = _for_other_programs(fenced(text), counts)
        counts["shown as code"] += 1
    _short_enough(text)
    refuse_late(text, rules)
    kinds = sorted((+counts).items())
    return Sanitised(body=text, changes=tuple(Change(kind=kind, count=count) for kind, count in kinds))


def _at_rest(text: str, rules: ExitRules) -> tuple[str, Counter[str]]:
    """Rounds until nothing changes. Raises Tangled where that takes too many."""
    budget = Budget()
    counts: Counter[str] = Counter()
    for _ in range(ROUNDS):
        after = _for_other_programs(once(text, rules, budget, counts), counts)
        after, secrets = redacted(after, rules)
        counts += secrets
        if after == text:
            return text, counts
        text = after
    raise Tangled


def _for_other_programs(text: str, counts: Counter[str]) -> str:
    """Lines that machinery reads without reading Markdown, code included."""
    text, found = COMMAND_LINES.subn(lambda one: f"{one['before']}\\u{{{ord(one['sign']):x}}}", text)
    counts["command"] += found
    text, found = CASES.subn(r"\g<before>\g<word> :", text)
    counts["command"] += found
    return text


def _short_enough(text: str) -> None:
    if len(text) > BODY_LIMIT:
        raise TooLong(f"the text has {len(text):,} characters, and GitHub takes {BODY_LIMIT:,}: shorten it first")
