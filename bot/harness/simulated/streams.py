"""Streams and events of a device that does everything at once, in order."""

import time
from typing import Any

from .device import XPU


class Event:
    """`torch.xpu.Event`: remembers when it was recorded."""

    def __init__(self, device: Any = None, *, enable_timing: bool = False, **_: Any) -> None:
        self._timed = enable_timing
        self.device = XPU
        self.event_id = id(self)
        self._at_s: float | None = None

    def record(self, stream: Any = None) -> None:
        """Now."""
        self._at_s = time.perf_counter()

    def elapsed_time(self, end_event: "Event") -> float:
        """Milliseconds between two recorded events. Raises RuntimeError where there is no time."""
        if not (self._timed and end_event._timed):
            raise RuntimeError("Both events must be created with argument 'enable_timing=True'.")
        if self._at_s is None or end_event._at_s is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        return (end_event._at_s - self._at_s) * 1e3

    def query(self) -> bool:
        """True: all work is done."""
        return True

    def wait(self, stream: Any = None) -> None:
        """Nothing to wait for."""

    def synchronize(self) -> None:
        """Nothing to wait for."""


class Stream:
    """`torch.xpu.Stream`: every one is the same queue."""

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        self.device, self.priority = XPU, priority
        self.device_index, self.device_type, self.stream_id, self.sycl_queue = 0, 12, 0, 0

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def query(self) -> bool:
        """True: all work is done."""
        return True

    def is_capturing(self) -> bool:
        """False: nothing is recorded."""
        return False

    def wait_stream(self, stream: Any) -> None:
        """Nothing to wait for."""

    def wait_event(self, event: Any) -> None:
        """Nothing to wait for."""

    def record_event(self, event: Event | None = None) -> Event:
        """An event, recorded now."""
        event = event or Event()
        event.record(self)
        return event

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to restore."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return 0


DEFAULT = Stream()
