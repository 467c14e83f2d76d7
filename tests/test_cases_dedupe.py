"""Every case of looking for duplicates, and what holds for each of them."""

import re
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot import wire
from bot.model import (
    Case,
    ChangedFile,
    Finding,
    FrozenHeads,
    Item,
    Link,
    LinkKind,
    Matches,
    Ruling,
    RunEvidence,
    Skips,
    TrackedItem,
    Window,
)
from bot.stages.dedupe import matches
from bot.stages.suppression import suppression
from bot.stages.trace import trace
from bot.stages.wanted import wanted
from tests import work
from tests.laws import files, text_of

UPSTREAM, TARGET = "pytorch/pytorch", "intel/torch-xpu-ops"
AS_OF = datetime(2026, 11, 12, 6, tzinfo=UTC)
PRINT = re.compile(r"\{print(?::(?P<symptom>[\w-]+))?\}")
CASES = files("dedupe", "toml")
SKIPS = ("skipped", "wontfix", "not_planned")
UNRELATED = TrackedItem(number=9_999, kind="issue", title="Docs: say how to build on Windows", body="Please.")


def finding_of(said: dict[str, Any]) -> Finding:
    """The finding that a case is about."""
    return Finding(
        target="xpu",
        verdict="needs-xpu-fix",
        op=said.get("op", "grid_sampler_2d_backward"),
        defect_kind=said.get("defect", "precision"),
        symptom=said.get("symptom", "value"),
    )


def case_of(said: dict[str, Any]) -> Case:
    """Its case: the members of the chain, and what the run printed."""
    links = [Link(kind=LinkKind.FIXED_BY, repo=UPSTREAM, number=number) for number in said.get("fixes", ())]
    kind = said.get("kind", "issue")
    items = [
        Item(
            repo=UPSTREAM,
            number=number,
            kind=kind,
            title="A fault",
            body=said.get("body", ""),
            links=links,
            files=[ChangedFile(path=path) for path in said.get("files", ())],
        )
        for number in said["chain"]
    ]
    ruling = Ruling(
        number=items[0].number, kind=kind, candidate=True, item_class="candidate", defect_kind="precision", score=1
    )
    device = {"type": "xpu"}
    evidence = RunEvidence(status="error", device=device, stderr=said.get("stderr", ""))
    return Case(
        window=Window.parse("2026-11-11"),
        heads=FrozenHeads(),
        device="xpu",
        items=tuple(items),
        ruling=ruling,
        evidence=evidence,
    )


def tracked_of(said: dict[str, Any], finding: Finding) -> list[TrackedItem]:
    """The tracker's items, fingerprints put in."""

    def told(match: re.Match[str]) -> str:
        symptom = match["symptom"]
        return (finding.model_copy(update={"symptom": symptom}) if symptom else finding).fingerprint

    return [
        TrackedItem.model_validate({"kind": "issue", **one, "body": PRINT.sub(told, one.get("body", ""))})
        for one in said.get("tracked", ())
    ]


def searched(said: dict[str, Any], items: list[TrackedItem]) -> Matches:
    """What a search of these items gives."""
    search = wanted(case_of(said), finding_of(said), TARGET)
    traces = [trace(item, wire.vocabulary()) for item in items]
    built = date.fromisoformat(said.get("build", "2026-11-11"))
    skips = Skips(labels=SKIPS, numbers=said.get("muted", ()))
    return matches(search, traces, TARGET, AS_OF, built, skips, said.get("cleared", ()))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """It finds exactly what its file says, for the reasons that it says, and the laws hold."""
    said = tomllib.loads(text_of(path))
    items = tracked_of(said, finding_of(said))
    found = searched(said, items)
    expect = said["expect"]
    assert (found.exact.number if found.exact else None) == expect.get("exact")
    assert [one.number for one in found.near] == expect.get("near", [])
    assert expect.get("says", "") in "; ".join(found.exact.reasons if found.exact else ())
    for word in ("suppressed", "recurs"):
        told = getattr(found, word)
        assert (expect[word] in told) if word in expect else told is None, told
    near = {str(one.number): one for one in found.near}
    for number, part in expect.get("reasons", {}).items():
        assert part in "; ".join(near[number].reasons)
    for number, (low, high) in expect.get("scores", {}).items():
        assert low <= near[number].score <= high, near[number]
    laws(said, items, found)


