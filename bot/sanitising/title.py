"""title: one plain line. GitHub renders no Markdown there but code, so what pings or refers loses its sign."""

import re

from bot.sanitising.finding import GH_NUMBERS, HASHES, MENTIONS, NUMBERS, URLS
from bot.sanitising.links import behind
from bot.sanitising.rules import ExitRules, Refused
from bot.sanitising.secrets import redacted, refuse_late
from bot.sanitising.unseen import visible

LIMIT = 120
SHORT_HASH = 6
"""Digits; GitHub links seven or more."""
ANY_REPOSITORY = ExitRules(repository="nobody/nothing")


def sanitise_title(text: str, limit: int = LIMIT, rules: ExitRules = ANY_REPOSITORY) -> str:
    """The title on one line of at most `limit` characters, cut between words.

    Raises Refused when a secret is left, when nothing is, or when its first word alone is longer.
    """
    line, _ = visible(" ".join(text.split()))
    line, _ = redacted(line, rules)
    line = line.replace("<!--", r"<\u{21}--")
    before = None
    while before != line:  # each replacement takes a sign away and puts none in
        before = line
        line = _without_signs(line)
    line = _cut(line, limit)
    if not line:
        raise Refused(f"the title has no first word of at most {limit} characters")
    refuse_late(line, rules)
    return line


def _without_signs(line: str) -> str:
    line = URLS.sub(lambda one: named.reference if (named := behind(one.group())) else "(link)", line)
    line = NUMBERS.sub(lambda one: f" {one.group()[1:]}", line)
    line = GH_NUMBERS.sub(lambda one: one.group().replace("-", " "), line)
    line = HASHES.sub(_short, line)
    line = MENTIONS.sub(lambda one: one.group()[1:], line)
    line = re.sub(r"^(?:\s*/)+(?=\w)", "", line)
    return " ".join(line.split())


def _short(found: re.Match[str]) -> str:
    """A hash too short to be linked; a number is a number."""
    told = found.group()
    return told if told.isdigit() else told[:SHORT_HASH]


def _cut(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    head, blank, _ = line[: limit + 1].rpartition(" ")
    return head.rstrip(" ,:;-") if blank else ""


def forbidden_label(name: str) -> bool:
    """Would this label mute tests in the target repository? `skipped`, `skipped_bmg` and their like do."""
    return re.fullmatch(r"skipped(?:[_-].*)?", name.strip().casefold(), re.DOTALL) is not None
