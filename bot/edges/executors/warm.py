"""Repeats from one warm process: torch is loaded once, each run is forked into fresh namespaces (bot/harness/warm.py).

The process that forks is the harness's own and nothing of the script reaches it, so what it says of a run (how it
ended, what it wrote) is as good as what is seen from outside. The first run of a job, which is the evidence, is never
one of these, nor is a replay.
"""

import base64
import json
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from bot.edges.executors.capture import Capture
from bot.edges.executors.limits import EndedBy
from bot.edges.executors.supervise import Ended, exit_of
from bot.model import Job, Value

LEAST = 2
"""Fewer runs than this don't pay for loading torch once more."""
START_S = 120.0
"""For loading torch."""
SPARE_S = 5.0
"""For each run, beside its own deadline."""
CHANNEL_BYTES = 8 << 20
EXTRA_PROCESSES = 3
"""The warm process, and for the run of the moment the two that hold its namespaces."""

_Bytes = Annotated[bytes, BeforeValidator(lambda text: base64.b64decode(text, validate=True))]


class _Stream(Value):
    head: _Bytes
    tail: _Bytes
    total: int = Field(ge=0)


class _Ran(Value):
    event: Literal["ran"]
    exit_code: int
    late: bool
    flooded: bool
    duration_s: float
    crumb: _Bytes
    streams: tuple[_Stream, _Stream, _Stream]


_RAN = TypeAdapter(_Ran)


def job_file(told: dict[str, object], job: Job, repeats: int, seccomp: bytes | None, flood_bytes: int) -> str:
    """The job as the warm process reads it."""
    more = {
        "warm": True,
        "repeats": repeats,
        "timeout_s": job.timeout_s,
        "output_bytes": job.output_bytes,
        "channel_bytes": CHANNEL_BYTES * 2,
        "flood_bytes": flood_bytes,
        "tmp_bytes": job.tmp_bytes,
        "seccomp": seccomp.hex() if seccomp else None,
    }
    return json.dumps({**told, **more})


def runs_of(channel: bytes) -> list[Ended]:
    """The runs that a warm process told of, in their order; a line that is none ends the list."""
    runs: list[Ended] = []
    for line in channel.split(b"\n")[:-1]:
        try:
            runs.append(_ended(_RAN.validate_json(line)))
        except ValidationError:
            break
    return runs


def _ended(ran: _Ran) -> Ended:
    stdout, stderr, channel = (Capture.of(one.head, one.tail, one.total) for one in ran.streams)
    ended_by = EndedBy.TIMEOUT if ran.late else EndedBy.OUTPUT if ran.flooded else EndedBy.EXIT
    exit_code, signal = exit_of(ran.exit_code, sandboxed=True) if ended_by is EndedBy.EXIT else (None, None)
    return Ended(
        ended_by=ended_by,
        exit_code=exit_code,
        signal=signal,
        stdout=stdout.text(),
        stderr=stderr.text(),
        truncated=stdout.truncated or stderr.truncated,
        duration_s=ran.duration_s,
        channel=channel.head(),
        channel_truncated=channel.truncated,
        crumb=ran.crumb,
        started=True,
        nothing_left=True,
    )
