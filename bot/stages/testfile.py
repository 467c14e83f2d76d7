"""testfile: a Python test file, or the part of one that a patch shows, and which of its tests a change touches."""

import ast
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.stages.decorators import OTHER, NoTestError, arguments, called, settle, strings
from bot.stages.scopes import FUNCTIONS, Function, attributes, definitions, inside, used
from bot.stages.wellknown import STAND_INS
from bot.syntax import is_deeper, parsed

DEVICE_PARAMETERS = frozenset({"device", "devices"})
CASE = ("TestCase", "TestBase")
"""How the names of classes end whose subclasses are run."""
DEEPEST = 200
"""Levels of nesting that are read."""
HOSTS = 2
"""Classes that run a mixin's test; more would say the same again."""
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
    cases: Sequence[str]
    """Classes that unittest runs."""

    def bases(self, name: str) -> Sequence[str]:
        """The classes of this file that a class inherits from, itself first."""
        return self.ancestry[name]

    def is_case(self, name: str) -> bool:
        """Does unittest run it?"""
        return name in self.cases

    def hosts(self, name: str) -> list[str]:
        """The class itself where it is a test case, else those that mix it into one."""
        if self.is_case(name):
            return [name]
        return [one for one in self.cases if name in self.ancestry[one]]

    def runs(self, test: Test) -> list[str]:
        """The classes that a test is run by, as far as the file tells: those for the source device, where any is."""
        hosts = self.hosts(test.home)
        return ([one for one in hosts if speaks_of_source(test, one, self)] or hosts)[:HOSTS] or [test.home]

    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Those at the margin, but for what they bring from the future."""
        found = [one for one in self.tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
        return [one for one in found if getattr(one, "module", "") != "__future__"]

    def calls(self, function: str, name: str) -> Iterator[ast.Call]:
        """Where the file calls a function with this class as first argument."""
        for statement in self.tree.body:
            call = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(call, ast.Call) and call.args and _is(call.args[0], name) and called(call) == function:
                yield call

    def settings(self) -> list[ast.stmt]:
        """Statements that set something in torch for the whole file."""
        return [one for one in self.tree.body if isinstance(one, ast.Expr) and called(one.value) in SETTINGS]


def read(text: str, *, whole: bool) -> TestFile | None:
    """The file, None where it is no Python, or too deep."""
    tree = parsed(text)
    if tree is None or is_deeper(tree, DEEPEST):
        return None
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    members = {name: definitions(one.body) for name, one in classes.items()}
    ancestry = {name: _ancestry(name, classes) for name in classes}
    named = {
        name: [base for base in map(_last_name, one.bases) if base.endswith(CASE)] for name, one in classes.items()
    }
    cases = [name for name in classes if any(named[one] for one in ancestry[name])]
    return TestFile(text.split("\n"), whole, tree, definitions(tree.body), classes, members, ancestry, cases)


def _ancestry(name: str, classes: Mapping[str, ast.ClassDef]) -> list[str]:
    """A class and those that it inherits from; a loop among them ends."""
    found = [name]
    for one in found:
        direct = [base.id for base in classes[one].bases if isinstance(base, ast.Name)]
        found += [base for base in dict.fromkeys(direct) if base in classes and base not in found]
        if len(found) > ANCESTORS:
            break
    return found


def _last_name(node: ast.expr) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


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


def check(test: Test, file: TestFile) -> None:
    """Raises NoTestError where the test is for no device, for another one, or for several."""
    settle(test.node)
    hosts = file.hosts(test.home)
    if file.whole and not hosts:
        raise NoTestError("its class is no test case, and none of this file is made of it")
    for name in {test.home, *hosts}:
        settle(file.classes[name])
    calls = [call for host in hosts for call in file.calls("instantiate_device_type_tests", host)]
    if calls and not any(_for_source(call) for call in calls):
        raise NoTestError(f"{OTHER} (instantiate_device_type_tests)")
    if takes_device(test.node) and hosts and test.home not in hosts:
        raise NoTestError("it takes a device, and stands in a class of which no tests of a device are made")
    if not (calls or takes_device(test.node) or any(speaks_of_source(test, one, file) for one in hosts or [test.home])):
        raise NoTestError("it runs on the CPU alone")


def takes_device(node: Function) -> bool:
    """Is the test given the device that it runs on, by whoever makes the tests of a device?"""
    by_itself = {
        name.strip()
        for decorator in node.decorator_list
        if called(decorator) == "parametrize"
        for text in (one for given in arguments(decorator)[:1] for one in strings(given))
        for name in text.split(",")
    }
    taken = {one.arg for one in [*node.args.args, *node.args.kwonlyargs]} & DEVICE_PARAMETERS
    return bool(taken - by_itself)


def unresolved(node: ast.AST) -> set[str]:
    """Names that a part of the file takes from outside itself."""
    return used(node) - inside(node)


def _for_source(call: ast.Call) -> bool:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    only, without = (strings(given[name]) if name in given else [] for name in ("only_for", "except_for"))
    return (not only or "cuda" in only) and "cuda" not in without


def speaks_of_source(test: Test, host: str, file: TestFile) -> bool:
    """Does the test, or what it uses of the class that runs it, or a guard of either speak of the source device?"""
    near = {test.home, *file.bases(host)}
    asked = {*attributes(test.node, ("self", "cls")), "setUp"}
    called = [one for name in asked for cls in near for one in file.members[cls].get(name, ())]
    helpers = [one for name in used(test.node) for one in file.definitions.get(name, ()) if isinstance(one, FUNCTIONS)]
    guards = [one for cls in near for one in file.classes[cls].decorator_list]
    spoken = [test.node, *called, *helpers, *guards]
    return any("cuda" in ast.unparse(one).lower() or used(one) & STAND_INS.keys() for one in spoken)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
