"""parts: all that some tests use of their file: members of their classes, functions, constants, imports, resolved
until nothing is missing or what is missing is known.
"""

import ast
import copy
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.stages.decorators import NoTestError, settle
from bot.stages.hosts import runs
from bot.stages.scopes import FUNCTIONS, GIVEN, attributes, inside, used
from bot.stages.testfile import Test, TestFile
from bot.stages.wellknown import ALWAYS, IMPORTS, STAND_INS

SET_UP = ("setUp", "tearDown", "setUpClass", "tearDownClass")
"""What runs though nobody calls it."""
MOST = 500
"""Statements and members that a script may be made of."""
OF_A_CASE = frozenset(
    {"addCleanup", "device_type", "dtype", "enterContext", "exact_dtype", "fail", "failureException"}
    | {"get_all_devices", "get_primary_device", "id", "maxDiff", "precision", "rel_tol", "skipTest", "subTest"}
)
"""What every test case has, beside its assertions."""


@dataclass(slots=True)
class Parts:
    """What a script is made of."""

    statements: dict[int, ast.stmt] = field(default_factory=dict)
    """Of the module, whole, by their first line and column."""
    members: dict[str, dict[int, ast.stmt]] = field(default_factory=dict)
    """Of the classes that are taken in part, likewise."""
    names: set[str] = field(default_factory=set)
    """All that are used: of an import only these are taken."""
    imports: set[str] = field(default_factory=set)
    """Names that the file's own imports don't show."""
    stand_ins: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    """Names that come from nowhere."""
    changes: list[str] = field(default_factory=list)


def parts_of(tests: Sequence[Test], file: TestFile) -> Parts:
    """The parts. Raises NoTestError where one of them is for another device."""
    gathering = _Gathering(file, [host for test in tests for host in runs(test, file)])
    for test in tests:
        gathering.take_class(file.classes[test.home])
        gathering.take_member(test.home, test.node)
    for host in gathering.hosts:
        gathering.take_class(file.classes[host])
    for setting in file.settings():
        gathering.take_statement(setting)
    return gathering.finished()


class _Gathering:
    """Work to be done on nodes that were taken, each once."""

    def __init__(self, file: TestFile, hosts: Sequence[str]) -> None:
        self.hosts = list(dict.fromkeys(hosts))
        self._file = file
        self._parts = Parts()
        self._waiting: list[ast.AST] = []
        self._attributes: set[str] = set()
        self._holders: defaultdict[str, list[str]] = defaultdict(list)  # of each member, the classes that are taken
        self._family = {one for host in self.hosts for one in file.bases(host)}

    def finished(self) -> Parts:
        """Take what is used by what was taken, until there is nothing more."""
        taken = 0
        while self._waiting:
            taken += 1
            if taken > MOST:
                raise NoTestError("it uses more of its file than a script should hold")
            node = self._waiting.pop()
            for name in used(node) - self._parts.names:
                self._parts.names.add(name)
                self._take_name(name)
            for name in attributes(node) - self._attributes:
                self._attributes.add(name)
                for cls in list(self._holders.get(name, ())):
                    self._take_named_member(cls, name)
            self._parts.missing |= self._from_nowhere(node)
        return self._parts

    def take_statement(self, node: ast.stmt) -> None:
        """A statement of the module, whole."""
        if self._parts.statements.setdefault(place_of(node), node) is node:
            self._waiting.append(node)

    def take_class(self, node: ast.ClassDef) -> None:
        """A class: a test case without the tests that nobody asks for, any other whole."""
        in_part = node.name in self._family or any(
            isinstance(one, FUNCTIONS) and one.name.startswith("test") for one in node.body
        )
        if not in_part:
            self.take_statement(node)
        elif node.name not in self._parts.members:
            self._parts.members[node.name] = {}
            done = settle(node)
            self._parts.changes += done.changes
            self._waiting += [*done.kept, *node.bases, *node.keywords]
            for one in node.body:
                if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(one.value, ast.Constant):
                    self.take_member(node.name, one)
            for name in self._file.members[node.name]:
                self._holders[name].append(node.name)
                if name in SET_UP or name in self._attributes:
                    self._take_named_member(node.name, name)

    def take_member(self, cls: str, node: ast.stmt) -> None:
        """A member of a class; only the decorators that stay are looked at."""
        if place_of(node) in self._parts.members[cls]:
            return
        self._parts.members[cls][place_of(node)] = node
        if isinstance(node, FUNCTIONS):
            done = settle(node)
            self._parts.changes += done.changes
            node = copy.copy(node)
            node.decorator_list = done.kept
        self._waiting.append(node)

    def _take_named_member(self, cls: str, name: str) -> None:
        for one in self._file.members[cls].get(name, ()):
            if not name.startswith("test"):
                self.take_member(cls, one)

    def _take_name(self, name: str) -> None:
        """Where a name comes from: the file, or what every test imports from the same place."""
        found = self._file.definitions.get(name, ())
        others = [one for one in found if not isinstance(one, ast.Import | ast.ImportFrom)]
        for one in others:
            if isinstance(one, ast.ClassDef):
                self.take_class(one)
            else:
                self.take_statement(one)
        if not others and name in STAND_INS and (found or not self._file.whole):
            self._parts.stand_ins.add(name)
        elif not found and not self._file.whole and name in IMPORTS:
            self._parts.imports.add(name)

    def _from_nowhere(self, node: ast.AST) -> set[str]:
        names = used(node) - inside(node)
        here = (self._file.definitions, GIVEN, ALWAYS, self._parts.imports, self._parts.stand_ins)
        missing = {name for name in names if not any(name in known for known in here)}
        return missing | (set() if self._file.whole else self._unseen_members(node))

    def _unseen_members(self, node: ast.AST) -> set[str]:
        """What a test takes from a class of which only a part is known."""
        if not isinstance(node, FUNCTIONS):
            return set()
        stored = {
            one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
        }
        asked = attributes(node, ("self", "cls")) - OF_A_CASE - stored
        return {f"self.{name}" for name in asked if name not in self._holders and not name.startswith("assert")}


def place_of(node: ast.stmt) -> int:
    """What tells statements apart and puts them in their order."""
    return node.lineno * 10_000 + min(node.col_offset, 9_999)
