"""One round of the service: see what changed on GitHub, read what is due, follow whatever is not at its end.

What is to be done is in the store: windows that no closed one covers, scans that are not done, cases whose day to look
again has come, issues of ours that a later build may have mended. So a round that was missed, killed or run twice
neither skips nor doubles anything.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial

import structlog

from bot import coverage, wire
from bot.edges.changes import renew, unfinished
from bot.edges.readings import SqlReadings
from bot.edges.store import SqlStore
from bot.errors import AlignbotError, EdgeError, InputError
from bot.model import Window
from bot.scanning import Order, run, working
from bot.settings import Settings
from bot.waiting import Look
from bot.watching import watch

_log = structlog.get_logger()


def tick(settings: Settings, order: Order, stopped: Callable[[], bool]) -> None:
    """A round of the service: what a person has to mend is told, and the next tick tries again."""
    try:
        go_round(settings, order, stopped)
    except AlignbotError as error:
        _log.error("tick failed", error=str(error))


def go_round(settings: Settings, order: Order, stopped: Callable[[], bool] = lambda: False) -> bool:
    """One round over GitHub, or over the order's archive. Is everything at its end, or must something wait?

    Each window is told in one line. Raises InputError for what a person has to mend. `stopped` is asked between two
    windows.
    """
    with closing(wire.GitHub(settings)) as github:
        if not order.reads_github:
            return _scanned(settings, order, github)
        whole = _going_on(partial(_scheduled, settings, github), part="schedule")
        whole = _going_on(partial(_changes_seen, settings, github), part="changes") and whole
        windows = todo(settings, order.device)
        turns = 0
        for window in windows:
            if stopped():
                break
            turn = partial(_scanned, settings, replace(order, window=window), github)
            whole = _going_on(turn, window=str(window)) and whole
            turns += 1
        if not stopped():
            whole = _going_on(partial(_watched, settings, order), part="watch") and whole
        asked = github.spent.values()
        points, requests = sum(one.points for one in asked), sum(one.requests for one in asked)
        left = len(windows) - turns
        _log.info("tick over", windows=turns, left=left, whole=whole, points=points, requests=requests)
        return whole and not left


def _going_on(work: Callable[[], bool], **name: str) -> bool:
    """One part of a round. What GitHub, the sandbox or a bug of ours keeps from it holds this part alone: windows come
    oldest first, and one that fails again and again must not stand before all others.
    """
    try:
        return work()
    except InputError:
        raise
    except EdgeError as error:
        _log.warning("has to wait", **name, why=str(error))
    except Exception:  # noqa: BLE001
        _log.exception("failed by a fault of alignbot; please report it", **name)
    return False


def _changes_seen(settings: Settings, github: wire.GitHub) -> bool:
    """Sweep."""
    with working(settings) as store:
        _log.info("changes seen", items=sweep(settings, store, github))
    return True


def _scanned(settings: Settings, order: Order, github: wire.GitHub) -> bool:
    """Scan a window, and tell what came of it. Is it at its end?"""
    result = run(settings, order, github)
    counts, reading = result.facts["counts"], result.facts["reading"] or {}
    told = {name: reading[name] for name in ("state", "why") if reading.get(name)}
    told |= {"items": counts["items"], "outcomes": counts["outcomes"], "held": result.held}
    _log.info("window scanned", window=str(result.window), **told, out=str(result.out))
    return not result.held


def _scheduled(settings: Settings, github: wire.GitHub) -> bool:
    """Is it known from when on windows are due?"""
    with working(settings) as store:
        coverage.begin_schedule(settings, store, github)
    return True


def _watched(settings: Settings, order: Order) -> bool:
    """Look at what was filed and at what waits, unless that was done a short while ago. Could all be looked at?"""
    name, now = f"watch {settings.target.repo} {order.device}", wire.SystemClock().now()
    with working(settings) as store:
        last = SqlReadings(store.engine).watermark(name)
    if last is not None and last <= now < last + settings.filing.watch_every:
        return True
    looked = watch(settings, Look(order.device, order.simulate, order.unsandboxed))
    with working(settings) as store:
        SqlReadings(store.engine).raise_watermark(name, now)
    follows = sum(len(one.follows) for one in looked.filed)
    waiting = looked.waiting
    held = [*waiting.held, *(why for one in looked.filed for why in one.held)]
    if looked.filed or waiting.cases or held:
        _log.info("watched", filed=len(looked.filed), follows=follows, cases=len(waiting.cases), held=held)
    return looked.whole


def todo(settings: Settings, device: str) -> list[Window]:
    """The windows of this round, oldest first: those to be read, and those to be followed on."""
    now = wire.SystemClock().now()
    with working(settings) as store:
        due = coverage.missing(settings, store, now)
        again = unfinished(store.engine, wire.target(device).name, now)
    return sorted({*due, *again}, key=lambda window: (window.start, window.end))


def sweep(settings: Settings, store: SqlStore, github: wire.GitHub) -> int:
    """See what changed of items that were read, and have their windows followed anew. How many items changed."""
    name, readings = f"sweep {settings.upstream.repo}", SqlReadings(store.engine)
    since = readings.watermark(name) or min((one.opened_at for one in readings.all()), default=None)
    if since is None:
        return 0
    seen = wire.sweep(settings, store, github, since)
    changed = renew(store.engine, seen.items())
    readings.raise_watermark(name, seen.through)
    return changed
