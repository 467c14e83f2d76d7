"""`findings approve|snooze|retest`: what a person decides of a finding before it is filed, and after."""

from typing import Annotated

import typer

from bot.cli.findings import Fingerprint, Reason, decide, findings
from bot.cli.stages import Json


def add_to(_: typer.Typer) -> None:
    """They are part of `findings`."""


By = Annotated[str, typer.Option("--by", help="Who says it; the user's name without.")]


@findings.command("approve")
def findings_approve(fingerprint: Fingerprint, reason: Reason, by: By = "", json: Json = False) -> int:
    """Let a finding be filed as far as the gate's evidence holds. Exit code 1 when there is no such finding."""
    from bot.model import DecisionKind

    code = decide(fingerprint, DecisionKind.APPROVE, reason, by=by, json=json)
    if code == 0:
        _tell_what_is_in_its_way(fingerprint)
    return code


@findings.command("snooze")
def findings_snooze(
    fingerprint: Fingerprint,
    reason: Reason,
    length: Annotated[str, typer.Option("--for", help="For how long: 14d, 6h.")] = "14d",
    by: By = "",
    json: Json = False,
) -> int:
    """Leave a finding alone for a while. Exit code 1 when there is no such finding."""
    from bot import outgoing, wire
    from bot.model import DecisionKind

    until = wire.SystemClock().now() + outgoing.span_of(length)
    return decide(fingerprint, DecisionKind.SNOOZE, reason, by=by, until=until, json=json)


@findings.command("retest")
def findings_retest(fingerprint: Fingerprint, reason: Reason, by: By = "", json: Json = False) -> int:
    """Have a finding's reproducer run again by the next `watch`. Exit code 1 when there is no such finding."""
    from bot.model import DecisionKind

    return decide(fingerprint, DecisionKind.RETEST, reason, by=by, json=json)


def _tell_what_is_in_its_way(fingerprint: str) -> None:
    """On standard error: an approval replaces no evidence, and nobody should wait for what never comes."""
    import sys

    from bot import config, wire
    from bot.cli.meant import known, whole
    from bot.model import Wait

    settings, _ = config.load()
    with wire.store(settings) as store:
        said = wire.gate(settings, store)(str(whole(known(store), fingerprint)))
    if isinstance(said, Wait):
        print(f"it does not leave yet: {said.reason}", file=sys.stderr)  # noqa: T201
