"""render: the draft of an issue, each sentence from a field of evidence; what is not established says so."""

import hashlib
import json
import math
from typing import Any

from jinja2 import Environment

from bot.model import (
    Absent,
    Case,
    Divergence,
    DivergenceKind,
    Draft,
    Drop,
    Finding,
    Item,
    Judgement,
    Matches,
    OracleKind,
    OutcomeKind,
    Port,
    Reproducer,
    RunEvidence,
    Smallest,
    SourceEvidence,
    Standing,
    Target,
    rfc3339,
)
from bot.stages.changed import suspicions
from bot.stages.judge import lasting
from bot.stages.owner import covering
from bot.stages.parity import parity_of
from bot.stages.permalink import commit_name, place
from bot.stages.sourced import causes
from bot.stages.state import standings
from bot.stages.title import title_of, where_of

BODY_LIMIT = 65_536
HALF = 0.5
SHORTEST_SIGNIFICAND = 6
"""Powers of two below this come up by chance; a bfloat16 sum of halves stops at 2^7."""
RAW_LIMIT = 6_000
"""Characters of raw output that a draft quotes before it says where it cut."""
TEMPLATES: dict[str, str] = {
    OracleKind.CRASH: "crash",
    OracleKind.ASSERTION: "assertion",
    OracleKind.SOURCE: "suspected",
    DivergenceKind.ERROR_MISSING: "check",
    DivergenceKind.ERROR_EXTRA: "check",
    DivergenceKind.DTYPE: "form",
    DivergenceKind.STRIDE: "form",
    DivergenceKind.DEVICE: "form",
    DivergenceKind.NONDETERMINISTIC: "determinism",
}
"""By what a finding shows; what is not here is a value."""
BENEATH = ("issue/base.md.j2", "issue/source.md.j2", "issue/searched.md.j2", "issue/value.md.j2")
"""What the templates of findings stand on."""
DROPPED: tuple[dict[str, Any], ...] = (
    {},
    {"raw_outputs": [], "errors": ""},
    {"raw_outputs": [], "errors": "", "relatives": False},
    {"raw_outputs": [], "errors": "", "relatives": False, "linked": [], "unseen": []},
)
"""What is left out of a body that is too long, one after the other."""
EXIT_CODES = {
    OracleKind.DIVERGENCE: "0 whatever it computes; the values that it prints tell",
    OracleKind.CRASH: "0 right, a signal where the fault is",
    OracleKind.ASSERTION: "0 right, 1 where the fault is",
}
"""What the end of a script says, by who says that a result is wrong."""


def render(case: Case, finding: Finding, target: Target, templates: Environment) -> Draft | Drop:
    """Title, body and stand-alone reproducer of a finding; a Drop where it can't be told in one issue.

    Raises UndefinedError for a template that names a fact which there is not.
    """
    assert case.judgement is not None  # noqa: S101  a finding is made of a judgement
    names = [f"issue/{TEMPLATES.get(finding.symptom, 'value')}.md.j2"]
    facts = {"script": "", "silent": False, **facts_of(case, finding, target)}
    if case.judgement.oracle is not OracleKind.SOURCE:
        names.append("issue/reproducer.py.j2")
        facts["script"] = templates.get_template(names[1]).render(facts).strip() + "\n"
    template = templates.get_template(names[0])
    bodies = (template.render({**facts, **less}).strip() + "\n" for less in DROPPED)
    body = next((text for text in bodies if len(text) <= BODY_LIMIT), None)
    if body is None:
        without = "even without raw output and tables: shorten its reproducer"
        reason = f"the draft is longer than {BODY_LIMIT} characters {without}"
        return Drop(reason=reason, kind=OutcomeKind.WATCHED, look_again_after_days=7)
    return Draft(
        title=title_of(finding, target, silent=facts["silent"]),
        body=body,
        reproducer=facts["script"],
        template_sha256=_digest(templates, [*BENEATH, *names]),
        fileable=finding.fileable,
    )


def facts_of(case: Case, finding: Finding, target: Target) -> dict[str, Any]:
    """Everything that a template may name. Nothing here is guessed: each entry is read off the case."""
    assert isinstance(case.judgement, Judgement)  # noqa: S101
    stand = standings(case.items)
    facts = {
        "case": case,
        "finding": finding,
        "target": target,
        "where": where_of(finding, target),
        "judgement": case.judgement,
        "chief": finding.divergences[0] if finding.divergences else None,
        "parity": parity_of(case, finding.defect_kind),
        "relatives": True,
        "least_script": False,
        "chain": [_upstream(item, stand[item.key]) for item in case.items],
        "linked": [_upstream(item, standings([item])[item.key]) for item in case.linked],
        "unseen": _unseen(case),
        "upstream_tests": sorted({f.path for item in case.items for f in item.files if f.path.startswith("test/")}),
    }
    ran = {} if case.judgement.oracle is OracleKind.SOURCE else _ran(case, finding, case.judgement)
    return {**facts, **_read(case, finding, target), **_searched(case), **ran}


def _searched(case: Case) -> dict[str, Any]:
    """What was looked for in the tracker; `matches` is None where none was searched."""
    matches = case.matches if isinstance(case.matches, Matches) else None
    return {
        "matches": matches,
        "unsearched": case.matches.absent if isinstance(case.matches, Absent) else "no tracker was searched",
        "as_of": rfc3339(matches.as_of) if matches and matches.as_of else "an unknown time",
    }


