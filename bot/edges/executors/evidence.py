"""From what was seen of a process and what its harness reported to the evidence of a job."""

import signal
import struct
from collections.abc import Iterator

from pydantic import ValidationError

from bot.edges.executors.confirm import Confirmed
from bot.edges.executors.events import Account
from bot.edges.executors.limits import EndedBy
from bot.edges.executors.supervise import Ended
from bot.model import CallPlace, DeviceFacts, Job, RunEvidence, RunRecord, RunStatus


def evidence(
    job: Job, sure: Confirmed, first: Account, *, sandboxed: bool = True, void: str | None = None
) -> RunEvidence:
    """All repeats, the facts of the first (and of its account) on top. What they show is judged elsewhere."""
    runs = sure.runs
    told = first.environment
    return RunEvidence.model_validate(
        {
            **dict(runs[0]),
            "device": told.device if told else DeviceFacts(type=job.device.partition(":")[0]),
            "environment": told.environment if told else {},
            "sandboxed": sandboxed,
            "runs": runs,
            "unconfirmed": sure.unconfirmed,
            "last_call": sure.last_call,
            "void": void,
            "smallest": sure.smallest,
            "script_sha256": job.script_sha256,
        }
    )


def record(job: Job, ended: Ended, account: Account) -> RunRecord:
    """One repeat's facts. An exit code that the end event bears out is no signal, whatever its number."""
    exit_code, signal_number = ended.exit_code, ended.signal
    if account.end is not None and exit_code is not None:
        signal_number = None
    elif signal_number is not None:
        exit_code = None
    refused = account.refused is not None and ended.ended_by is EndedBy.EXIT and exit_code not in (None, 0)
    status = RunStatus.REFUSED if refused else _status(ended.ended_by, exit_code)
    return RunRecord(
        status=status,
        exit_code=exit_code,
        signal=signal_number,
        duration_s=round(ended.duration_s, 3),
        stdout=ended.stdout,
        stderr=ended.stderr,
        truncated=ended.truncated,
        ops=account.end.ops if account.end else (),
        divergences=account.divergences,
        raised=account.end.raised if account.end else None,
        why="; ".join(_whys(job, ended, account, status, signal_number)),
        observed=account.end is not None,
        checked=account.end.checked if account.end else 0,
        unchecked=account.end.unchecked if account.end else {},
        underway=_underway(ended.crumb) if status in (RunStatus.TIMEOUT, RunStatus.KILLED) else None,
    )


_CRUMB = struct.Struct("<BQH")
_RUNNING = 1


def _underway(crumb: bytes) -> CallPlace | None:
    """The call that the page names as running, see bot/harness/crumb.py; the script may have written there."""
    state, nth, length = _CRUMB.unpack_from(crumb)
    name = crumb[_CRUMB.size : _CRUMB.size + length].decode("ascii", "replace")
    try:
        return CallPlace(name=name, nth=nth) if state == _RUNNING else None
    except ValidationError:
        return None


def _status(ended_by: EndedBy, exit_code: int | None) -> RunStatus:
    if ended_by is EndedBy.TIMEOUT:
        return RunStatus.TIMEOUT
    if ended_by is not EndedBy.EXIT or exit_code is None:
        return RunStatus.KILLED
    return RunStatus.OK if exit_code == 0 else RunStatus.ERROR


def _whys(job: Job, ended: Ended, account: Account, status: RunStatus, signal_number: int | None) -> Iterator[str]:
    """Everything about a repeat that its numbers don't say."""
    if status is RunStatus.REFUSED:
        yield str(account.refused)
    ending = _ending(job, ended.ended_by)
    if ending:
        yield ending
    if signal_number is not None:
        yield f"ended by signal {signal_number} ({_signal_name(signal_number)})"
    if account.ignored:
        yield f"{account.ignored} lines on the harness's channel were no report and were ignored"
    if account.more_divergences:
        yield f"{account.more_divergences} further divergences were not kept"
    if ended.channel_truncated:
        yield "the harness's report was longer than is kept"
    if not ended.nothing_left:
        yield "a process could not be ended"


def _ending(job: Job, ended_by: EndedBy) -> str:
    return {
        EndedBy.EXIT: "",
        EndedBy.TIMEOUT: f"stopped after {job.timeout_s:g} s",
        EndedBy.MEMORY: f"stopped for using more than {job.memory_bytes >> 20} MiB of memory",
        EndedBy.PROCESSES: f"stopped for running more than {job.max_processes} processes",
        EndedBy.OUTPUT: "stopped for printing without end",
        EndedBy.THREADS: "stopped for running more threads than any script needs",
        EndedBy.FILES: "stopped for making more files than any script needs",
    }[ended_by]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "a real-time signal"
