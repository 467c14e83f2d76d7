"""What counts is a replay: the calls of a script are made again, by themselves, in clean processes.

A script runs in one process with its observer and may patch torch under it, forge events or write to the page that
names the running call. None of that is evidence. The arguments of a suspect call are numbers; the same call with them
in a process that has seen no script either shows the same, or the suspicion counts for nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from bot.edges.executors.events import Account
from bot.model import Divergence, Job, LastCall, RunRecord, RunStatus, Smallest

Launch = Callable[[Job], tuple[RunRecord, Account]]
"""One cold process for a job."""

Kin = tuple[str, str, str, str, int, str | None]
"""See `Divergence.kin`."""
ROUNDS = 4
"""Processes for the calls of one job: a call that ends its process leaves those behind it for the next."""
CLEAN_PROCESSES = 2
"""In so many a crash or a hang must show again."""
HANG_S = 60.0
"""Deadline of a call that is made again, unless the job's own is shorter."""


class Confirmed(NamedTuple):
    """A job's runs with what the replay bears out, and what it does not."""

    runs: tuple[RunRecord, ...]
    unconfirmed: tuple[str, ...] = ()
    last_call: LastCall | None = None
    calls: Mapping[Kin, dict[str, Any]] = MappingProxyType({})
    """The calls that diverge in a clean process too, written down."""
    smallest: tuple[Smallest, ...] = ()


def confirm(job: Job, runs: Sequence[RunRecord], accounts: Sequence[Account], launch: Launch) -> Confirmed:
    """Make the suspect calls of a job's runs again. `accounts` are those of the runs, in their order."""
    last_call = _last_call(job, runs, launch)
    if not any(run.divergences for run in runs):
        return Confirmed(tuple(runs), last_call=last_call)
    suspects = _suspects(accounts)
    shown = _replay(job, [call for call in suspects.values() if call is not None], launch)
    again = {
        kin: next((one for one in shown if one.kin == kin), None) for kin, call in suspects.items() if call is not None
    }
    borne_out = {kin: one for kin, one in again.items() if one is not None}
    unconfirmed = tuple(_unconfirmed(suspects, borne_out))
    calls = {kin: call for kin, call in suspects.items() if call is not None and kin in borne_out}
    return Confirmed(tuple(_kept(run, runs[0], borne_out) for run in runs), unconfirmed, last_call, calls)


def _suspects(accounts: Sequence[Account]) -> dict[Kin, dict[str, Any] | None]:
    """Each kind of divergence once, with the first call that is said to show it."""
    found: dict[Kin, dict[str, Any] | None] = {}
    for account in accounts:
        for one, call in zip(account.divergences, account.calls, strict=True):
            if found.get(one.kin) is None:
                found[one.kin] = call
    return found


def _replay(job: Job, calls: Sequence[dict[str, Any]], launch: Launch) -> list[Divergence]:
    """The divergences of these calls in clean processes."""
    shown: list[Divergence] = []
    for _ in range(ROUNDS):
        if not calls:
            break
        _, account = launch(_of_calls(job, calls))
        shown += [
            one.model_copy(update={"kernels": account.kernels.get(one.line, ()) if one.line is not None else ()})
            for one in account.divergences
        ]
        calls = calls[len(account.replayed) + 1 :]
    return shown


def _of_calls(job: Job, calls: Sequence[dict[str, Any]]) -> Job:
    script = json.dumps(list(calls))
    return job.model_copy(update={"script": script, "form": "calls", "write_down": None, "repeats": 1})


def _unconfirmed(suspects: dict[Kin, dict[str, Any] | None], borne_out: dict[Kin, Divergence]) -> Iterator[str]:
    for kin, call in suspects.items():
        what = f"{kin[0]} in {kin[2]} ({kin[3]})"
        if call is None:
            yield f"{what} could not be made again in a clean process: its arguments can't be written down"
        elif kin not in borne_out:
            yield f"{what} did not show when the same call was made in a clean process"


def _kept(run: RunRecord, first: RunRecord, borne_out: dict[Kin, Divergence]) -> RunRecord:
    """The divergences of a run that a clean process bears out, with that process's numbers where they are equal.

    A run whose numbers differ from the first one's keeps its own: that repeats differ is told, not hidden.
    """
    firsts = {one.signature for one in first.divergences}
    kept: list[Divergence] = []
    for one in run.divergences:
        clean = borne_out.get(one.kin)
        if clean is not None:
            own = {"line": one.line}
            kept.append(clean.model_copy(update=own) if one.signature in firsts else one)
    return run.model_copy(update={"divergences": tuple(dict.fromkeys(kept))})


def _last_call(job: Job, runs: Sequence[RunRecord], launch: Launch) -> LastCall | None:
    """The call that ended a run, if it ends clean processes too."""
    ended = next((run for run in runs if run.underway is not None and _how(run)), None)
    if ended is None or ended.underway is None:
        return None
    _, account = launch(job.model_copy(update={"write_down": ended.underway, "repeats": 1}))
    begins = account.begins
    if begins is None or begins.call is None:
        return None
    alone = _of_calls(job, [begins.call]).model_copy(update={"timeout_s": min(job.timeout_s, HANG_S)})
    clean = [launch(alone) for _ in range(CLEAN_PROCESSES)]
    told = clean[0][1].begins  # which call it is the clean process says: the script may have lied
    if told is None:
        return None
    how = str(_how(ended))
    return LastCall(
        op=told.op,
        calls=told.calls,
        how=how,
        shown=[_how(run) for run, _ in clean].count(how),
        tried=len(clean),
        native=told.native,
    )


_FATAL = {4, 6, 7, 8, 11}


def _how(run: RunRecord) -> str | None:
    """`hang`, `signal 11`, or None for a run that nothing of its own making ended."""
    if run.status is RunStatus.TIMEOUT:
        return "hang"
    return f"signal {run.signal}" if run.status is RunStatus.KILLED and run.signal in _FATAL else None
