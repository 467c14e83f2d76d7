"""dedupe: is a finding told already in the target's tracker?

Exact is what carries our marker of the same defect, or is the tracker of the very upstream change about the same
operator. All else is near at most: a score and its reasons, those against it too, for a person to decide. A mere
mention of the operator is no duplicate.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from math import prod

from bot.model import ItemState, Matches, Nearness, Recurrence, Skips, Suppress
from bot.stages.defect_words import AKIN, CALLED, FEATURE, telling, told
from bot.stages.family import related, stem
from bot.stages.suppression import NONE, fixed_at, skip, suppression
from bot.stages.trace import Trace
from bot.stages.wanted import Wanted, queries

MOST = 5
"""Near hits that are told."""
FLOOR = 0.1
"""Below it nothing is told."""
CONTRADICTED = 0.5
"""What is left of a score where the title speaks of another kind of defect."""
WEIGHTS = {
    "akin": 0.8,
    "declared": 0.55,
    "mentioned": 0.3,
    "operator": 0.35,
    "family": 0.25,
    "named": 0.1,
    "kind": 0.3,
    "kind akin": 0.15,
    "kind spoken": 0.05,
    "file": 0.2,
    "error": 0.35,
    "fix": 0.2,
}
"""How much each sign speaks for the same defect; signs add up as independent ones do, and never to certainty."""

Sign = tuple[float, str]


def matches(
    search: Wanted,
    traces: Iterable[Trace],
    repo: str,
    as_of: datetime | None,
    built: date | None,
    skips: Skips = NONE,
    cleared: Iterable[int] = (),
) -> Matches:
    """What a tracker has about a finding. The order of its items doesn't matter.

    `built`: the day of the build that showed the fault. `cleared`: numbers of which a person said that they are not it.
    """
    apart, known = frozenset(cleared), list(traces)
    exact = [one for one in known if one.item.number not in apart and is_exact(search, one)]
    chosen = min(exact, key=_foremost, default=None)
    near = [_cleared(one) for one in known if one.item.number in apart and is_exact(search, one)]
    near += [_nearness(one, 1.0, _why(search, one), exact=True) for one in exact if one is not chosen]
    settled = {one.item.number for one in exact} | {one.number for one in near}
    near += [hit for one in known if one.item.number not in settled and (hit := _near(search, one, skips))]
    answer = suppression(chosen.item, built, skips) if chosen else None
    return Matches(
        repo=repo,
        exact=_exact(search, chosen, known) if chosen else None,
        near=tuple(sorted(near, key=lambda one: (-one.score, -one.number))[:MOST]),
        searched=len(known),
        as_of=as_of,
        queries=queries(search),
        suppressed=answer.reason if isinstance(answer, Suppress) else None,
        look_again_days=answer.look_again_days if isinstance(answer, Suppress) else None,
        recurs=answer.reason if isinstance(answer, Recurrence) else None,
    )


def is_exact(search: Wanted, one: Trace) -> bool:
    """Is it about the very defect?"""
    if not search.prints.isdisjoint(one.markers):
        return True
    if one.is_pull and one.item.state is ItemState.CLOSED and fixed_at(one.item) is None:
        return False
    if not _declares(search, one):
        return False
    if one.markers:
        return False  # it is ours, and of another finding of the same change
    if _names(search, one.titled):
        return True
    return one.aligned and not one.is_pull and not one.titled and (not one.named or _names(search, one.named))


def _foremost(one: Trace) -> tuple[bool, float, int]:
    """An open one first, then the one that was closed last, then the oldest."""
    closed = fixed_at(one.item) or one.item.closed_at
    return one.item.state is not ItemState.OPEN, -closed.timestamp() if closed else 0.0, one.item.number


def _exact(search: Wanted, one: Trace, known: Sequence[Trace]) -> Nearness:
    return _nearness(one, 1.0, [*_why(search, one), *_fixes(one, known)], exact=True)


def _why(search: Wanted, one: Trace) -> list[str]:
    if not search.prints.isdisjoint(one.markers):
        return ["it carries alignbot's marker of this finding"]
    told_of = f"and is about {search.op}" if one.titled or one.named else "and names no other operator"
    return [f"{_source(search, one)} {told_of}"]


def _fixes(one: Trace, known: Sequence[Trace]) -> list[str]:
    """The pull requests that close an item."""
    words = {ItemState.OPEN: "is open and closes it", ItemState.MERGED: "was merged and closes it"}
    fixes = [other for other in known if other.is_pull and one.item.number in other.closes]
    told_of = ((other.item.number, words.get(other.item.state)) for other in fixes)
    return [f"pull request #{number} {word}" for number, word in sorted(told_of) if word]


def _cleared(one: Trace) -> Nearness:
    return _nearness(one, FLOOR, ["a person said that it is not the same"])


def _near(search: Wanted, one: Trace, skips: Skips) -> Nearness | None:
    """How near an item is that is not exact; None where too little speaks for it."""
    signs = [*_of_chain(search, one), *_of_operator(search, one)]
    if not signs and (search.files.isdisjoint(one.files) and search.errors.isdisjoint(one.errors)):
        return None
    about = _of_kind(search, one) if signs else []
    signs += [*about, *_of_code(search, one), *_of_fix(search, one)]
    score = 1.0 - prod(1.0 - weight for weight, _ in signs)
    against = _against(search, one)
    if against and search.akin.isdisjoint(one.markers) and not _declares(search, one):
        score *= CONTRADICTED
    if score < FLOOR:
        return None
    skipped = skip(one.item, skips)
    further = [*against, *([f"it {skipped}"] if skipped else [])]
    return _nearness(one, round(score, 2), [*(why for _, why in signs), *further])


def _of_chain(search: Wanted, one: Trace) -> list[Sign]:
    if not search.akin.isdisjoint(one.markers):
        why = "it is alignbot's own, of the same operator and kind of defect, with another symptom or kernel"
        return [(WEIGHTS["akin"], why)]
    if _declares(search, one):
        return [(WEIGHTS["declared"], _source(search, one))]
    if not search.spellings.isdisjoint(one.mentioned):
        return [(WEIGHTS["mentioned"], f"its text names {_shared(search, one.mentioned)}")]
    return []


def _of_operator(search: Wanted, one: Trace) -> list[Sign]:
    same = search.op.strip("_")
    if same in {name.strip("_") for name in one.titled}:
        return [(WEIGHTS["operator"], f"its title names {search.op}")]
    if _names(search, one.titled):
        return [(WEIGHTS["family"], f"its title names an operator of the same family ({stem(search.op)})")]
    if _names(search, one.named):
        return [(WEIGHTS["named"], f"its text names {search.op} or its family")]
    return []


def _of_kind(search: Wanted, one: Trace) -> list[Sign]:
    kind, kinds = search.finding.defect_kind, telling(one.kinds)
    if kind in kinds:
        return [(WEIGHTS["kind"], f"its title speaks of {CALLED[kind]}")]
    akin = AKIN.get(kind, frozenset()) & kinds
    if akin:
        return [(WEIGHTS["kind akin"], f"its title speaks of {told(akin)}, which may be the same")]
    if kind in one.spoken and not kinds:
        return [(WEIGHTS["kind spoken"], f"its text speaks of {CALLED[kind]}")]
    return []


def _of_code(search: Wanted, one: Trace) -> list[Sign]:
    signs = []
    files, errors = sorted(search.files & one.files), sorted(search.errors & one.errors)
    if files:
        signs.append((WEIGHTS["file"], f"it names the kernel's file ({files[0]})"))
    if errors:
        signs.append((WEIGHTS["error"], "it quotes the same error"))
    return signs


def _of_fix(search: Wanted, one: Trace) -> list[Sign]:
    """An open pull request about operator and kind may be the fix."""
    kinds = {search.finding.defect_kind} | AKIN.get(search.finding.defect_kind, frozenset())
    if (
        one.is_pull
        and one.item.state is ItemState.OPEN
        and _names(search, one.titled)
        and not kinds.isdisjoint(one.kinds)
    ):
        return [(WEIGHTS["fix"], "it is an open pull request that may fix it")]
    return []


def _against(search: Wanted, one: Trace) -> list[str]:
    """Why it is not the same, where its title speaks of something else alone."""
    kind, kinds = search.finding.defect_kind, telling(one.kinds)
    others = kinds - {kind}
    found = []
    if others and kind not in kinds and not AKIN.get(kind, frozenset()) & kinds:
        what = "asks for a feature" if others == {FEATURE} else f"speaks of {told(others)}"
        found.append(f"but it {what}, and this is {CALLED[kind]}")
    if one.backward and "backward" not in search.op and one.titled:
        found.append(f"but it is about a gradient, and this is {search.op}")
    return found


def _names(search: Wanted, names: frozenset[str]) -> bool:
    return related(search.op, tuple(names))


def _declares(search: Wanted, one: Trace) -> bool:
    """Is it the tracker of a member of the chain, or one that the chain itself says it fixes?"""
    return one.item.number in search.own or not search.spellings.isdisjoint(one.declared)


def _source(search: Wanted, one: Trace) -> str:
    if one.item.number in search.own:
        return "the upstream change says that it fixes it"
    return f"it is the tracker of {_shared(search, one.declared)}"


def _shared(search: Wanted, references: frozenset[str]) -> str:
    """The first member of the chain that is among references."""
    found = references & search.spellings
    numbers = {one.rpartition("#")[2] for one in found}
    return next(key for key in search.chain if key.rpartition("#")[2] in numbers)


def _nearness(one: Trace, score: float, reasons: Sequence[str], *, exact: bool = False) -> Nearness:
    return Nearness(
        number=one.item.number,
        score=score,
        exact=exact,
        reasons=tuple(reasons),
        kind=one.item.kind,
        title=one.item.title,
        state=one.item.state,
    )