def laws(said: dict[str, Any], items: list[TrackedItem], found: Matches) -> None:
    """The order doesn't matter, what is unrelated changes nothing, scores are sorted and every hit has reasons."""
    shuffled = list(items)
    Random(0).shuffle(shuffled)  # noqa: S311  the same order each time is what is wanted
    assert searched(said, shuffled) == found
    more = searched(said, [UNRELATED, *items])
    assert more == found.model_copy(update={"searched": len(items) + 1})
    assert [one.score for one in found.near] == sorted((one.score for one in found.near), reverse=True)
    assert all(one.reasons for one in (*found.near, *([found.exact] if found.exact else [])))
    assert (found.suppressed is None and found.recurs is None) == (found.exact is None)
    assert found.searched == len(items)
    assert found.queries


def test_a_third_of_the_cases_finds_nothing() -> None:
    """In at least a third of the cases nothing is found, neither exact nor near."""
    said = [tomllib.loads(text_of(path))["expect"] for path in CASES]
    nothing = [one for one in said if not one]
    assert len(nothing) * 3 >= len(said)


DAY, NEXT = date(2026, 11, 11), date(2026, 11, 12)
CLOSED = {"state": "closed", "closed_at": "2026-11-11T23:59:59Z"}


@pytest.mark.parametrize(
    ("fields", "built", "kind", "says"),
    [
        ({}, NEXT, "Suppress", "issue #7 is open"),
        (CLOSED, None, "Suppress", "of this run it is not known"),
        (CLOSED, DAY, "Suppress", "this one is of 2026-11-11"),
        (CLOSED, NEXT, "Recurrence", "a build of 2026-11-12 shows the fault"),
        ({"state": "closed"}, NEXT, "Suppress", "when is not known"),
        ({**CLOSED, "labels": ["Won't fix", "SKIPPED"]}, NEXT, "Suppress", "has the label SKIPPED"),
        ({**CLOSED, "number": 8}, NEXT, "Suppress", "issue #8 is muted"),
        ({**CLOSED, "state_reason": "duplicate"}, NEXT, "Suppress", "closed as a duplicate"),
        ({**CLOSED, "state_reason": "not_planned"}, NEXT, "Suppress", "closed as not planned"),
        ({**CLOSED, "kind": "pull"}, DAY, "Recurrence", "pull request #7 was closed and not merged"),
        ({**CLOSED, "kind": "pull", "state": "merged"}, DAY, "Suppress", "closed as fixed on 2026-11-11"),
        ({**CLOSED, "kind": "pull", "state": "merged"}, NEXT, "Recurrence", "pull request #7 was closed as fixed"),
    ],
)
def test_suppression(fields: dict[str, Any], built: date | None, kind: str, says: str) -> None:
    """An item stands for the finding while it is open or skipped, or until a newer build than its closing shows it."""
    item = TrackedItem.model_validate({"number": 7, "kind": "issue", "title": "A fault", **fields})
    told = suppression(item, built, Skips(labels=SKIPS, numbers=(8,)))
    assert type(told).__name__ == kind
    assert says in told.reason


HOSTILE = {
    "words": "grid_sampler_2d_backward " * 40_000,
    "one word": "a" * 1_000_000,
    "hashes": "#1" * 500_000,
    "numbers": "pytorch/pytorch #204496 " * 40_000,
    "slashes": "a/" * 500_000,
    "tags": "[xpu-alignment]" * 60_000,
    "lines": "upstream\n" * 100_000,
    "markers": "<!-- alignbot:finding=0123456789abcdef -->\n" * 20_000,
    "nearly markers": "<!-- alignbot:finding=" * 40_000,
    "ticks": "`a" * 500_000,
    "errors": "RuntimeError: something that failed at 0x12 somewhere\n" * 20_000,
    "closings": "fixes #12 " * 100_000,
    "underscores": "_" * 1_000_000,
    "dots": "x.y" * 300_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_megabyte_of_anything(name: str) -> None:
    """A title and a text of a megabyte cost no more than a bounded number of calls, and what they say is bounded."""
    item = TrackedItem(number=6000, kind="issue", title=HOSTILE[name], body=HOSTILE[name])
    vocabulary = wire.vocabulary()
    assert work.calls(lambda: trace(item, vocabulary)) < 60_000
    said = {"chain": [204496]}
    found = searched(said, [item])
    assert len(found.model_dump_json()) < 10_000
