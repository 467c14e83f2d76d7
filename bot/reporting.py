"""A window's report, from the store to text."""

import json
from typing import Literal

from markdown_it import MarkdownIt

from bot import wire
from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.model import Intent, IntentState, Outbound, Window, WindowSummary
from bot.settings import Settings
from bot.stages.window_report import window_facts


def report(
    settings: Settings, window: Window | None, device: str, form: Literal["markdown", "html", "json"]
) -> str | None:
    """The report of a window's scans; None where the store has none. Without a window: of the last one."""
    with wire.store(settings) as store:
        scans = [one for one in store.windows() if device in ("", one.device)]
        chosen = window or (scans[0].window if scans else None)
        facts = [_facts(store, one) for one in scans if one.window == chosen]
    if not facts:
        return None
    if form == "json":
        return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
    templates = wire.templates()
    text = templates.get_template("report/window.md.j2").render(scans=facts).strip() + "\n"
    if form == "markdown":
        return text
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return templates.get_template("report/window.html.j2").render(title=str(chosen), body=body)


def _facts(store: SqlStore, summary: WindowSummary) -> dict[str, object]:
    filed: dict[str, str] = {}
    for intent in wire.outbox(store).every():
        if intent.kind is Outbound.ISSUE:
            filed[intent.fingerprint] = _became(intent)
    history = wire.decisions(store).history()
    reading = SqlReadings(store.engine).load(summary.window)
    return window_facts(summary, reading, store.cases(summary.window, summary.device), history, filed)


def _became(intent: Intent) -> str:
    if intent.state is IntentState.DONE and intent.filed is not None:
        return intent.filed.url
    return f"{intent.state.value}: {intent.why}" if intent.why else intent.state.value
