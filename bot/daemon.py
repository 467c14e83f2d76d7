"""The scheduled service: one job, asked at every tick. What is to be done is in the store, not in the schedule.

A tick that comes late or was missed changes nothing: the job reads what is open and goes on from there. So a late
firing still counts (no misfire grace), several late ones are folded into one, and two never run at once.
"""

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import structlog
from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, JobExecutionEvent
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from bot import rounds, scanning
from bot.model import Window
from bot.settings import Settings

_log = structlog.get_logger()


def once(settings: Settings, order: scanning.Order) -> int:
    """One tick through the scheduler; the exit code of its scan. An error of the tick is raised here."""
    ended: list[JobExecutionEvent] = []
    over = threading.Event()

    def note(event: JobExecutionEvent) -> None:
        ended.append(event)
        over.set()

    scheduler = _scheduler(note)
    scheduler.add_job(tick, args=(settings, order), id="tick")
    scheduler.start()
    try:
        over.wait()
    finally:
        scheduler.shutdown(wait=True)
    if ended[0].exception is not None:
        raise ended[0].exception
    return int(ended[0].retval)


def forever(settings: Settings, order: scanning.Order) -> int:
    """Tick at once and then by the clock, until SIGTERM or SIGINT; a running tick is let end. The exit code."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    scheduler = _scheduler(_log_failure)
    every = IntervalTrigger(seconds=settings.daemon.every.total_seconds(), timezone=UTC)
    scheduler.add_job(tick, every, args=(settings, order), id="tick", next_run_time=datetime.now(UTC))
    scheduler.start()
    stop.wait()
    _log.info("stopping", note="the running tick is let end")
    scheduler.shutdown(wait=True)
    return 0


def tick(settings: Settings, order: scanning.Order) -> int:
    """Scan what is due, or the order's archive; 3 when anything is held, else 0."""
    turns = rounds.go_round(settings, order) if order.reads_github else _alone(settings, order)
    held = False
    for turn in turns:
        held = held or turn.held
        if turn.result is None:
            _log.warning("window stays open", window=str(turn.window), why=turn.why)
            continue
        facts = turn.result.facts
        spent = {name: one.points or one.requests for name, one in turn.result.spent.items()}
        reading = facts["reading"] or {"state": None, "why": ""}
        _log.info(
            "tick",
            window=facts["window"],
            state=reading["state"],
            why=reading["why"],
            outcomes=facts["counts"]["outcomes"],
            out=str(turn.result.out),
            **spent,
        )
    return 3 if held else 0


def _alone(settings: Settings, order: scanning.Order) -> Iterator[rounds.Done]:
    result = scanning.run(settings, order)
    yield rounds.Done(Window.parse(result.facts["window"]), result)


def _scheduler(listener: Callable[[JobExecutionEvent], None]) -> BackgroundScheduler:
    scheduler = BackgroundScheduler(
        timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
    )
    logging.getLogger("apscheduler.executors").setLevel(logging.CRITICAL)  # the listener tells failures, once
    scheduler.add_listener(listener, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR)
    return scheduler


def _log_failure(event: JobExecutionEvent) -> None:
    """A tick that failed is told and asked again; the service goes on."""
    if event.exception is not None:
        _log.error("tick failed", error=f"{type(event.exception).__name__}: {event.exception}")
