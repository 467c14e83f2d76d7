"""analyse: what a kernel tree's source shows by itself. Files are examined alone, then what hangs on others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

from bot.cpp import Source, read
from bot.cpp.collect import facts
from bot.cpp.facts import Facts
from bot.model import Hit, HostPair, KernelFinding, Place
from bot.registry import Rule
from bot.stages.web import Web

MOST_SIBLINGS = 8


@dataclass(frozen=True, slots=True)
class Examined:
    """What one file gives, whatever stands beside it."""

    facts: Facts
    hits: tuple[tuple[str, Hit], ...]
    """Rule and hit."""

    def as_json(self) -> dict[str, Any]:
        """For a cache."""
        return {"facts": self.facts.as_json(), "hits": [[name, hit.as_json()] for name, hit in self.hits]}

    @classmethod
    def of_json(cls, path: str, plain: dict[str, Any]) -> "Examined":
        """Back again, for the place where the same text is now."""
        return cls(
            Facts.of_json({**plain["facts"], "path": path}), tuple((name, Hit(**hit)) for name, hit in plain["hits"])
        )


def asked_about(rules: Sequence[Rule], subject: type) -> list[Rule]:
    """The rules that are asked about such a thing: a rule's first argument says what it looks at."""
    return [rule for rule in rules if next(iter(signature(rule.apply).parameters.values())).annotation is subject]


def examine(path: str, text: str, rules: Sequence[Rule]) -> Examined:
    """Read a file and ask every rule that looks at a file."""
    source = read(path, text)
    hits = [
        (rule.name, hit.model_copy(update={"excerpt": source.lines(hit.line, hit.end_line)}))
        for rule in asked_about(rules, Source)
        for hit in rule.apply(source)
    ]
    hits.sort(key=lambda one: (one[1].line, one[1].end_line, one[0], one[1].why))
    return Examined(facts(source), tuple(hits))


def findings(examined: Sequence[Examined], web: Web, ops: Mapping[str, Sequence[str]]) -> list[KernelFinding]:
    """The hits that stand once it is known who uses what, with those beside them; `ops` is unit -> operators."""
    found = []
    for one in examined:
        standing = [(name, hit) for name, hit in one.hits if _stands(one.facts.path, hit, web)]
        found += [_finding(one.facts.path, name, hit, standing, ops) for name, hit in standing if not hit.right]
    return ordered(found)


def unchecked(
    pairs: Iterable[HostPair], rules: Sequence[Rule], texts: Mapping[str, str], ops: Mapping[str, Sequence[str]]
) -> list[KernelFinding]:
    """What the rules say that compare a host function with its counterpart; `texts` is path -> text."""
    asked = asked_about(rules, HostPair)
    found = []
    for pair in pairs:
        hits = [(rule.name, hit) for rule in asked for hit in rule.apply(pair)]
        lines = texts[pair.target.path].split("\n") if hits else []
        for name, hit in hits:
            told = hit.model_copy(update={"excerpt": "\n".join(lines[hit.line - 1 : hit.end_line])})
            found.append(_finding(pair.target.path, name, told, (), ops))
    return ordered(found)


def ordered(found: Iterable[KernelFinding]) -> list[KernelFinding]:
    """By place, then by rule."""
    return sorted(found, key=lambda one: (one.path, one.line, one.end_line, one.rule, one.why))


def _stands(path: str, hit: Hit, web: Web) -> bool:
    if hit.parameter is not None and not web.may_be_narrow(path, hit.parameter):
        return False
    if hit.unfilled is not None and tuple(hit.unfilled) not in web.unfilled:
        return False
    return not (hit.guarded_by and web.guarded(hit.symbol, frozenset(hit.guarded_by)))


def _finding(
    path: str, rule: str, hit: Hit, standing: Iterable[tuple[str, Hit]], ops: Mapping[str, Sequence[str]]
) -> KernelFinding:
    same = [other for name, other in standing if name == rule and other is not hit]
    reached_by = tuple(ops.get(hit.symbol, ()))
    return KernelFinding(
        rule=rule,
        op=reached_by[0] if reached_by else None,
        ops=reached_by,
        symbol=hit.symbol,
        path=path,
        line=hit.line,
        end_line=hit.end_line,
        excerpt=hit.excerpt,
        why=hit.why,
        lines=hit.lines,
        siblings=_places(path, [other for other in same if not other.right]),
        right=_places(path, [other for other in same if other.right]),
    )


def _places(path: str, hits: Sequence[Hit]) -> tuple[Place, ...]:
    made = [Place(symbol=one.symbol, path=path, line=one.line, end_line=one.end_line) for one in hits]
    return tuple(made[:MOST_SIBLINGS])
