"""What a commit message on the default branch says: which pull request it lands, reverts or brings back.

PyTorch's pull requests show as `closed`, never as merged; the commit is the only word that they landed. Its merge bot
writes the title with ` (#N)`, the body, and then the trailer `Pull Request resolved: …/pull/N`; its reverts keep the
quoted title, drop the trailer and add `Reverted …/pull/N on behalf of …`. Everything between is written by strangers.
"""

import re
from typing import NamedTuple

from bot.model import Value

PULL = r"https?://(?:www\.)?github\.com/(?P<repo>[\w.-]+/[\w.-]+)/pull/(?P<number>[1-9][0-9]{0,8})"
TRAILER = re.compile(rf"Pull Request resolved: {PULL}[/\s]*", re.ASCII | re.IGNORECASE)
REVERTED = re.compile(rf"Reverted {PULL} on behalf of .*", re.ASCII | re.IGNORECASE)
COMMIT = re.compile(r"This reverts commit (?P<sha>[0-9a-f]{7,64})\b", re.ASCII)
FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<rest>.*)")
SUFFIX = re.compile(r" \(#(?P<number>[1-9][0-9]{0,8})\)$", re.ASCII)
MENTION = re.compile(r"#(?P<number>[1-9][0-9]{0,8})\b", re.ASCII)
UNDONE = ('revert "', 'back out "')
RELAND = re.compile(r"(?:^|[\[(])re-?land(?:ed|ing)?\b|^reapply \"", re.ASCII | re.IGNORECASE)
LINE = 1000
"""Characters of a line that are looked at: GitHub's titles have 256, and each line that matters is shorter yet."""


class Revert(Value):
    """A commit that takes another back."""

    pull: int | None = None
    """The pull request that is no longer on the branch."""
    sha: str | None = None
    """The commit that is taken back."""


class Reland(Value):
    """A commit that brings back what had been reverted."""

    pull: int | None = None
    """The pull request that first had the change, where the headline names it."""
    revert: int | None = None
    """The pull request that is itself taken back: a revert, where the headline names one."""
    sha: str | None = None
    """The revert that is itself taken back."""


class _Headline(NamedTuple):
    """A headline taken apart from outside in."""

    own: int | None
    """The number that the merge added behind everything."""
    depth: int
    """How many times `Revert "` stands around the title."""
    numbers: tuple[int | None, ...]
    """The number inside each pair of quotes, outermost first."""
    title: str


def landed(message: str, repo: str) -> int | None:
    """The pull request of `repo` (OWNER/NAME) that this commit lands.

    It is that of the last trailer that stands at the beginning of a line, outside of any fenced block. A headline that
    ends with ` (#N)` and no trailer is GitHub's own merge button, and counts. A revert is a landing only if it was a
    pull request itself: a trailer that agrees with the number behind the quoted title. Other trailers in it are quoted.
    """
    headline = _headline(message)
    trailers = _trailers(message, repo)
    if headline.depth:
        return headline.own if headline.own in trailers else None
    return trailers[-1] if trailers else headline.own


def is_revert(title: str) -> bool:
    """Does it take something back? The revert of a revert doesn't: it is a re-land."""
    return _headline(title).depth % 2 == 1


def reverted(message: str, repo: str) -> Revert | None:
    """What this commit takes back; None for any other commit, and for the revert of a revert, which is a re-land."""
    headline = _headline(message)
    if headline.depth % 2 == 0:
        return None
    return Revert(pull=_took_back(message, repo) or headline.numbers[0], sha=_sha(message))


def relands(message: str) -> Reland | None:
    """What this commit says that it brings back: `Revert "Revert …`, `Reland …`, `[reland] …`, `Reapply "…`. A hint."""
    headline = _headline(message)
    if headline.depth % 2:
        return None
    if headline.depth:
        return Reland(pull=headline.numbers[-1], revert=headline.numbers[0], sha=_sha(message))
    if not RELAND.search(headline.title):
        return None
    mention = MENTION.search(headline.title)
    return Reland(pull=int(mention["number"]) if mention else None, sha=_sha(message))


def _headline(message: str) -> _Headline:
    title = message.lstrip("\n").partition("\n")[0][:LINE].rstrip()
    title, own = _split(title)
    numbers: list[int | None] = []
    while title.lower().startswith(UNDONE):
        title, number = _split(title.partition('"')[2].removesuffix('"'))
        numbers.append(number)
    return _Headline(own, len(numbers), tuple(numbers), title)


def _split(title: str) -> tuple[str, int | None]:
    """A title without the ` (#N)` behind it, and N."""
    suffix = SUFFIX.search(title)
    return (title[: suffix.start()], int(suffix["number"])) if suffix else (title, None)


def _trailers(message: str, repo: str) -> list[int]:
    """The numbers of all trailers of the repository. A fence that is never closed is not one: the bot's trailer comes
    after a body that may have forgotten to."""
    found: list[int] = []
    fence, before = "", 0
    for line in _lines(message):
        mark = FENCE.match(line)
        if mark and not fence:
            fence, before = mark["fence"], len(found)
        elif mark and mark["fence"].startswith(fence) and not mark["rest"].strip():
            fence = ""
            del found[before:]
        elif (number := _number(TRAILER.fullmatch(line), repo)) is not None:
            found.append(number)
    return found


def _took_back(message: str, repo: str) -> int | None:
    """The first `Reverted …` line: what follows it is the reason, which a stranger may have written."""
    numbers = (_number(REVERTED.fullmatch(line), repo) for line in _lines(message))
    return next((number for number in numbers if number is not None), None)


def _sha(message: str) -> str | None:
    shas = (COMMIT.match(line) for line in _lines(message))
    return next((sha["sha"] for sha in shas if sha), None)


def _number(match: re.Match[str] | None, repo: str) -> int | None:
    return int(match["number"]) if match and match["repo"].lower() == repo.lower() else None


def _lines(message: str) -> list[str]:
    """Lines as git has them: other separators of Unicode are part of a line."""
    return [line[:LINE].rstrip("\r") for line in message.split("\n")[1:]]
