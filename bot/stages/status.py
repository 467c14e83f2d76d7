"""status: how everything stands, in a short table for an issue of its own.

It holds no time of today: it changes only when something has.
"""

from collections.abc import Mapping, Sequence

from bot.model import Decision, Filed, Finding, Intent, IntentState, Outbound, WindowSummary
from bot.stages.hush import SILENT

STATUS = "0" * 16
"""Stands for a finding where something is about none."""
ABOUT = "status"
LAST_WINDOWS, MOST = 7, 30
WAITING = frozenset({IntentState.PLANNED, IntentState.SENDING, IntentState.UNKNOWN, IntentState.REFUSED})


def status_text(
    findings: Sequence[Finding],
    filed: Mapping[str, Filed],
    said: Mapping[str, Sequence[Decision]],
    waiting: Sequence[Intent],
    windows: Sequence[WindowSummary],
) -> str:
    """Counts, the findings that are filed, what waits, and the last windows, newest first."""
    counted = [one for one in findings if one.fingerprint not in filed and not _settled(said.get(one.fingerprint, ()))]
    late = [one for one in waiting if one.state in WAITING and one.fingerprint != STATUS]
    lines = [
        "| findings | filed | not filed yet | writes that wait |",
        "|---|---|---|---|",
        f"| {len(findings)} | {len(filed)} | {len(counted)} | {len(late)} |",
    ]
    here = [one for one in findings if one.fingerprint in filed]
    if here:
        lines += ["", "| issue | operator | defect |", "|---|---|---|"]
        ordered = sorted(here, key=lambda one: filed[one.fingerprint].number, reverse=True)
        lines += [f"| `#{filed[one.fingerprint].number}` | `{one.op}` | {one.defect_kind} |" for one in ordered[:MOST]]
    if windows:
        lines += ["", "| window | device | items | outcomes | state |", "|---|---|---|---|---|"]
        lines += [_window(one) for one in windows[:LAST_WINDOWS]]
    return "\n".join(lines)


def filed_of(intents: Sequence[Intent], repo: str, *, rehearsal: bool) -> dict[str, Filed]:
    """Where the issue of each finding is."""
    return {
        one.fingerprint: one.filed
        for one in intents
        if one.kind is Outbound.ISSUE and one.state is IntentState.DONE and one.filed is not None
        if (one.repo, one.rehearsal) == (repo, rehearsal)
    }


def _settled(said: Sequence[Decision]) -> bool:
    """Did people say that it is none?"""
    return bool(said) and said[-1].kind in SILENT


def _window(one: WindowSummary) -> str:
    outcomes = ", ".join(f"{count} {kind.value}" for kind, count in sorted(one.outcomes.items()))
    return f"| {one.window} | {one.device} | {one.items} | {outcomes or 'none'} | {one.state} |"
