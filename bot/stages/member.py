"""member: of an item only what tells to which chain it belongs, so that a month of items needs no texts in memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.model import Item, ItemKind, Kinship
from bot.stages.kin import READ, commits, echoes, is_list, layers, stack_of, ties
from bot.stages.subject import Filed, subject
from bot.windows.landing import MENTION

BARE = re.compile(
    r"^(?:\s*\[(?:re-?land|\d+/\d+|release|cherry)[^\]]*\]|\s*re-?land(?:ed|ing)?\b[\s:#\d]*|\s*re-?apply\b"
    r"|\s*(?:revert|back out)\b)+",
    re.I,
)
"""What re-lands, reverts and picks put before a title, and stacks their layer's place."""
TAIL = re.compile(r"(?:[\s\"']|\(#\d{1,9}\)|\(?\bre-?land(?:ed|ing)?\)?)*$", re.I)
BARE_WORDS = 3
MENTIONS = 8
"""A text that names more items is a list."""
IMPORTED = re.compile(r"\b(?:import|from) torch\b")
CALLED = re.compile(r"\btorch\.[\w.]{1,80}\(")
PROMPT = re.compile(r"\s{0,8}(?:>>>|\.\.\.|In \[\d{1,5}\]:) ")
INDENT = ("    ", "\t")
FENCE = ("```", "~~~")
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True, slots=True)
class Member:
    """Of an item only what tells to which chain it belongs, and who speaks for that."""

    key: str
    number: int | str
    order: tuple[str, str]
    is_issue: bool
    has_code: bool
    is_list: bool
    ties: tuple[tuple[str, Kinship], ...]
    """Keys of the items that this one says it is one change with, and as what."""
    commits: tuple[tuple[str, Kinship], ...]
    """The same of commits."""
    landed_sha: str | None
    layers: tuple[str, ...]
    stack: str
    """Whose stack it is a layer of."""
    bare_title: str
    """The title without what a re-land, a revert or a pick puts around it."""
    echo: Kinship | None
    filed: Filed | None
    links: frozenset[str]
    """Keys of all items that it links to."""


Group = tuple[Member, ...]
"""A chain, its leader first."""


def member(item: Item) -> Member:
    """What chains are made of."""
    commit = item.kind is ItemKind.COMMIT
    return Member(
        key=item.key,
        number=item.number,
        order=item.order,
        is_issue=item.kind is ItemKind.ISSUE,
        has_code=has_code(item.body),
        is_list=is_list(item),
        ties=tuple(sorted(ties(item).items())),
        commits=commits(item),
        landed_sha=str(item.number) if commit else item.landed_sha,
        layers=layers(item),
        stack=stack_of(item),
        bare_title="" if item.kind is ItemKind.ISSUE else bare_title(item.title),
        echo=echoes(item),
        filed=None if commit or item.author.endswith("bot") or item.author.endswith("[bot]") else _filed(item),
        links=frozenset(link.key for link in item.links),
    )


def _filed(item: Item) -> Filed:
    body = item.body[:READ]
    numbers = set(MENTION.findall(body))
    named = {f"{item.repo}#{number}" for number in numbers} if len(numbers) <= MENTIONS else set()
    return Filed(
        key=item.key,
        number=int(item.number),
        is_issue=item.kind is ItemKind.ISSUE,
        author=f"{item.repo} {item.author}" if item.author else "",
        created_s=item.created_at.timestamp() if item.created_at else None,
        subject=subject(item.title),
        mentions=frozenset(named - {item.key}),
    )


def bare_title(title: str) -> str:
    """A title as it was first, in small letters; empty where it is too short to tell anything."""
    text = TAIL.sub("", BARE.sub("", title[:300])).strip(" \"':")
    while (shorter := BARE.sub("", text).strip(" \"':")) != text:
        text = shorter
    words = text.lower().split()
    return " ".join(words) if len(words) >= BARE_WORDS else ""


def has_code(body: str) -> bool:
    """Is there code that calls torch: in a fence, indented or behind a prompt? A log or a traceback is none."""
    text = body[:READ]
    return "torch" in text and any(_calls(block) for block in _blocks(text))


def _blocks(text: str) -> Iterator[str]:
    """What stands between fences, and what is indented or behind a prompt, joined."""
    fence, fenced, apart = "", list[str](), list[str]()
    for line in text.splitlines():
        mark = line.lstrip(" >")[:3]
        if mark in FENCE and fence in ("", mark):
            fence = "" if fence else mark
            yield "\n".join(fenced)
            fenced.clear()
        elif fence:
            fenced.append(line)
        elif line.startswith(INDENT) or PROMPT.match(line):
            apart.append(line)
    yield "\n".join(fenced)
    yield "\n".join(apart)


def _calls(block: str) -> bool:
    return bool(IMPORTED.search(block)) or (TRACEBACK not in block and bool(CALLED.search(block)))
