"""The pipes of a run: what it writes is taken as it comes, capped, for as long as somebody waits for it."""

import contextlib
import os
import selectors
import time
from collections.abc import Iterator

from bot.edges.executors.capture import Capture
from bot.edges.executors.limits import Limits

_CHUNK = 1 << 16


class Streams:
    """The reading ends of a run's pipes, and what came out of them."""

    def __init__(self, limits: Limits) -> None:
        half = limits.output_bytes // 2
        self.stdout, self.stderr = Capture(half, half), Capture(half, half)
        self.channel, self.status = Capture(limits.channel_bytes), Capture(1 << 16)
        self._flood_bytes = limits.flood_bytes
        self._selector = selectors.DefaultSelector()

    @contextlib.contextmanager
    def open(self) -> Iterator[list[int]]:
        """Four writing ends, in the order stdout, stderr, channel, status; whoever passes them on closes them."""
        writers: list[int] = []
        with contextlib.ExitStack() as stack, self._selector:
            for capture in (self.stdout, self.stderr, self.channel, self.status):
                reader, writer = os.pipe()
                stack.callback(os.close, reader)
                os.set_blocking(reader, False)
                self._selector.register(reader, selectors.EVENT_READ, capture)
                writers.append(writer)
            try:
                yield writers
            finally:
                close_all(writers)

    @contextlib.contextmanager
    def woken_by(self, pid: int) -> Iterator[None]:
        """Within it, `read` also returns when that child has ended. A kernel without pidfd_open only answers later."""
        try:
            end = os.pidfd_open(pid)
        except OSError:
            yield
            return
        self._selector.register(end, selectors.EVENT_READ)
        try:
            yield
        finally:
            self._selector.unregister(end)
            os.close(end)

    def read(self, timeout_s: float) -> None:
        """Take what is there, waiting at most so long for it."""
        for key, _ in self._selector.select(max(timeout_s, 0)):
            if key.data is None:
                continue
            try:
                chunk = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if chunk:
                key.data.add(chunk)
            else:
                self._selector.unregister(key.fd)

    def drain(self, timeout_s: float) -> None:
        """Read to the end of all pipes, or for so long: somebody may keep one open."""
        until = time.monotonic() + timeout_s
        while self._selector.get_map() and time.monotonic() < until:
            self.read(until - time.monotonic())

    def flooded(self) -> bool:
        """Is a stream longer than any script needs?"""
        streams = (self.stdout, self.stderr, self.channel)
        return any(stream.total_bytes > self._flood_bytes for stream in streams)


def close_all(descriptors: list[int]) -> None:
    """Close each once; the list is empty afterwards."""
    while descriptors:
        os.close(descriptors.pop())
