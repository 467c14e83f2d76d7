"""What people see. Tables by rich, with strangers' text as text."""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.edges.github.limiter import Spent
from bot.model import Case, Draft, Finding, RunEvidence, Smallest, Window
from bot.stages.markup import numbers, visible

OUTPUT_SHOWN = 4_000


def emit(content: Any) -> None:
    """JSON on standard output, and nothing that JSON has no word for."""
    json.dump(_without_nan(content), sys.stdout, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def _without_nan(content: Any) -> Any:
    """NaN and infinities by the names that the models give them in JSON."""
    if isinstance(content, float) and not math.isfinite(content):
        return "NaN" if math.isnan(content) else "Infinity" if content > 0 else "-Infinity"
    if isinstance(content, dict):
        return {name: _without_nan(member) for name, member in content.items()}
    return [_without_nan(member) for member in content] if isinstance(content, list | tuple) else content


def print_scan(facts: dict[str, Any], out: Path) -> None:
    """The funnel, the findings, and where to read on."""
    counts, reading = facts["counts"], facts["reading"]
    _say(f"{facts['window']} on {facts['device']}:")
    if reading is not None:
        _say(f"  {reading['state']}{': ' if reading['why'] else ''}{reading['why']}")
    _say(f"  {counts['items']} items, {counts['candidates']} candidates, {counts['ran']} ran on the device")
    _say("  " + ", ".join(f"{number} {outcome}" for outcome, number in counts["outcomes"].items()))
    for finding in facts["findings"]:
        _say(f"\n{finding['title']}")
        _say(f"  {finding['bucket']}, {finding['verdict']}: {finding['why']}")
        _say(f"  draft       {out / finding['draft']}")
        _say(f"  reproducer  {out / finding['reproducer'] if finding['reproducer'] else 'none: nothing ran'}")
    if not facts["findings"]:
        _say("\nno finding")
    _say(f"\nreport      {out / 'report.md'}")
    _say(f"every item  {out / 'ledger.jsonl'}")


def print_spent(spent: Mapping[str, Spent]) -> None:
    """What was asked of GitHub, on standard error: it is about this run, not about the window."""
    points = sum(one.points for one in spent.values())
    requests = sum(one.requests for one in spent.values())
    told = ", ".join(f"{one.requests} {resource}" for resource, one in sorted(spent.items()) if one.requests)
    print(f"GitHub: {points} points, {requests} requests{f' ({told})' if told else ''}", file=sys.stderr)  # noqa: T201


def print_waiting(window: str | None, error: Exception) -> None:
    """That a window was not scanned, and when it may be; on standard error, for there is no report."""
    print(f"alignbot: {window} has to wait: {' '.join(str(error).split())}", file=sys.stderr)  # noqa: T201


def print_windows(facts: Sequence[Mapping[str, Any]], otherwise: str) -> None:
    """Windows as a table, with the reason for each that is not closed."""
    if not facts:
        _say(otherwise)
        return
    rows = [
        [
            _short(Window.parse(one["window"])),
            one["state"],
            ", ".join(f"{kind} {count}" for kind, count in one["counts"].items() if count),
            ", ".join(f"{device} {state}" for device, state in one["scans"].items()),
            one["why"],
        ]
        for one in facts
    ]
    print_table(["window", "state", "items", "scans", "why"], rows)


def print_collected(facts: Mapping[str, Any]) -> None:
    """A window, and the archive that was made of it."""
    print_windows([facts], "")
    if facts["archive"]:
        _say(f"\narchive  {facts['archive']}")


def _short(window: Window) -> str:
    """`2026-11-11` for that day, else both ends: as one would type it."""
    day = window.start.date()
    return str(day) if Window.parse(str(day)) == window else str(window)


def print_evidence(evidence: RunEvidence) -> None:
    """Bucket and reason, the divergences as a table, then what the script printed."""
    _say(f"{evidence.bucket}: {evidence.why}")
    name = f" ({evidence.device.name})" if evidence.device.name else ""
    _say(f"status {evidence.status}, exit code {evidence.exit_code}, device {evidence.device.type}{name}")
    for record in evidence.runs[:1]:
        left = ", ".join(f"{reason} {calls}" for reason, calls in record.unchecked.items())
        _say(f"{record.checked} calls compared" + (f"; not compared: {left}" if left else ""))
    if evidence.divergences:
        rows = [
            [one.op, one.dtype, one.kind.value, numbers(one.observed), numbers(one.expected),
             f"{one.ulps:g}" if one.ulps is not None else "", numbers(one.control.observed) if one.control else ""]
            for one in evidence.divergences
        ]  # fmt: skip
        print_table(["operator", "dtype", "kind", "observed", "expected", "ulps", "control"], rows)
    for told in evidence.unconfirmed:
        _say(f"not counted: {told}")
    for least in evidence.smallest:
        _print_smallest(least)
    for title, text in (("printed", evidence.stdout), ("standard error", evidence.stderr)):
        if text.strip():
            _say(f"\n{title}{' (cut)' if evidence.truncated or len(text) > OUTPUT_SHOWN else ''}:")
            _say(text[:OUTPUT_SHOWN].rstrip())


def _print_smallest(least: Smallest) -> None:
    """What is smallest, its relatives as a table, and the script."""
    _say(f"\nsmallest: {least.calls}")
    rows = [
        [one.what, one.shows, str(one.starts_at or ""), numbers(one.observed or ""), numbers(one.expected or "")]
        for one in least.relatives
        if one.shows != "absent"
    ]
    if rows:
        print_table(["relative", "shows", "from size", "observed", "expected"], rows)
    if least.script:
        _say("stands alone, exit code 0 right, 1 wrong:")
        _say(least.script.rstrip())


def print_findings(found: list[tuple[Finding, Draft, Case]], decided: Mapping[str, str]) -> None:
    """The queue as a table; `decided` is the last decision by fingerprint."""
    if not found:
        _say("no findings; `alignbot scan --sample --device cpu` makes one")
        return
    rows = [
        [finding.fingerprint, draft.title, " ".join(item.key for item in case.items),
         "yes" if draft.fileable else "no", decided.get(finding.fingerprint, "")]
        for finding, draft, case in found
    ]  # fmt: skip
    print_table(["fingerprint", "title", "upstream", "may be filed", "decision"], rows)


def print_table(columns: list[str], rows: list[list[str]]) -> None:
    """A table on standard output."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    Console().print(table)


def _say(text: str) -> None:
    Console(soft_wrap=True, markup=False, highlight=False, emoji=False).print(visible(text), markup=False)
