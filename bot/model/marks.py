"""Our marks in texts on a tracker: who wrote it, for which finding, and which part of it we may write anew.

They are HTML comments of a namespace of our own, so that no other tool there takes them for its commands. What is
between the two marks of a block is ours for as long as it says what its first mark has the digest of: a text that a
person has changed is theirs.
"""

import hashlib
import re

MARK = re.compile(r"<!-- alignbot:finding=([0-9a-f]+) intent=([0-9a-f]+) v=1 -->")
OURS = re.compile(r"<!--\s*alignbot:(?:(?!<!--).)*?-->", re.S)
BEGIN = "<!-- alignbot:begin "
BLOCK = re.compile(
    BEGIN + r"intent=([0-9a-f]+) sha=([0-9a-f]+) -->\n((?:(?!" + BEGIN + r").)*?)\n?<!-- alignbot:end -->", re.S
)


def mark(fingerprint: str, intent: str) -> str:
    """What tells of a text that it is ours, and for what it was written."""
    return f"<!-- alignbot:finding={fingerprint} intent={intent} v=1 -->"


def marked(text: str) -> tuple[tuple[str, str], ...]:
    """Every `(fingerprint, intent)` that a text is marked with."""
    return tuple((found[1], found[2]) for found in MARK.finditer(text))


def unmarked(text: str) -> str:
    """The text without any mark of our namespace: a draft may bring none of its own."""
    return OURS.sub("", text)


def block(text: str, intent: str) -> str:
    """The text as a part that we may write anew later."""
    inside = f"{text}\n" if text else ""
    return f"<!-- alignbot:begin intent={intent} sha={_digest(text)} -->\n{inside}<!-- alignbot:end -->"


def holds_block(text: str, intent: str) -> bool:
    """Is this intent's the block that the text holds?"""
    return any(found[1] == intent for found in BLOCK.finditer(_plain(text)))


def replaced(text: str, inside: str, intent: str) -> str | None:
    """The text with another block in the place of the one that it has.

    None where there is not exactly one, or where a person has written in it.
    """
    plain = _plain(text)
    found = list(BLOCK.finditer(plain))
    if len(found) != 1 or plain.count(BEGIN) != 1 or _digest(found[0][3]) != found[0][2]:
        return None
    return plain[: found[0].start()] + block(inside, intent) + plain[found[0].end() :]


def _plain(text: str) -> str:
    """GitHub's own editor ends lines with CR LF."""
    return text.replace("\r\n", "\n")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
