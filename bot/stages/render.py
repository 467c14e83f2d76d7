"""render: the draft of an issue, each sentence from a field of evidence; what is not established says so."""

import hashlib
import json
from typing import Any

from jinja2 import Environment

from bot.model import (
    Case,
    DefectKind,
    Divergence,
    Draft,
    Finding,
    Item,
    Judgement,
    OracleKind,
    Port,
    Reproducer,
    RunEvidence,
    Target,
    rfc3339,
)
from bot.stages.markup import numbers

TITLE_LIMIT = 120
BODY_LIMIT = 65_536
RAW_LIMIT = 6_000
"""Characters of raw output that a draft quotes before it says where it cut."""
CONSEQUENCES = {
    DefectKind.SILENT_WRONG_RESULT: "gives a wrong result",
    DefectKind.PRECISION: "loses precision",
    DefectKind.OVERFLOW: "index overflow",
    DefectKind.MEMORY_ERROR: "memory fault",
    DefectKind.MISSING_CHECK: "missing check",
    DefectKind.NAN: "wrong NaN or infinity",
    DefectKind.DETERMINISM: "results differ between runs",
    DefectKind.DTYPE_SHAPE: "wrong dtype or shape",
    DefectKind.CRASH: "crash",
    DefectKind.NONE: "failure",
}


def render(case: Case, finding: Finding, target: Target, templates: Environment) -> Draft:
    """Title, body and stand-alone reproducer of a finding. Raises UndefinedError for a template that asks too much."""
    facts = facts_of(case, finding, target)
    names = [f"issue/{_template(case)}.md.j2", "issue/reproducer.py.j2"]
    body, script = (templates.get_template(name).render(facts) for name in names)
    if len(body) > BODY_LIMIT:
        body = templates.get_template(names[0]).render({**facts, "raw_outputs": []})
    return Draft(
        title=title_of(finding, target, silent=facts["silent"]),
        body=body.strip()[: BODY_LIMIT - 1] + "\n",
        reproducer=script.strip() + "\n",
        template_sha256=_digest(templates, ["issue/base.md.j2", *names]),
        fileable=finding.fileable,
    )


def title_of(finding: Finding, target: Target, *, silent: bool) -> str:
    """`[xpu-alignment] operator: defect, consequence`; evidence that is not from an XPU says so first."""
    marks = "[xpu-alignment]" if finding.fileable else f"[xpu-alignment] [{_where(finding, target)}, not for filing]"
    chief = finding.divergences[0] if finding.divergences else None
    stem = f"{marks} {finding.op}: {', '.join(finding.dtypes) or finding.symptom}"
    full = f"{stem} {CONSEQUENCES[finding.defect_kind]}{' silently' if silent else ''}"
    quoted = f"{full}, {_worst(chief)}" if chief and _worst(chief) else full
    return next(
        (text for text in (quoted, full, stem) if len(text) <= TITLE_LIMIT), stem[:TITLE_LIMIT].rsplit(" ", 1)[0]
    )


def facts_of(case: Case, finding: Finding, target: Target) -> dict[str, Any]:
    """Everything that a template may name. Nothing here is guessed: each entry is read off the case."""
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101  only confirmed cases come here
    assert isinstance(case.reproducer, Reproducer)  # noqa: S101
    assert isinstance(case.port, Port)  # noqa: S101
    assert isinstance(case.judgement, Judgement)  # noqa: S101
    evidence = case.evidence
    return {
        "case": case,
        "finding": finding,
        "target": target,
        "where": _where(finding, target),
        "evidence": evidence,
        "judgement": case.judgement,
        "reproducer": case.reproducer,
        "origin": _origin(case),
        "port": case.port,
        "chief": finding.divergences[0] if finding.divergences else None,
        "all_divergences": [one for one in evidence.divergences if one.op == finding.op],
        "clean_dtypes": _clean_dtypes(evidence, finding),
        "native": [count for count in evidence.ops if count.op == finding.op],
        "chain": [_upstream(item) for item in case.items],
        "linked": [_upstream(item) for item in case.linked],
        "unseen": _unseen(case),
        "stated": _stated(case.reproducer, finding),
        "silent": evidence.runs[0].exit_code == 0,
        "raw_outputs": [record.stdout[:RAW_LIMIT] for record in evidence.runs[:1] if record.stdout.strip()],
        "raw_cut": any(len(record.stdout) > RAW_LIMIT or record.truncated for record in evidence.runs[:1]),
        "same_output": len({record.stdout for record in evidence.runs}) == 1,
        "upstream_tests": sorted({f.path for item in case.items for f in item.files if f.path.startswith("test/")}),
        "upstream_sources": sorted(
            {f.path for item in case.items for f in item.files if not f.path.startswith("test/")}
        ),
    }


