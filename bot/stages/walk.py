"""walk: goes through a script's tree and keeps the places where a port rule may have something to say."""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.model import Around, Site, SiteKind, Target
from bot.stages.facts import Facts
from bot.stages.names import Names, Root
from bot.stages.python_text import PythonText
from bot.syntax import children

NOWHERE = Root("", "")
GONE = (SiteKind.COMPARISON, SiteKind.ENTRY, SiteKind.STATEMENT)
"""A change of these leaves nothing of their arguments."""
Span = tuple[int, int]
Below = Iterable[ast.AST]
"""The nodes below one that are still to be gone through."""


@dataclass(frozen=True, slots=True)
class Place:
    """A site and the bytes that it covers in the source."""

    site: Site
    start: int
    end: int
    arguments: tuple[Span, ...] = ()
    """The bytes of a call's arguments: other sites may lie in them."""
    quote: str = ""
    """What opens and closes the string around it: it can't stand inside."""
    dead: bool = False
    """In a function or a class that nothing calls."""
    printed: bool = False
    """Only printed."""


class Walk:
    """A tree's places, and what is known while going through it."""

    def __init__(
        self,
        names: Names,
        facts: Facts,
        whole: PythonText,
        target: Target,
        sources: tuple[str, ...],
        visits: Mapping[type[ast.AST], Callable[["Walk", Any, PythonText], Below]],
    ) -> None:
        self.whole = whole
        self.found: list[Place] = []
        self.names = names
        self.facts = facts
        self.target = target
        self.sources = sources
        self.quote = ""
        self.dead = self.printed = self.inner = False
        """`inner`: in a string that holds code."""
        self.idle_class: bool | None = None
        """Right below a class: does nothing make one of it? None elsewhere."""
        self.shown: dict[int, ast.AST] = {}
        """Nodes that are printed as they are; kept, so that their identity is."""
        self.arms: dict[int, ast.AST] = {}
        """Strings beside the target's own name in a table or a chain of questions: each is for its own device."""
        self.chained: dict[int, ast.AST] = {}
        """Questions that were read with the one before them."""
        self._visits = visits

    def visit(self, node: ast.AST, text: PythonText) -> None:
        """The node's own sites, and those of what is below it."""
        own = self._visits.get(type(node))
        printed, self.printed = self.printed, id(node) in self.shown
        for child in own(self, node, text) if own else children(node):
            self.visit(child, text)
        self.printed = printed

    def of_torch(self, node: ast.expr) -> tuple[str, Root] | None:
        """A name or a dotted name as torch knows it, and its left end; None for anything else."""
        known = self.names.qualified(node)
        return known if known and f"{known[0]}.".startswith("torch.") else None

    def speaks(self, text: str) -> bool:
        """Can a piece of text name a source device?"""
        return any(source in text for source in self.sources)

    def add(
        self,
        kind: SiteKind,
        span: Span,
        value: str,
        *,
        root: Root = NOWHERE,
        arguments: Sequence[Span] = (),
        callee: str = "",
        around: Sequence[Around] = (),
    ) -> None:
        """Keep a place."""
        site = Site(
            kind=kind,
            text=self.whole.slice(*span),
            value=value,
            line=self.whole.line(span[0]),
            arguments=tuple(self.whole.slice(*one).strip() for one in arguments),
            callee=callee,
            root=root.name,
            module=root.module,
            around=tuple(around),
            target=self.target,
            sources=self.sources,
        )
        self.found.append(
            Place(site, *span, () if kind in GONE else tuple(arguments), self.quote, self.dead, self.printed)
        )
