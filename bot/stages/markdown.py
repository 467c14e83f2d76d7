"""markdown: the code blocks of a thread, by a real Markdown parser."""

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.model import Block, Origin
from bot.syntax import BOM

LONGEST = 1 << 20
"""Characters of one text that are parsed; a longer one is cut there."""
AHEAD = 100
"""Tokens after a block among which its expected output is looked for."""


def blocks(text: str, where: str, *, item: str | None = None) -> Iterator[Block]:
    """Fenced and indented blocks in their order, each with the text between it and the next one.

    `where`, the running index and the `item`'s key make their origin.
    """
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).disable("inline")  # blocks are enough, and take linear time
    tokens = parser.parse(text[:LONGEST].removeprefix(BOM))
    code = [position for position, token in enumerate(tokens) if token.type in ("fence", "code_block")]
    for index, position in enumerate(code):
        token = tokens[position]
        yield Block(
            text=token.content,
            tag=_tag(token),
            origin=Origin(where=where, index=index, item=item),
            line=(token.map or [0])[0] + 1,
            after=_after(tokens, position),
        )


def _tag(token: Token) -> str:
    """First word of the fence's info string; attributes in braces are GitHub's own and don't count."""
    first = token.info.strip().split(maxsplit=1)[:1]
    return first[0].strip("{}.").lower() if first else ""


def _after(tokens: list[Token], position: int) -> str:
    """Text of the headings, paragraphs and untagged blocks that follow, up to 2,000 characters."""
    parts: list[str] = []
    length = 0
    for token in tokens[position + 1 : position + 1 + AHEAD]:
        if token.type == "fence" and token.info.strip() not in ("", "text", "txt", "output", "console"):
            break
        if token.type in ("inline", "fence", "code_block"):
            parts.append(token.content)
            length += len(token.content)
        if length > 2000:
            break
    return "\n".join(parts)[:2000]
