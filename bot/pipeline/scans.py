"""Scan: a window is gathered, and each of its upstream changes followed to its outcome, one after the other."""

from collections.abc import Iterator
from datetime import datetime

from bot.model import Case, Window
from bot.pipeline.following import take_up
from bot.pipeline.gathering import Gathered, gather
from bot.pipeline.line import Line
from bot.seams import Progress, Source
from bot.stages.begin import begin, chief_ruling
from bot.stages.chain import linked
from bot.stages.report import Entry, Scan, entries_of, scanned
from bot.stages.resume import resume
from bot.stages.series import series


def scan(source: Source, window: Window, line: Line, progress: Progress) -> Scan:
    """Read a window, classify it whole, and follow every case to its outcome. The caller says when it is finished.

    Raises InputError before any case is saved when the source can't be read or nothing could be run.
    """
    gathered = gather(source, window, line, progress)
    device, now = line.device, line.clock.now()
    if any(case.outcome is None and case.evidence is None for case, _ in _begun(gathered, window, line, now)):
        line.executor.ready()
    line.store.begin_scan(window, device, gathered.heads)
    line.store.retire(window, device, {group[0].key for group in gathered.groups}, now)
    progress.begin(len(gathered.groups))
    told = _followed(gathered, window, line, progress, now)
    return scanned(window, gathered.heads, device, gathered.reading, told)


def _followed(
    gathered: Gathered, window: Window, line: Line, progress: Progress, now: datetime
) -> Iterator[tuple[Case, list[Entry]]]:
    """Each case at its outcome, with its lines of the ledger."""
    for case, fresh in _begun(gathered, window, line, now):
        ended = take_up(case, fresh, line, progress)
        yield ended, entries_of(ended, gathered.rulings)


def _begun(gathered: Gathered, window: Window, line: Line, now: datetime) -> Iterator[tuple[Case, Case]]:
    """The window's cases one by one, ordered by leader: each as far as it is known, and as it would begin anew."""
    akin = series(gathered.groups, gathered.rulings)
    for group in gathered.groups:
        near = linked(group, gathered.near).union(akin.get(group[0].key, ()))
        fresh = begin(
            window,
            gathered.heads,
            line.device,
            tuple(line.store.items(window, [one.key for one in group])),
            chief_ruling(group, gathered.rulings),
            tuple(line.store.items(window, sorted(near))),
            now,
        )
        yield (
            resume(fresh, line.store.load_case(fresh.key), now, unsandboxed=line.unsandboxed, plan=line.simulate),
            fresh,
        )
