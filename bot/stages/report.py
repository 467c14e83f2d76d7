"""report: what became of a window, for people (Markdown) and programs (JSON, one ledger line an item)."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jinja2 import Environment

from bot.model import Case, Draft, Finding, FrozenHeads, Item, Outcome, OutcomeKind, Ruling, Window, rfc3339


def ledger(cases: Iterable[Case], rulings: Mapping[str, Ruling]) -> list[dict[str, Any]]:
    """One entry for each item: its outcome and the reason; a chain's other members point to their leader.

    A leader's class is its case's, as the store kept it. `rulings` of the members are by item key.
    """
    pairs = [(case, item) for case in cases for item in case.items]
    return [_entry(case, item, rulings) for case, item in sorted(pairs, key=lambda pair: pair[1].order)]


def _entry(case: Case, item: Item, rulings: Mapping[str, Ruling]) -> dict[str, Any]:
    outcome = case.outcome or Outcome(kind=OutcomeKind.HELD, stage="scan", reason="the scan was interrupted")
    leader = case.leader
    merged = item is not leader
    ruling = rulings.get(item.key, case.ruling) if merged else case.ruling
    name = leader.key if leader.repo != item.repo else leader.key.removeprefix(leader.repo)
    entry: dict[str, Any] = {
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
        "ops": list(ruling.ops),
        "defect_kind": ruling.defect_kind.value,
        "bucket": case.judgement.bucket.value if case.judgement else None,
        "verdict": case.judgement.verdict.value if case.judgement else None,
        "fingerprint": case.finding.fingerprint if isinstance(case.finding, Finding) else None,
        "look_again_at": rfc3339(outcome.look_again_at) if outcome.look_again_at and not merged else None,
    }
    return entry


def report_facts(
    window: Window, heads: FrozenHeads, device: str, cases: Sequence[Case], rulings: Mapping[str, Ruling]
) -> dict[str, Any]:
    """`report.json`: the window, its heads, the funnel and the findings."""
    entries = ledger(cases, rulings)
    return {
        "window": str(window),
        "device": device,
        "heads": heads.as_json(),
        "counts": {
            "items": len(entries),
            "cases": len(cases),
            "candidates": sum(case.ruling.candidate for case in cases),
            "ran": sum(case.judgement is not None for case in cases),
            "outcomes": dict(sorted(Counter(entry["outcome"] for entry in entries).items())),
        },
        "findings": [_finding_facts(case) for case in cases if isinstance(case.draft, Draft)],
        "items": entries,
    }


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
        "reproducer": f"reproducers/{fingerprint}.py",
        **case.finding.as_json(),
    }


def files_of(facts: dict[str, Any], cases: Sequence[Case], templates: Environment) -> dict[str, str]:
    """Every file of a scan's output folder by its name."""
    texts = {
        "report.json": json.dumps(facts, indent=2, ensure_ascii=False) + "\n",
        "report.md": templates.get_template("report/report.md.j2").render(facts).strip() + "\n",
        "ledger.jsonl": "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in facts["items"]),
    }
    numbers = Counter(case.leader.number for case in cases)
    for case in cases:
        if isinstance(case.finding, Finding) and isinstance(case.draft, Draft):
            name = case.finding.fingerprint
            texts[f"drafts/{name}.md"] = f"# {case.draft.title}\n\n{case.draft.body}"
            texts[f"reproducers/{name}.py"] = case.draft.reproducer
        alone = numbers[case.leader.number] == 1
        texts.update(_logs(case, "" if alone else case.leader.repo.replace("/", ".") + "."))
    return texts


def _logs(case: Case, prefix: str) -> dict[str, str]:
    """What each repeat printed. `prefix` tells two repositories' items of the same number apart."""
    texts = {}
    for number, record in enumerate(getattr(case.evidence, "runs", ()), start=1):
        stem = f"logs/{prefix}{case.leader.number}.{number}"
        texts[f"{stem}.stdout.txt"] = record.stdout
        texts[f"{stem}.stderr.txt"] = record.stderr
    return texts
