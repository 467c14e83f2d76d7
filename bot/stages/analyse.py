"""analyse: what a kernel tree's source shows by itself. Each file is examined alone; what hangs on others is settled after."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.cpp import read
from bot.cpp.facts import Facts, facts
from bot.model import Hit, KernelFinding, Place
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
    def of_json(cls, plain: dict[str, Any]) -> "Examined":
        """Back again."""
        return cls(Facts.of_json(plain["facts"]), tuple((name, Hit(**hit)) for name, hit in plain["hits"]))


def examine(path: str, text: str, rules: Sequence[Rule]) -> Examined:
    """Read a file and ask every rule."""
    source = read(path, text)
    hits = [
        (rule.name, hit.model_copy(update={"excerpt": source.lines(hit.line, hit.end_line)}))
        for rule in rules
        for hit in rule.apply(source)
    ]
    hits.sort(key=lambda one: (one[1].line, one[1].end_line, one[0], one[1].why))
    return Examined(facts(source), tuple(hits))


def findings(examined: Sequence[Examined], web: Web) -> list[KernelFinding]:
    """The hits that stand once it is known who uses what, with those beside them."""
    found = []
    for one in examined:
        standing = [(name, hit) for name, hit in one.hits if _stands(one.facts.path, hit, web)]
        found += [_finding(one.facts.path, name, hit, standing) for name, hit in standing if not hit.right]
    return sorted(found, key=lambda one: (one.path, one.line, one.end_line, one.rule))


def _stands(path: str, hit: Hit, web: Web) -> bool:
    if hit.parameter is not None and not web.may_be_narrow(path, hit.parameter):
        return hit.right
    return not (hit.guarded_by and web.guarded(hit.symbol, frozenset(hit.guarded_by)))


def _finding(path: str, rule: str, hit: Hit, standing: Iterable[tuple[str, Hit]]) -> KernelFinding:
    same = [other for name, other in standing if name == rule and other is not hit]
    return KernelFinding(
        rule=rule,
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
