"""One round of the service over GitHub: see what changed, read what is due, follow whatever is not at its end.

What is to be done is in the store: windows that no closed one covers, scans that are not done, cases whose day to look
again has come. So a round that was missed, killed or run twice neither skips nor doubles anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot import coverage, wire
from bot.edges.changes import renew, unfinished
from bot.edges.readings import SqlReadings
from bot.errors import ForgeError
from bot.model import Window
from bot.scanning import Order, Result, run, working
from bot.settings import Settings

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Done:
    """What one window's turn came to."""

    window: Window
    result: Result | None
    why: str = ""
    """Why there is no result."""

    @property
    def held(self) -> bool:
        """Is it to be asked again?"""
        return self.result is None or self.result.held


def go_round(settings: Settings, order: Order) -> Iterator[Done]:
    """One round. Raises InputError for what a person has to mend; what GitHub refuses holds one window."""
    now = wire.SystemClock().now()
    try:
        changed = sweep(settings)
        _log.info("changes seen", items=changed)
    except ForgeError as error:
        _log.warning("changes could not be seen; the next tick looks again", error=str(error))
    for window in todo(settings, order.device, now):
        try:
            result = run(settings, replace(order, window=window, out=None))
        except ForgeError as error:
            yield Done(window, None, str(error))
        else:
            yield Done(window, result)


def todo(settings: Settings, device: str, now: datetime) -> list[Window]:
    """The windows of this round, oldest first: those to be read, and those to be followed on."""
    with working(settings) as (store, _):
        readings = SqlReadings(store.engine)
        coverage.begin_schedule(settings, readings, now)
        due = coverage.missing(settings, store, now)
        again = unfinished(store.engine, wire.target(device).name, now)
        known = {one.window for one in readings.all()}
        return sorted({*due, *(known & set(again))}, key=lambda window: (window.start, window.end))


def sweep(settings: Settings) -> int:
    """See what changed of items that were read, and have their windows followed anew. How many items changed."""
    repo = settings.upstream.repo
    with working(settings) as (store, github):
        readings = SqlReadings(store.engine)
        opened = [one.opened_at for one in readings.all()]
        since = readings.watermark(f"sweep {repo}") or min(opened, default=None)
        if since is None:
            return 0
        seen = wire.sweep(settings, store, github, since)
        changed = renew(store.engine, seen.items())
        readings.raise_watermark(f"sweep {repo}", seen.through)
        return changed
