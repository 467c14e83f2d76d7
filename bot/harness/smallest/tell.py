"""The smallest forms of the calls of a job, each told as one event."""

import json
from typing import Any

from ..calls import op_name, spelled
from ..capture import NotWritableError, read_back
from ..channel import Channel
from .probe import Probe, Shown, Variant
from .script import script_of
from .shrink import plain, smallest, wrong_of
from .vary import Relative, relatives

SECONDS = 40.0
"""For one call: a third for making it smaller, the rest for its relatives."""


def play(source: bytes, job: dict[str, Any], channel: Channel) -> None:
    """Read a JSON list of {`call`, `kind`, `output`}; tell of each what is smallest about it."""
    for place, asked in enumerate(json.loads(source)):
        try:
            func, args, kwargs = read_back(asked["call"], "cpu")
        except NotWritableError:
            continue
        told = of_call(Variant(func, args, kwargs), asked["kind"], asked["output"], job)
        if told is not None:
            channel.emit("smallest", place=place, smallest=told)


def of_call(variant: Variant, kind: str, output: int, job: dict[str, Any]) -> dict[str, Any] | None:
    """What is smallest about a call that diverges in this way, or None where it does not."""
    shrinking = Probe(job, SECONDS / 3)
    wrong = wrong_of(shrinking, kind, output)
    if not wrong(variant):
        return None
    plainer = plain(variant, wrong)
    least = smallest(plainer, wrong)
    shown = Probe(job, SECONDS).shows(least, kind, output)
    if shown.shows != "wrong":
        return None
    near = [_row(one) for one in relatives(plainer, Probe(job, SECONDS * 2 / 3), kind, output)]
    return {
        "op": op_name(variant.func),
        "overload": variant.func._overloadname,
        "dtype": shown.fields["dtype"],
        "kind": kind,
        "output": output,
        "calls": spelled(least.func, least.args, least.kwargs),
        "script": script_of(least, shown.fields, job["device"]),
        "relatives": near,
    }


def _row(one: Relative) -> dict[str, Any]:
    shown: Shown = one.shown
    return {
        "what": one.what,
        "shows": shown.shows,
        "observed": shown.fields.get("observed"),
        "expected": shown.fields.get("expected"),
        "starts_at": one.starts_at,
        "why": shown.why,
    }
