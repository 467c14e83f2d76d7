"""kin: what an item says of others that are the same upstream change; read off its title, text, links and branch.

Everything here is a stranger's text. A tie is a claim; `chain` decides which of them hold.
"""

import re
from collections.abc import Iterator
from itertools import islice

from bot.model import Item, ItemKind, Kinship, LinkKind
from bot.windows.landing import MENTION, SUFFIX, is_revert, landed, relands, reverted

LINKS = {
    LinkKind.FIXES: Kinship.LINKED,
    LinkKind.FIXED_BY: Kinship.LINKED,
    LinkKind.RELAND: Kinship.RELANDS,
    LinkKind.REVERTS: Kinship.REVERTS,
    LinkKind.REVERTED_BY: Kinship.REVERTS,
    LinkKind.CHERRY_PICK: Kinship.CHERRY_PICKS,
}
"""Kinds of links that make two items one change; a mention or a series doesn't."""
READ = 20_000
"""Characters of a body that are read."""
CLAIMS = 3
"""A body that says of more items that it fixes them is a list, or a prank: none of it joins anything."""
LAYERS = 40
"""Layers of a stack; a longer list is no stack."""
THREAD = r"(?:https://github\.com/(?P<place>[\w.-]{1,60}/[\w.-]{1,100})/(?:issues|pull)/|(?P<repo>[\w.-]{1,60}/[\w.-]{1,100})?#)"
FIXES = r"\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)[ \t]{0,2}:?[ \t]{1,2}"
FIXES_HERE = re.compile(rf"{FIXES}$", re.I)
FIXES_THERE = re.compile(rf"{FIXES}(?P<repo>[\w.-]{{1,60}}/[\w.-]{{1,100}})$", re.I)
FIXES_URL = re.compile(rf"{FIXES}{THREAD}(?P<number>\d{{1,9}})\b", re.I)
NUMBERS = 200
"""Numbers of a text that are looked at."""
UNDOES = re.compile(rf"^Reverts {THREAD}(?P<number>\d{{1,9}})\s*$", re.M | re.I)
PICKED = re.compile(
    rf"\bcherry[- ]?pick(?:ed|s)?(?:[- ]from|[ \t]+of)?[ \t]*:?[ \t]*(?:PR )?{THREAD}(?P<number>\d{{1,9}})\b", re.I
)
PICKED_COMMIT = re.compile(r"cherry[- ]picked from(?: commit)?:? ?(?P<sha>[0-9a-f]{7,64})\b", re.I)
STACK = re.compile(r"^Stack from \[ghstack\].*$", re.M | re.I)
LAYER = re.compile(
    r"^\s{0,4}[*-]\s{1,4}(?:(?:->|__->__|\*\*->\*\*)\s{1,4})?[*_\[]{0,3}(?:[\w.-]{1,60}/[\w.-]{1,100})?#(?P<number>\d{1,9})\b"
)
BRANCH = re.compile(r"gh/(?P<user>[\w-]{1,64})/\d{1,7}/(?:head|orig|base)$")
RELEASE = ("release/", "refs/heads/release/")
LISTED = re.compile(r"^\s{0,6}[-*] \[[ xX]\] ", re.M)
LISTING = re.compile(r"\b(?:umbrella|tracking issue|tracker|roadmap|master issue)\b", re.I)
TASKS = 6
"""An issue with so many boxes to tick is a list of things, not one of them."""


def is_list(item: Item) -> bool:
    """Is it an issue that gathers others?"""
    if item.kind is not ItemKind.ISSUE:
        return False
    return bool(LISTING.search(item.title[:512])) or (
        "] " in item.body and len(LISTED.findall(item.body[:READ])) >= TASKS
    )


def ties(item: Item) -> dict[str, Kinship]:
    """Keys of the items that this one says it is one change with; what GitHub links counts before prose."""
    found: dict[str, Kinship] = {}
    linked = {link.key: LINKS[link.kind] for link in item.links if link.kind in LINKS}
    fixed = {link.key for link in item.links if link.kind is LinkKind.FIXES}
    found |= {key: kind for key, kind in linked.items() if key not in fixed or len(fixed) <= CLAIMS}
    if item.kind is not ItemKind.ISSUE:
        claimed = set(_claimed(item))
        prose = [(key, Kinship.FIXES) for key in claimed] if len(claimed) <= CLAIMS else []
        for key, kind in (*_same_change(item), *prose):
            found.setdefault(key, kind)
    found.pop(item.key, None)
    return found


