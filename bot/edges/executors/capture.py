"""What is kept of a stream that may never end."""


class Capture:
    """Keeps the first `head_bytes` and the last `tail_bytes` of what is added; counts all of it."""

    def __init__(self, head_bytes: int, tail_bytes: int = 0) -> None:
        self._head_bytes, self._tail_bytes = head_bytes, tail_bytes
        self._head, self._tail = bytearray(), bytearray()
        self.total_bytes = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        self.total_bytes += len(chunk)
        room = self._head_bytes - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk and self._tail_bytes:
            self._tail += chunk
            # Cut in batches: a cut for every chunk would move the whole tail each time.
            if len(self._tail) > 2 * self._tail_bytes:
                del self._tail[: -self._tail_bytes]

    @property
    def truncated(self) -> bool:
        """Was anything left out?"""
        return self.total_bytes > self._head_bytes + self._tail_bytes

    def kept(self) -> bytes:
        """Head and tail, with a line between them that counts what is missing."""
        tail = bytes(self._tail[-self._tail_bytes :]) if self._tail_bytes else b""
        if not self.truncated:
            return bytes(self._head) + tail
        missing = self.total_bytes - len(self._head) - len(tail)
        return bytes(self._head) + f"\n[... {missing} bytes left out ...]\n".encode() + tail

    @classmethod
    def of(cls, head: bytes, tail: bytes, total_bytes: int) -> "Capture":
        """One that somebody else has filled."""
        made = cls(len(head), len(tail))
        made._head, made._tail, made.total_bytes = bytearray(head), bytearray(tail), total_bytes
        return made

    def head(self) -> bytes:
        """The head alone."""
        return bytes(self._head)

    def text(self) -> str:
        """What was kept, as UTF-8; bytes that are none become U+FFFD."""
        return self.kept().decode("utf-8", errors="replace")
