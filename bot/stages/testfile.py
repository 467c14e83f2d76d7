"""testfile: a Python test file, or the part of one that a patch shows, and which of its tests a change touches."""

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.stages.scopes import FUNCTIONS, Function, definitions
from bot.syntax import is_deeper, last_name, parsed

CASE = ("TestCase", "TestBase")
"""How the names of classes end whose subclasses are run."""
DEEPEST = 200
"""Levels of nesting that are read."""
HOSTS = 12
"""Classes that mix in another one and are looked at."""
ANCESTORS = 10
"""Base classes that are followed."""
SETTINGS = ("set_default_dtype", "set_default_device", "set_default_tensor_type")
"""What a file asks of torch once, for all of its tests."""


@dataclass(frozen=True, slots=True)
class Test:
    """A test method that a change touches."""

    home: str
    """Its class."""
    node: Function
    new: bool
    """The change brings it."""

    @property
    def name(self) -> str:
        """Of the method."""
        return self.node.name


@dataclass(frozen=True, slots=True)
class TestFile:
    """What is known of a test file."""

    lines: Sequence[str]
    """Those that are not known are blank."""
    whole: bool
    """All of it that matters is known."""
    tree: ast.Module
    definitions: Mapping[str, Sequence[ast.stmt]]
    classes: Mapping[str, ast.ClassDef]
    members: Mapping[str, Mapping[str, Sequence[ast.stmt]]]
    """Of each class, by name."""
    ancestry: Mapping[str, Sequence[str]]
    mixed: Mapping[str, Sequence[str]]
    """Class -> those that unittest runs and that inherit from it, itself first where it is one."""
    made: Mapping[tuple[str, str], Sequence[ast.Call]]
    """Function and class -> where the file calls the one with the other as first argument."""
    answers: dict[tuple[str, Hashable], Any] = field(default_factory=dict)
    """What was asked about its nodes before: many tests ask the same."""

    def bases(self, name: str) -> Sequence[str]:
        """The classes of this file that a class inherits from, itself first."""
        return self.ancestry[name]

    def hosts(self, name: str) -> Sequence[str]:
        """The class itself where it is a test case, else those that mix it into one."""
        found = self.mixed.get(name, ())
        return [name] if name in found else found

    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Those at the margin, but for what they bring from the future."""
        found = [one for one in self.tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
        return [one for one in found if getattr(one, "module", "") != "__future__"]

    def calls(self, function: str, name: str) -> Sequence[ast.Call]:
        """Where the file calls a function with this class as first argument."""
        return self.made.get((function, name), ())

    def settings(self) -> list[ast.stmt]:
        """Statements that set something in torch for the whole file."""
        return [one for one in self.tree.body if isinstance(one, ast.Expr) and last_name(one.value) in SETTINGS]


def read(text: str, *, whole: bool) -> TestFile | None:
    """The file, None where it is no Python, or too deep."""
    tree = parsed(text)
    if tree is None or is_deeper(tree, DEEPEST):
        return None
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    members = {name: definitions(one.body) for name, one in classes.items()}
    direct = {
        name: [base for base in dict.fromkeys(map(_name, one.bases)) if base in classes][:ANCESTORS]
        for name, one in classes.items()
    }
    ancestry = {name: _ancestry(name, direct) for name in classes}
    cases = {name for name, one in classes.items() if any(last_name(base).endswith(CASE) for base in one.bases)}
    mixed: defaultdict[str, list[str]] = defaultdict(list)
    for name, bases in ancestry.items():
        for one in bases if not cases.isdisjoint(bases) else ():
            if one == name or len(mixed[one]) < HOSTS:
                mixed[one].append(name)
    lines = text.split("\n")
    return TestFile(lines, whole, tree, definitions(tree.body), classes, members, ancestry, mixed, _made(tree))


def _ancestry(name: str, direct: Mapping[str, Sequence[str]]) -> list[str]:
    """A class and those that it inherits from; a loop among them ends."""
    found = [name]
    for one in found:
        found += [base for base in direct[one] if base not in found]
        if len(found) > ANCESTORS:
            break
    return found


def _made(tree: ast.Module) -> dict[tuple[str, str], list[ast.Call]]:
    """Calls at the margin that are given a name first."""
    found: defaultdict[tuple[str, str], list[ast.Call]] = defaultdict(list)
    for statement in tree.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Name):
            found[last_name(call), call.args[0].id].append(call)
    return dict(found)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def touched(file: TestFile, added: Collection[int]) -> list[Test]:
    """The test methods that have a new line, in the order of the file. One whose `def` is new is new."""
    found, ordered = [], sorted(added)
    for name, cls in file.classes.items():
        for node in cls.body:
            if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
                first, last = span(node)
                place = bisect_left(ordered, first)
                if place < len(ordered) and ordered[place] <= last:
                    found.append(Test(name, node, node.lineno in added))
    return found


def span(node: ast.stmt) -> tuple[int, int]:
    """First and last line, decorators included."""
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno


def lines_of(node: ast.stmt) -> range:
    """Numbers of its lines, decorators included."""
    first, last = span(node)
    return range(first, last + 1)


def header(node: ast.ClassDef) -> range:
    """Lines of a class from its first decorator to its first member, which has to be there for it to be a class."""
    return range(span(node)[0], span(node.body[0])[1] + 1)