def commits(item: Item) -> tuple[tuple[str, Kinship], ...]:
    """Commits of the same change that a pull request or commit names, at most one of a kind."""
    if item.kind is ItemKind.ISSUE:
        return ()
    message = f"{item.title}\n{item.body[:READ]}"
    undone, again = reverted(message, item.repo), relands(message)
    picked = PICKED_COMMIT.search(message) if "cherry" in message else None
    found = (
        (undone and undone.sha, Kinship.REVERTS),
        (again and again.sha, Kinship.RELANDS),
        (picked and picked["sha"], Kinship.CHERRY_PICKS),
    )
    return tuple((sha, kind) for sha, kind in found if sha)


def echoes(item: Item) -> Kinship | None:
    """Does its title repeat another's, as re-lands, reverts and picks for a release do?"""
    if item.kind is ItemKind.ISSUE:
        return None
    if (item.base_ref or "").startswith(RELEASE):
        return Kinship.CHERRY_PICKS
    if relands(item.title):
        return Kinship.RELANDS
    return Kinship.REVERTS if is_revert(item.title) else None


def layers(item: Item) -> tuple[str, ...]:
    """Keys of a ghstack's layers as a body lists them."""
    if item.kind is not ItemKind.PULL or "ghstack" not in item.body[:READ]:
        return ()
    start = STACK.search(item.body, 0, READ)
    if start is None:
        return ()
    numbers = []
    for line in item.body[start.end() : READ].splitlines():
        layer = LAYER.match(line)
        if layer:
            numbers.append(f"{item.repo}#{int(layer['number'])}")
        elif line.strip():
            break
    return tuple(numbers) if len(numbers) <= LAYERS else ()


def stack_of(item: Item) -> str:
    """Whose ghstack branch it is, or an empty string."""
    branch = BRANCH.match(item.head_ref or "")
    return branch["user"] if branch else ""


def _claimed(item: Item) -> Iterator[str]:
    """Keys of what the prose says that it fixes. From each number back to the verb: numbers are rarer than words."""
    body = item.body[:READ]
    for match in islice(MENTION.finditer(body), NUMBERS):
        at = match.start()
        before = body[at - 1 : at]
        if before in (" ", "\t") and FIXES_HERE.search(body[max(0, at - 14) : at]):
            yield f"{item.repo}#{int(match[1])}"
        elif before.isalnum() and (there := FIXES_THERE.search(body[max(0, at - 180) : at])):
            yield f"{there['repo']}#{int(match[1])}"
    if "https://github.com/" in body:
        yield from _keys(item, FIXES_URL)


def _same_change(item: Item) -> Iterator[tuple[str, Kinship]]:
    """What a title and the first lines say of landing, reverts, re-lands and picks."""
    message = f"{item.title}\n{item.body[:READ]}"
    if item.kind is ItemKind.COMMIT and (number := landed(message, item.repo)):
        yield f"{item.repo}#{number}", Kinship.LANDS
    revert, again = reverted(message, item.repo), relands(message)
    if revert or again:
        named = (
            (revert and revert.pull, Kinship.REVERTS),
            (again and again.pull, Kinship.RELANDS),
            (again and again.revert, Kinship.REVERTS),
        )
        yield from ((f"{item.repo}#{number}", kind) for number, kind in named if number)
        yield from ((key, Kinship.REVERTS) for key in list(_keys(item, UNDOES))[:1])
    if "cherry" in item.body[:READ].lower():
        yield from ((key, Kinship.CHERRY_PICKS) for key in list(_keys(item, PICKED))[:1])
    if (item.base_ref or "").startswith(RELEASE) and (own := SUFFIX.search(item.title.rstrip())):
        yield f"{item.repo}#{int(own['number'])}", Kinship.CHERRY_PICKS


def _keys(item: Item, pattern: re.Pattern[str]) -> Iterator[str]:
    for match in pattern.finditer(item.body, 0, READ):
        yield f"{match['place'] or match['repo'] or item.repo}#{int(match['number'])}"
