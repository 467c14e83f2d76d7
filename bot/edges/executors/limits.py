"""What a run may use, and how it ended."""

from enum import StrEnum

from pydantic import Field

from bot.model import Value


class EndedBy(StrEnum):
    """Who ended a run: itself, or the limit it was over."""

    EXIT = "exit"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    PROCESSES = "processes"
    OUTPUT = "output"
    THREADS = "threads"
    FILES = "files"


class Limits(Value):
    """Ceilings that are watched from outside."""

    timeout_s: float = Field(gt=0)
    memory_bytes: int = Field(gt=0)
    """Of all processes together, a shared page counted once."""
    max_processes: int = Field(ge=1)
    """In the sandbox its first process counts too."""
    max_threads: int = Field(default=4_096, ge=1)
    """Of all processes together: each costs the kernel memory, and the machine one of its process numbers."""
    max_files: int = Field(default=100_000, ge=1)
    """Files and folders in `/tmp` and in `/dev/shm`: an empty one costs a kilobyte that its size does not count."""
    output_bytes: int = Field(default=1 << 20, ge=2)
    """Kept of each stream: half of it head, half tail."""
    flood_bytes: int = Field(default=1 << 30, ge=1)
    """A stream that is longer than this ends the run."""
    channel_bytes: int = Field(default=64 << 20, ge=1)
    """Kept of the channel: its head."""
