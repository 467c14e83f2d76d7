"""changed: what an upstream fix changed in kind, whether it reaches the target, and whether the old form is there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from bot.cpp.edited import edited
from bot.model import Check, HostPair, HostSide, Item, KernelFinding, Place, Still, Target, UpstreamChange
from bot.registry import Rule
from bot.stages.owner import counterparts, covering
from bot.stages.patch import sides

SOURCES = (".cu", ".cuh", ".cpp", ".h", ".hpp", ".cc", ".inl", ".hip")
ASIDE = re.compile(r"(?:test|tests|benchmarks|third_party|docs)/")
MOST_HUNKS = 300
"""Of one file that are read: a fix of a kernel has a few, what has thousands moves code."""
LARGEST_PATCH = 400_000
"""Characters of one file's patch that are read; what is longer is no fix of a kernel."""
WORD = re.compile(r"[A-Za-z_]\w*")
FIRST_TEXT = re.compile(r'"((?:[^"\\]|\\.)*+)')


def changes(items: Sequence[Item], rules: Sequence[Rule]) -> list[UpstreamChange]:
    """What the patches of a chain change, each kind of change of a place once, in the order of items and files."""
    found: dict[tuple[object, ...], UpstreamChange] = {}
    for item in items:
        for file in item.files:
            if not file.patch or not file.path.endswith(SOURCES) or ASIDE.match(file.path):
                continue
            for hunk in sides(file.patch[:LARGEST_PATCH])[:MOST_HUNKS]:
                seen = edited(file.path, hunk.heading, hunk.start, hunk.old, hunk.new)
                for rule in rules:
                    for one in rule.apply(seen):
                        key = (one.kind, one.path, one.symbol, one.names or one.after)
                        found.setdefault(key, one.model_copy(update={"item": item.key}))
    return list(found.values())


def settled(
    change: UpstreamChange,
    target: Target,
    kernels: Sequence[KernelFinding],
    hosts: Mapping[str, Sequence[HostSide]],
    rules: Sequence[Rule],
) -> UpstreamChange:
    """A change with what it means for the target: `kernels` is what the rules say there.

    `hosts` are the host functions of the case's operators. A hit elsewhere in the file counts only where it is about
    the very names that upstream changed.
    """
    covers = covering(change.path, target)
    if covers:
        why = f"{change.path} is built for {target.title} too ({covers}): the fix covers it"
        return change.model_copy(update={"covers": covers, "why": why})
    if change.rule == "missing-check":
        return _checked(change, hosts, rules)
    paths = counterparts(change.path, target)
    here = [
        one for one in kernels if one.rule == change.rule and (one.path in paths or _same_file(one.path, change.path))
    ]
    named = [one for one in here if set(change.names) & set(WORD.findall(one.excerpt + " " + one.why))]
    chosen = named or [one for one in here if hosts.keys() & set(one.ops)]
    if chosen:
        places = tuple(Place(symbol=one.symbol, path=one.path, line=one.line, end_line=one.end_line) for one in chosen)
        by = f" ({', '.join(change.names)})" if named and change.names else ""
        told = ", ".join(f"{one.symbol} ({one.path}:{one.line})" for one in places[:4])
        why = f"{change.rule} finds the form that upstream changed{by} in {told}"
        ops = tuple(dict.fromkeys(op for one in chosen for op in one.ops))
        return change.model_copy(update={"still": Still.OLD_FORM, "places": places, "ops": ops, "why": why})
    if paths:
        return change.model_copy(update={"why": f"the rule {change.rule} finds nothing in {', '.join(paths)}"})
    return change.model_copy(update={"why": f"no counterpart of {change.path} is known"})


def _checked(change: UpstreamChange, hosts: Mapping[str, Sequence[HostSide]], rules: Sequence[Rule]) -> UpstreamChange:
    """Does a host function of the operator make the check that upstream added?"""
    if not hosts:
        return change.model_copy(update={"why": "no host function of the operator was found"})
    name, condition = change.names[:2]
    message = found[1] if (found := FIRST_TEXT.search(change.after)) else ""
    check = Check(unit="upstream", path=change.path, line=change.line, name=name, condition=condition, message=message)
    theirs = HostSide(unit="upstream", path=change.path, line=change.line, end_line=change.line, checks=(check,))
    asked = [rule for rule in rules if rule.name == change.rule]
    sides = [(op, side) for op, found in hosts.items() for side in found]
    pairs = [(op, side, HostPair(target=side, upstream=theirs)) for op, side in sides]
    lacking = {op: side for op, side, pair in pairs if any(hit for rule in asked for hit in rule.apply(pair))}
    where = tuple(
        Place(symbol=one.unit, path=one.path, line=one.line, end_line=one.end_line) for one in lacking.values()
    )
    told = ", ".join(f"{one.symbol} ({one.path}:{one.line})" for one in where[:4])
    if lacking:
        why = f"{told} does not check {condition}"
        return change.model_copy(update={"still": Still.OLD_FORM, "places": where, "ops": tuple(lacking), "why": why})
    told = ", ".join(f"{one.unit} ({one.path}:{one.line})" for _, one in sides[:2])
    return change.model_copy(update={"why": f"the rule {change.rule} does not miss it in {told}"})


def place_of(side: HostSide) -> Place:
    """Where a host function begins."""
    return Place(symbol=side.unit, path=side.path, line=side.line, end_line=side.end_line)


def suspicions(found: Iterable[UpstreamChange]) -> list[UpstreamChange]:
    """Those whose old form the target still has: each of them is a suspicion, without any run."""
    return [one for one in found if one.still is Still.OLD_FORM]


def _same_file(path: str, other: str) -> bool:
    return PurePosixPath(path).stem.lower() == PurePosixPath(other).stem.lower()
