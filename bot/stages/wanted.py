"""wanted: by what a finding is looked for in the tracker, and the same in words that a maintainer can read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.model import Case, Finding, Item, ItemKind, RunEvidence, SourceEvidence
from bot.stages.defect_words import told
from bot.stages.family import stem
from bot.stages.kin import LINKS, layers, ties
from bot.stages.prints import akin_to, known_as
from bot.stages.references import spellings
from bot.stages.trace import error_lines, file_stem

SHOWN = 6


@dataclass(frozen=True)
class Wanted:
    """What a search looks for."""

    finding: Finding
    prints: frozenset[str]
    akin: frozenset[str]
    chain: tuple[str, ...]
    """Keys of the upstream change's issues and pull requests, sorted."""
    own: frozenset[int]
    """Numbers of the tracker itself that the chain has."""
    files: frozenset[str]
    errors: frozenset[str]

    @property
    def op(self) -> str:
        """The operator."""
        return self.finding.op

    @cached_property
    def spellings(self) -> frozenset[str]:
        """How the members of the chain may be written."""
        return frozenset[str]().union(*map(spellings, self.chain))


def wanted(case: Case, finding: Finding, repo: str) -> Wanted:
    """What is looked for of a finding in the tracker of `repo`, read off its case."""
    chain = chain_of(case.items)
    here = f"{repo.lower()}#"
    return Wanted(
        finding=finding,
        prints=known_as(finding),
        akin=akin_to(finding),
        chain=tuple(sorted(key for key in chain if not key.lower().startswith(here))),
        own=frozenset(int(key.rpartition("#")[2]) for key in chain if key.lower().startswith(here)),
        files=frozenset(filter(None, map(file_stem, _files(case, finding)))),
        errors=frozenset[str]().union(*map(error_lines, _texts(case))),
    )


def chain_of(items: Sequence[Item]) -> set[str]:
    """Keys of the members of a change, and of what they say is one change with them, in this window or not."""
    found: set[str] = set()
    for item in items:
        found |= set() if item.kind is ItemKind.COMMIT else {item.key}
        found |= {key for key in ties(item) if "#" in key}
        found |= {link.key for link in item.links if link.kind in LINKS} | set(layers(item))
    return found


def queries(search: Wanted) -> tuple[str, ...]:
    """What was looked for, in words."""
    finding = search.finding
    asked = [
        f"alignbot's marker of finding {finding.fingerprint}, or of the same defect under another symptom",
        f"{_listed(search.chain)} in titles, as the source that a text gives, and in texts" if search.chain else "",
        f"{search.op} and its family ({stem(search.op)}), with words for {told([finding.defect_kind.value])}",
        f"the kernel's file ({_listed(sorted(search.files))})" if search.files else "",
        f"the error text {_listed(sorted(search.errors)[:1])}" if search.errors else "",
        "open and merged pull requests that name them or close what was found",
    ]
    return tuple(filter(None, asked))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _files(case: Case, finding: Finding) -> Iterator[str]:
    """Paths of the kernel: where the operator is, as names or source tell, and what the upstream change touches."""
    if case.ownership is not None and case.ownership.path:
        yield case.ownership.path
    if isinstance(case.source, SourceEvidence):
        yield from (one.path for one in case.source.kernels if finding.op in one.ops)
        own = {one.kernel for one in case.source.dispatch if one.op == finding.op}
        yield from (one.path for one in case.source.hosts if one.symbol in own)
    yield from (file.path for item in case.items for file in item.files if file.path.endswith((".cu", ".cuh")))


def _texts(case: Case) -> Iterator[str]:
    """Where a run tells of errors."""
    if isinstance(case.evidence, RunEvidence):
        yield case.evidence.stderr
        yield from (one.raised for one in case.evidence.divergences if one.raised)
        yield from (record.raised for record in case.evidence.runs if record.raised)
