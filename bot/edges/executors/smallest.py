"""The smallest forms of what a job's runs show, each tried before it is believed."""

import json
from collections.abc import Iterator

from bot.edges.executors.confirm import Confirmed, Launch
from bot.model import Divergence, Job, Smallest

MOST = 4
"""Forms looked for in one job: one for each operator, kernel and kind of divergence."""
SECONDS = 240.0


def smallest_of(job: Job, sure: Confirmed, launch: Launch) -> tuple[Smallest, ...]:
    """Look for them in a clean process; a script that does not show the divergence by itself is left out."""
    chosen = list(_chosen(sure))[:MOST]
    if not chosen:
        return ()
    asked = [{"call": sure.calls[one.kin], "kind": one.kind.value, "output": one.output} for one in chosen]
    plain = {"write_down": None, "smallest": False, "repeats": 1}
    looking = {"script": json.dumps(asked), "form": "smallest", "timeout_s": max(job.timeout_s, SECONDS), **plain}
    _, account = launch(job.model_copy(update=looking))
    found: list[Smallest] = []
    for event in account.smallest[:MOST]:
        one = event.smallest
        if one.script is not None:
            run, told = launch(job.model_copy(update={"script": one.script, **plain}))
            shows = any((each.op, each.kind) == (one.op, one.kind) for each in told.divergences)
            if run.exit_code != 1 or run.raised is not None or not shows:
                one = one.model_copy(update={"script": None})
        if event.place < len(chosen):
            found.append(one.model_copy(update={"sibling": chosen[event.place].sibling}))
    return tuple(found)


def _chosen(sure: Confirmed) -> Iterator[Divergence]:
    """One divergence of each operator, kernel and kind, as the first run tells them."""
    seen: set[tuple[str, str, str]] = set()
    for one in sure.runs[0].divergences:
        key = (one.op, one.sibling, one.kind.value)
        if one.kin in sure.calls and key not in seen:
            seen.add(key)
            yield one
