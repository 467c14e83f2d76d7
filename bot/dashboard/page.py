"""Jinja set up so that no template can forget the care that strangers' text needs.

Every expression a template prints goes through `_finalize`: hidden characters are written out, long text is cut and
counted, and only then is it escaped. A name that a template misspells is an error, not an empty place.
"""

from functools import cache
from typing import Any

from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bot import __version__
from bot.dashboard import links, text
from bot.dashboard.markdown import rendered
from bot.dashboard.shield import HEADERS
from bot.model import Absent, Item, OutcomeKind, UtcTime, Window
from bot.resources import resource


def page(template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """The page `template`.html filled with `context`."""
    html = _environment().get_template(f"{template}.html").render(context)
    return HTMLResponse(html, status, headers=HEADERS)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("templates/dashboard")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "block": _block,
        "moment": _moment,
        "one_line": text.one_line,
        "present": _present,
        "quantity": text.quantity,
        "reference": _reference,
        "rendered": rendered,
        "span": _span,
    }
    environment.globals |= {
        "commit_url": links.commit_url,
        "finding_url": links.finding_url,
        "item_url": links.item_url,
        "ledger_url": links.ledger_url,
        "outcome_kinds": tuple(OutcomeKind),
        "version": __version__,
    }
    return environment


def _finalize(content: Any) -> Any:
    if isinstance(content, Markup):
        return content
    return text.visible(text.inline(str(content)))


def _block(content: str) -> Markup:
    """Text for a `<pre>`: longer than a sentence may be, and so cut by other rules."""
    return escape(text.visible(text.block(content)))


def _present(content: Any) -> Any:
    """A field's content, or None where its stage has not answered or found nothing."""
    return None if isinstance(content, Absent) else content


def _reference(item: Item) -> str:
    """`pytorch/pytorch#204496`, and for a commit `pytorch/pytorch@125472c0cb`."""
    return item.key if isinstance(item.number, int) else f"{item.repo}@{item.number[:10]}"


def _moment(moment: UtcTime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}Z"


def _span(window: Window) -> str:
    """A whole UTC day by its date, any other window by both its ends."""
    start = window.start
    if str(window) == str(Window.parse(f"{start:%Y-%m-%d}")):
        return f"{start:%Y-%m-%d}"
    return f"{_moment(start)} to {_moment(window.end)}"
