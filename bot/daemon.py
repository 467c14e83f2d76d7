"""The scheduled service: one job, asked at every tick. What is to be done is in the store, not in the schedule.

A tick that comes late or was missed changes nothing: the job reads what is open and goes on from there. So a late
firing still counts (no misfire grace), several late ones are folded into one, and two never run at once.
"""

import logging
import signal
import threading
from datetime import UTC, datetime

import structlog
from apscheduler.events import EVENT_JOB_ERROR, JobExecutionEvent
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot import rounds
from bot.scanning import Order
from bot.settings import Settings

_log = structlog.get_logger()


def once(settings: Settings, order: Order) -> int:
    """One tick; 3 when something has to wait, else 0. Raises what the tick raises."""
    return 0 if rounds.go_round(settings, order) else 3


def forever(settings: Settings, order: Order) -> int:
    """Tick at once and then by the clock, until SIGTERM or SIGINT; a window that is being scanned is let end."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    logging.getLogger("apscheduler").setLevel(logging.CRITICAL)  # our own log tells failures, once and in one form
    scheduler = BackgroundScheduler(
        timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    )
    scheduler.add_listener(_log_failure, EVENT_JOB_ERROR)
    every = IntervalTrigger(seconds=settings.daemon.every.total_seconds(), timezone=UTC)
    arguments = (settings, order, stop.is_set)
    scheduler.add_job(rounds.tick, every, args=arguments, id="tick", next_run_time=datetime.now(UTC))
    scheduler.start()
    stop.wait()
    _log.info("stopping", note="the window that is being scanned is let end")
    scheduler.shutdown(wait=True)
    return 0


def _log_failure(event: JobExecutionEvent) -> None:
    """A tick that failed by a fault of ours is told whole, and asked again; the service goes on."""
    _log.error("tick failed by a fault of alignbot; please report it", trace=event.traceback)
