"""markdown: the code blocks of a thread and the prose between them, by a real Markdown parser."""

import html
import re
from collections.abc import Iterator, Sequence
from operator import attrgetter

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.model import Block, Origin, Value
from bot.stages.loose import loose
from bot.stages.prepare import prepared

PRE = re.compile(r"<pre\b(?P<attributes>[^<>]*)>(?P<text>.*?)(?:</pre>|\Z)", re.IGNORECASE | re.DOTALL)
INNER = re.compile(r"</?(?:code|span|b|i|em|strong|font|a|tt|kbd|samp|div|p)\b(?P<attributes>[^<>\n]*)>", re.IGNORECASE)
BREAK = re.compile(r"<br ?/?>\n?", re.IGNORECASE)
LANGUAGE = re.compile(
    r"""(?:lang|class)=["']?(?:[\w-]+[ ])?(?:language-|lang-|highlight-source-|highlight-text-)?(?P<tag>[\w+-]+)"""
)
TYPED = re.compile(r"</?(?:code|tt|kbd|samp)>", re.IGNORECASE)
ROW = re.compile(r"</?tr\b[^<>]*>", re.IGNORECASE)
CELL = re.compile(r"<t[dh]\b[^<>]*>", re.IGNORECASE)
"""A table in HTML becomes lines with bars."""
SPAN = re.compile(r"(?<!`)`(?P<text>[^`]{12,4000})`(?!`)")
"""A code span; one that holds a whole script is taken for a block."""
WHOLE = re.compile(r"`(?P<text>[^`\n]{3,500})`[.,;]?")
"""A line that is a code span."""
QUOTED = re.compile(r"^ {0,3}>(?: (?!>)|$)")
TAG = re.compile(r"[{.]*(?P<name>[^\s{}:,;=]+)")


class Prose(Value):
    """A heading or a paragraph."""

    text: str
    line: int
    heading: bool = False


def pieces(text: str, where: str, *, item: str | None = None) -> list[Block | Prose]:
    """Blocks and prose in their order; `where`, the block's running index and the `item`'s key make its origin."""
    lines = prepared(text)
    parser = MarkdownIt("commonmark", {"maxNesting": 20}).disable("inline")  # blocks are enough, and take linear time
    tokens = parser.parse("\n".join(lines))
    fixed = [one for one in tokens if one.map and one.type in ("fence", "html_block")]
    covered = {line for one in fixed for line in range(*(one.map or (0, 0)))}
    plain = [QUOTED.sub("", line, count=1) for line in lines]
    runs = list(loose(plain, covered))
    taken = {line for start, end in runs for line in range(start, end)}
    headings = {one.map[0] for one in tokens if one.map and one.type == "heading_open"}
    here = [token for token in tokens if token.map and token.map[0] not in taken]
    found = [piece for token in here for piece in _of(token, heading=(token.map or [0])[0] in headings)]
    found += list(_steps(here))
    found += [_block("\n".join(plain[start:end]) + "\n", "", start + 1, loose=True) for start, end in runs]
    found.sort(key=attrgetter("line"))
    numbers = iter(range(len(found)))
    return [
        one.model_copy(update={"origin": Origin(where=where, index=next(numbers), item=item)})
        if isinstance(one, Block)
        else one
        for one in found
    ]


def _steps(tokens: Sequence[Token]) -> Iterator[Block]:
    """A script whose lines are the items of a list, each in a code span of its own."""
    run: list[str] = []
    line = 0
    for token in (*(one for one in tokens if one.type == "inline"), None):
        span = WHOLE.fullmatch(token.content) if token else None
        if span and token:
            line = line if run else (token.map or [0])[0] + 1
            run.append(span["text"])
            continue
        if len(run) > 1 and "import torch" in run[0]:
            yield _block("\n".join(run) + "\n", "", line, loose=True)
        run = []


def _block(text: str, tag: str, line: int, *, loose: bool = False) -> Block:
    return Block(text=text, tag=tag, origin=Origin(where="", index=0), line=line, loose=loose)


def _of(token: Token, *, heading: bool) -> Iterator[Block | Prose]:
    line = (token.map or [0])[0] + 1
    if token.type in ("fence", "code_block"):
        yield _block(token.content, _tag(token.info), line)
    elif token.type == "html_block" and not token.content.lstrip().startswith("<!--"):
        yield from _of_html(token.content, line)
    elif token.type == "inline":
        for span in SPAN.finditer(token.content):
            code = span["text"].strip("\n ")
            if "import torch" in code and "(" in code and ("\n" in code or ";" in code):
                yield _block(code + "\n", "", line, loose=True)
        yield Prose(text=TYPED.sub("`", token.content), line=line, heading=heading)


def _of_html(content: str, line: int) -> Iterator[Block | Prose]:
    end = 0
    for found in PRE.finditer(content):
        yield from _prose_of_html(content[end : found.start()], line)
        inner = INNER.match(found["text"].lstrip("\n "))
        named = LANGUAGE.search(found["attributes"]) or (LANGUAGE.search(inner["attributes"]) if inner else None)
        code = html.unescape(INNER.sub("", BREAK.sub("\n", found["text"]))).strip("\n")
        place = line + content.count("\n", 0, found.start())
        yield _block(code + "\n", named["tag"].lower() if named else "", place)
        end = found.end()
    yield from _prose_of_html(content[end:], line)


def _prose_of_html(content: str, line: int) -> Iterator[Prose]:
    rows = ROW.split(content) if CELL.search(content) else [content]
    barred = (" ".join(CELL.sub(" | ", row).split()) if CELL.search(row) else row for row in rows)
    plain = html.unescape(re.sub(r"<[^<>]*>", "", TYPED.sub("`", "\n".join(barred)))).strip()
    if plain:
        yield Prose(text=plain, line=line)


def _tag(info: str) -> str:
    """First word of the fence's info string; attributes in braces are GitHub's own and don't count."""
    first = TAG.match(info.strip())
    name = first["name"].lower() if first else ""
    return "python" if name.endswith(".py") or name.startswith("python3.") else name
