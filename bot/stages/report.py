"""report: what became of a window, for people (Markdown) and programs (JSON, one ledger line an item)."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment

from bot.model import (
    Case,
    Draft,
    Finding,
    FrozenHeads,
    Item,
    Outcome,
    OutcomeKind,
    Reading,
    ReadingState,
    Ruling,
    RunEvidence,
    Standing,
    Window,
    rfc3339,
)
from bot.stages.state import standings

Entry = dict[str, Any]
"""One line of the ledger."""


@dataclass(frozen=True, slots=True)
class Scan:
    """What became of a window: a line for every item, and of the cases only those that a report has files of."""

    window: Window
    heads: FrozenHeads
    device: str
    reading: Reading | None
    """How whole the window is; None where nobody counted."""
    counts: Mapping[str, int]
    """`cases`, and how many of them are `candidates`, `ran` and are `held`."""
    entries: Sequence[Entry]
    """The ledger, ordered by item."""
    cases: Sequence[Case]
    """Those that ran or have a finding, ordered by leader."""

    @property
    def held(self) -> bool:
        """Does any case wait for the world, or the window for the rest of its items?"""
        return bool(self.counts["held"]) or (self.reading is not None and self.reading.state is ReadingState.OPEN)


def scanned(
    window: Window, heads: FrozenHeads, device: str, reading: Reading | None, told: Iterable[tuple[Case, list[Entry]]]
) -> Scan:
    """Sum up cases and their ledger entries as they come, ordered by leader; only what a report needs is kept."""
    counts: Counter[str] = Counter(cases=0, candidates=0, ran=0, held=0)
    entries: list[tuple[tuple[str, str], Entry]] = []
    shown: list[Case] = []
    for case, lines in told:
        held = case.outcome is not None and case.outcome.kind is OutcomeKind.HELD
        counts.update(cases=1, candidates=case.ruling.candidate, ran=case.judgement is not None, held=held)
        entries += zip((item.order for item in case.items), lines, strict=True)
        if isinstance(case.evidence, RunEvidence) or isinstance(case.finding, Finding):
            shown.append(case)
    entries.sort(key=lambda pair: pair[0])
    return Scan(window, heads, device, reading, counts, [entry for _, entry in entries], shown)


def entries_of(case: Case, rulings: Mapping[str, Ruling]) -> list[Entry]:
    """A ledger entry for each item: its outcome and the reason; a chain's other members point to their leader.

    A leader's class is its case's, as the store kept it. `rulings` of the members are by item key.
    """
    known = standings(case.items)
    return [_entry(case, item, known[item.key], rulings) for item in case.items]


def _entry(case: Case, item: Item, standing: Standing, rulings: Mapping[str, Ruling]) -> Entry:
    outcome = case.outcome or Outcome(kind=OutcomeKind.HELD, stage="scan", reason="the scan was interrupted")
    leader = case.leader
    merged = item is not leader
    ruling = rulings.get(item.key, case.ruling) if merged else case.ruling
    name = leader.key if leader.repo != item.repo else leader.key.removeprefix(leader.repo)
    return {
        "repo": item.repo,
        "number": item.number,
        "kind": item.kind.value,
        "title": item.title,
        "class": ruling.item_class.value,
        "candidate": ruling.candidate,
        "outcome": OutcomeKind.MERGED.value if merged else outcome.kind.value,
        "stage": "classify" if merged else outcome.stage,
        "reason": f"one upstream change with {name}, which speaks for it" if merged else outcome.reason,
        "leader": leader.number,
        "state": standing.state.value,
        "ownership": case.ownership.ownership.value if case.ownership else None,
        "ops": list(ruling.ops),
        "defect_kind": ruling.defect_kind.value,
        "bucket": case.judgement.bucket.value if case.judgement else None,
        "verdict": case.judgement.verdict.value if case.judgement else None,
        "fingerprint": case.finding.fingerprint if isinstance(case.finding, Finding) else None,
        "look_again_at": rfc3339(outcome.look_again_at) if outcome.look_again_at and not merged else None,
    }


def report_facts(scan: Scan) -> dict[str, Any]:
    """`report.json`: the window, its heads, how whole it is, the funnel and the findings."""
    outcomes = Counter(entry["outcome"] for entry in scan.entries)
    return {
        "window": str(scan.window),
        "device": scan.device,
        "heads": scan.heads.as_json(),
        "reading": _reading_facts(scan.reading) if scan.reading else None,
        "counts": {
            "items": len(scan.entries),
            **{name: scan.counts[name] for name in ("cases", "candidates", "ran")},
            "outcomes": dict(sorted(outcomes.items())),
        },
        "findings": [_finding_facts(case) for case in scan.cases if isinstance(case.draft, Draft)],
        "items": scan.entries,
    }


def _reading_facts(reading: Reading) -> dict[str, Any]:
    facts = reading.as_json()
    return {name: facts[name] for name in ("state", "why", "counts", "proof")}


def _finding_facts(case: Case) -> dict[str, Any]:
    assert isinstance(case.finding, Finding)  # noqa: S101  a draft is made of a finding
    assert isinstance(case.draft, Draft)  # noqa: S101
    assert case.judgement is not None  # noqa: S101
    fingerprint = case.finding.fingerprint
    return {
        "fingerprint": fingerprint,
        "title": case.draft.title,
        "fileable": case.draft.fileable,
        "bucket": case.judgement.bucket.value,
        "verdict": case.judgement.verdict.value,
        "why": case.judgement.why,
        "upstream": [item.key for item in case.items],
        "draft": f"drafts/{fingerprint}.md",
        "reproducer": f"reproducers/{fingerprint}.py" if case.draft.reproducer else None,
        **case.finding.as_json(),
    }


def files_of(facts: dict[str, Any], cases: Sequence[Case], templates: Environment) -> dict[str, str]:
    """Every file of a scan's output folder by its name."""
    texts = {
        "report.json": _indented(facts) + "\n",
        "report.md": templates.get_template("report/report.md.j2").render(facts).strip() + "\n",
        "ledger.jsonl": "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in facts["items"]),
    }
    numbers = Counter(entry["number"] for entry in facts["items"])
    for case in cases:
        if isinstance(case.finding, Finding) and isinstance(case.draft, Draft):
            name = case.finding.fingerprint
            texts[f"drafts/{name}.md"] = f"# {case.draft.title}\n\n{case.draft.body}"
            if case.draft.reproducer:
                texts[f"reproducers/{name}.py"] = case.draft.reproducer
        alone = numbers[case.leader.number] == 1
        texts.update(_logs(case, "" if alone else case.leader.repo.replace("/", ".") + "."))
    return texts


def _indented(facts: dict[str, Any]) -> str:
    """JSON for people. Piece by piece: `dumps` first makes a list of some million strings of a month's report."""
    text = io.StringIO()
    json.dump(facts, text, indent=2, ensure_ascii=False)
    return text.getvalue()


def _logs(case: Case, prefix: str) -> dict[str, str]:
    """What each repeat printed. `prefix` tells two repositories' items of the same number apart."""
    texts = {}
    for number, record in enumerate(getattr(case.evidence, "runs", ()), start=1):
        stem = f"logs/{prefix}{case.leader.number}.{number}"
        texts[f"{stem}.stdout.txt"] = record.stdout
        texts[f"{stem}.stderr.txt"] = record.stderr
    return texts
