"""A draft's Markdown as HTML that can do nothing: no raw HTML, no images, no link that leaves for elsewhere.

What GitHub would show as a link or a picture and we refuse stays readable as the text that it is.
"""

from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup

from bot.dashboard.links import is_github
from bot.dashboard.text import visible

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
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    return parser


def _lower_headings(state: StateCore) -> None:
    headings = [token for token in state.tokens if token.type in ("heading_open", "heading_close")]
    if not headings:
        return
    shift = _TOP_HEADING - min(int(token.tag[1]) for token in headings)
    for token in headings:
        token.tag = f"h{min(6, int(token.tag[1]) + shift)}"


def _link_open(renderer: Any, tokens: Any, index: int, options: Any, _env: Any) -> str:
    tokens[index].attrSet("rel", "noopener noreferrer nofollow")
    return str(renderer.renderToken(tokens, index, options, _env))


def _table_open(*_: Any) -> str:
    return '<div class="scroll" role="region" aria-label="Table of the draft" tabindex="0"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _fence(_renderer: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    return str(Markup('<pre tabindex="0"><code>{}</code></pre>\n').format(tokens[index].content))