def _ran(case: Case, finding: Finding, judgement: Judgement) -> dict[str, Any]:
    """What a run showed."""
    assert isinstance(case.evidence, RunEvidence)  # noqa: S101  only confirmed cases come here
    assert isinstance(case.reproducer, Reproducer)  # noqa: S101
    assert isinstance(case.port, Port)  # noqa: S101
    evidence = case.evidence
    return {
        "evidence": evidence,
        "reproducer": case.reproducer,
        "port": case.port,
        "told": [one for one in lasting(evidence) if (one.op, one.sibling) == (finding.op, finding.sibling)],
        "clean_dtypes": _clean_dtypes(evidence, finding),
        "native": [count for count in evidence.ops if count.op == finding.op],
        "stated": _stated(case.reproducer, finding),
        "silent": all(record.exit_code == 0 for record in evidence.runs),
        "smallest": [one for one in evidence.smallest if (one.op, one.sibling) == (finding.op, finding.sibling)],
        "least_script": any(one.script for one in evidence.smallest if one.op == finding.op),
        "stalls": stalls,
        "log_sha256": hashlib.sha256("".join(one.stdout for one in evidence.runs[:1]).encode()).hexdigest(),
        "raw_outputs": [record.stdout[:RAW_LIMIT] for record in evidence.runs[:1] if record.stdout.strip()],
        "raw_cut": any(len(record.stdout) > RAW_LIMIT or record.truncated for record in evidence.runs[:1]),
        "same_output": len({record.stdout for record in evidence.runs}) == 1,
        "exit_codes": EXIT_CODES[judgement.oracle],
        "errors": evidence.stderr[-RAW_LIMIT:].strip(),
    }


def _read(case: Case, finding: Finding, target: Target) -> dict[str, Any]:
    """What was read of source; `source` is None where nothing was."""
    source = case.source if isinstance(case.source, SourceEvidence) else None
    changed = sorted({one.path for item in case.items for one in item.files})
    own = {one.kernel for one in source.dispatch if one.op == finding.op} if source else set()
    return {
        "source": source,
        "unread_source": case.source.absent if isinstance(case.source, Absent) else "no source was read in this scan",
        "causes": causes(source, finding.op, finding.defect_kind, finding.sibling) if source else [],
        "suspicions": suspicions(source.changes) if source else [],
        "hosts": [one for one in source.hosts if one.symbol in own] if source else [],
        "changed_files": changed,
        "covered": [path for path in changed if covering(path, target)],
        "place": place,
        "commit_name": commit_name,
    }


def stalls(least: Smallest) -> list[tuple[str, int]]:
    """Dtypes in which the result stops at a power of two below the right one, with its exponent."""
    found = []
    for one in least.relatives:
        pairs = zip(one.observed or (), one.expected or (), strict=False)
        off = next(((mine, right) for mine, right in pairs if mine != right), None)
        if one.what.startswith("dtype ") and one.shows == "wrong" and off is not None:
            fraction, power = math.frexp(abs(off[0]))
            if fraction == HALF and power > SHORTEST_SIGNIFICAND and abs(off[0]) < abs(off[1]):
                found.append((one.what.removeprefix("dtype "), power - 1))
    return found


def _clean_dtypes(evidence: RunEvidence, finding: Finding) -> list[str]:
    """Dtypes in which every call of the operator was compared and none was off."""
    ran = [count for count in evidence.ops if count.op == finding.op]
    off = {one.dtype for record in evidence.runs for one in record.divergences if one.op == finding.op}
    partly = {count.dtype for count in ran if count.checked < count.count}
    return sorted({count.dtype for count in ran} - off - partly)


def _upstream(item: Item, standing: Standing) -> dict[str, Any]:
    """An upstream item as the draft names it. What GitHub calls closed or merged says nothing of where it stands."""
    return {
        "key": item.key,
        "kind": "pull request" if item.kind == "pull" else item.kind.value,
        "title": item.title,
        "url": _url(item),
        "state": standing.state.value,
        "why": standing.why,
        "landed": standing.landed_sha,
        "since": rfc3339(standing.since)[:10] if standing.since else None,
        "created": rfc3339(item.created_at)[:10] if item.created_at else None,
        "labels": item.labels,
        "files": [file.path for file in item.files],
    }


def _url(item: Item) -> str:
    """Built from repository and number; an item's own `url` is a stranger's text."""
    folder = {"pull": "pull", "commit": "commit"}.get(item.kind, "issues")
    return f"https://github.com/{item.repo}/{folder}/{item.number}"


def _unseen(case: Case) -> list[str]:
    """Keys of items that the chain links to and that this scan did not read."""
    seen = {item.key for item in (*case.items, *case.linked)}
    return sorted({link.key for item in case.items for link in item.links} - seen)


def _stated(reproducer: Reproducer, finding: Finding) -> bool:
    """Does the thread state the very values that the reference gives?"""
    try:
        stated = json.loads(reproducer.oracle.expected or "null")
    except ValueError:
        return False
    return any(_same(stated, one) for one in finding.divergences)


def _same(stated: object, divergence: Divergence) -> bool:
    if divergence.kind is not DivergenceKind.VALUE or divergence.expected is None:
        return False
    values = list(divergence.expected)
    return values in (stated, [stated])


def _digest(templates: Environment, names: list[str]) -> str:
    """sha256 over the sources of the templates that made the draft."""
    assert templates.loader is not None  # noqa: S101
    sources = (templates.loader.get_source(templates, name)[0] for name in names)
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()