def _template(case: Case) -> str:
    """The template by the oracle that spoke."""
    oracle = case.judgement.oracle if case.judgement else OracleKind.NONE
    return {OracleKind.DIVERGENCE: "value", OracleKind.CRASH: "crash"}.get(oracle, "assertion")


def _where(finding: Finding, target: Target) -> str:
    """`XPU`, `CPU run`, `simulated XPU`."""
    if finding.simulated:
        return f"simulated {target.title}"
    return target.title if finding.target == "xpu" else f"{target.title} run"


def _worst(divergence: Divergence) -> str:
    """`256 for 2048`, where the first value shown is the one that is off."""
    observed, expected = divergence.observed, divergence.expected
    if isinstance(observed, list | tuple) and isinstance(expected, list | tuple):
        pairs = [(mine, theirs) for mine, theirs in zip(observed, expected, strict=False) if mine != theirs]
        return f"{numbers(pairs[0][0])} for {numbers(pairs[0][1])}" if pairs else ""
    return ""


def _clean_dtypes(evidence: RunEvidence, finding: Finding) -> list[str]:
    """Dtypes in which the operator ran on the device and no divergence was seen."""
    ran = {count.dtype for count in evidence.ops if count.op == finding.op}
    return sorted(ran - {one.dtype for one in evidence.divergences if one.op == finding.op})


def _origin(case: Case) -> Item:
    """The item whose thread holds the reproducer."""
    assert isinstance(case.reproducer, Reproducer)  # noqa: S101
    code = case.reproducer.code.strip()
    holds = (item for item in case.items if code[:200] in item.body or any(code[:200] in c.body for c in item.comments))
    return next(holds, case.leader)


def _upstream(item: Item) -> dict[str, Any]:
    """An upstream item as the draft names it."""
    return {
        "key": item.key,
        "kind": "pull request" if item.kind == "pull" else item.kind.value,
        "title": item.title,
        "url": f"https://github.com/{item.repo}/{'pull' if item.kind == 'pull' else 'issues'}/{item.number}",
        "state": item.state.value,
        "landed": item.landed_sha,
        "closed": rfc3339(item.closed_at)[:10] if item.closed_at else None,
        "created": rfc3339(item.created_at)[:10] if item.created_at else None,
        "labels": item.labels,
        "files": [file.path for file in item.files],
    }


def _unseen(case: Case) -> list[str]:
    """Keys of items that the chain links to and that this scan did not read."""
    seen = {item.key for item in (*case.items, *case.linked)}
    return sorted({f"{link.repo}#{link.number}" for item in case.items for link in item.links} - seen)


def _stated(reproducer: Reproducer, finding: Finding) -> bool:
    """Does the thread state the very values that the reference gives?"""
    try:
        stated = json.loads(reproducer.oracle.expected or "null")
    except ValueError:
        return False
    return any(stated is not None and list(one.expected or ()) == stated for one in finding.divergences)


def _digest(templates: Environment, names: list[str]) -> str:
    """sha256 over the sources of the templates that made the draft."""
    assert templates.loader is not None  # noqa: S101
    sources = (templates.loader.get_source(templates, name)[0] for name in names)
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()
