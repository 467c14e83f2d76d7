"""Asks again what does no harm to ask again: three times at most, later each time."""

from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from bot.edges.github.faults import LostError, RefusedError

TRIES = 3
T = TypeVar("T")


def patiently(ask: Callable[[], T], sleep: Callable[[float], None]) -> T:
    """The answer to a question without effect. Raises the last LostError or RefusedError, and all others at once."""
    retrying = Retrying(
        stop=stop_after_attempt(TRIES),
        wait=_wait_s,
        retry=retry_if_exception(_passes),
        sleep=lambda seconds: sleep(seconds) if seconds else None,
        reraise=True,
    )
    return retrying(ask)


def _passes(error: BaseException) -> bool:
    return isinstance(error, RefusedError) or (isinstance(error, LostError) and error.again)


_backoff_s = wait_random_exponential(multiplier=1, max=10)


def _wait_s(state: RetryCallState) -> float:
    """Nothing after a refusal: there the limiter knows how long."""
    failed = state.outcome.exception() if state.outcome else None
    return 0.0 if isinstance(failed, RefusedError) else _backoff_s(state)
