"""A draft's Markdown as HTML that can do nothing: no raw HTML, no images, no link that leaves for elsewhere.

What GitHub would show as a link or a picture and we refuse stays readable as the text that it is.
"""

import re
from functools import cache
from html import escape, unescape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from bot.dashboard.links import is_github
from bot.dashboard.text import visible

FOLD = re.compile(r"<details><summary>(?P<title>[^<>\n]*)</summary>|</details>")
_TOP_HEADING = 3
"""The page has its own h1 and h2; a draft's headings begin below them."""


def rendered(source: str) -> Markup:
    """The Markdown `source` as safe HTML. Character references can bring hidden characters back: see `visible`."""
    return Markup(visible(_parser().render(source)))  # noqa: S704 - html=False escapes all of it


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("gfm-like", {"html": False, "linkify": False}).disable("image")
    parser.validateLink = is_github  # type: ignore[method-assign]
    parser.core.ruler.push("below_the_page", _lower_headings)
    parser.core.ruler.push("folds", _folds)
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("fold", _fold)
    parser.add_render_rule("code_block", _fence)
    return parser


def _lower_headings(state: StateCore) -> None:
    headings = [token for token in state.tokens if token.type in ("heading_open", "heading_close")]
    if not headings:
        return
    shift = _TOP_HEADING - min(int(token.tag[1]) for token in headings)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) + shift)}"


def _folds(state: StateCore) -> None:
    """What folds a draft's long parts, and nothing else of HTML: a line of its own, its title as plain text."""
    kept: list[Token] = []
    for token in state.tokens:
        opened = kept[-2:] if token.type == "paragraph_close" else []
        line = opened[1].content.strip() if len(opened) == 2 and opened[0].type == "paragraph_open" else ""
        if (match := FOLD.fullmatch(line)) is None:
            kept.append(token)
            continue
        del kept[-2:]
        title = match["title"]
        html = "</details>\n" if title is None else f"<details><summary>{escape(unescape(title))}</summary>\n"
        kept.append(Token("fold", "", 0, content=html, block=True))
    state.tokens = kept if _balanced(kept) else state.tokens


def _balanced(tokens: list[Token]) -> bool:
    """Is every fold closed, and none closed that was not opened?"""
    depth = 0
    for token in tokens:
        if token.type == "fold":
            depth += -1 if token.content.startswith("</") else 1
            if depth < 0:
                return False
    return depth == 0


def _fold(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    return str(tokens[index].content)


def _link_open(renderer: Any, tokens: Any, index: int, options: Any, _env: Any) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return str(renderer.renderToken(tokens, index, options, _env))


def _table_open(*_: Any) -> str:
    return '<div class="scroll" role="region" aria-label="Table of the draft" tabindex="0"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _fence(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    return str(Markup('<pre tabindex="0"><code>{}</code></pre>\n').format(tokens[index].content))
