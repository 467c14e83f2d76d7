"""Is the device well? A run on a sick one says nothing, and what a run did to it shows in the next one."""

from collections.abc import Callable

from bot.model import Job, RunRecord, RunStatus
from bot.seams import SandboxError

PROBE_S = 120.0
"""Deadline of a probe: torch is imported, the device wakes up, two small computations."""


class Health:
    """Asks before the first run and after every one; the answer after one run is the answer before the next."""

    def __init__(self, launch: Callable[[Job], RunRecord], device: str) -> None:
        self._launch, self._device = launch, device
        self._well = False

    def before(self) -> None:
        """Raises SandboxError where the device is not well: every case that needs it waits.

        Where there is none at all, the run itself is refused and says so.
        """
        if self._well:
            return
        run = self._asked()
        if run.status not in (RunStatus.OK, RunStatus.REFUSED):
            raise SandboxError(f"{self._device} is not well: {_why(run)}; look at its driver's log, or reset it")
        self._well = run.status is RunStatus.OK

    def after(self) -> str | None:
        """Why the run before counts for nothing, or None. Where it does not, the next `before` asks again."""
        if not self._well:
            return None
        run = self._asked()
        self._well = run.status is RunStatus.OK
        told = f"{self._device} was not well after the run, so that it counts for nothing: {_why(run)}"
        return None if self._well else told

    def _asked(self) -> RunRecord:
        return self._launch(Job(script="", device=self._device, form="probe", repeats=1, timeout_s=PROBE_S))


def _why(run: RunRecord) -> str:
    return run.raised or run.why or f"the probe ended with {run.status}"
