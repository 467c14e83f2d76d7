"""hosts: which classes run a test, and whether it shows anything on the source device."""

import ast
import re
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TypeVar

from bot.stages.decorators import OTHER, NoTestError, arguments, asks_for_source, settle
from bot.stages.guard import strings
from bot.stages.scopes import FUNCTIONS, Function, attributes, used
from bot.stages.testfile import Test, TestFile
from bot.stages.wellknown import STAND_INS
from bot.syntax import children, last_name

DEVICE_PARAMETERS = frozenset({"device", "devices"})
RUN = 2
"""Classes that a mixin's test is run by; more would say the same again."""
LAST = 4
"""Of what has the same name, so many of the last are looked at."""
SOURCE_STRING = re.compile(r"^cuda(?::|$)|\.cuda\b|[\"']cuda", re.IGNORECASE)
"""In a string that is used, and not merely says something."""

Answer = TypeVar("Answer")


def runs(test: Test, file: TestFile) -> Sequence[str]:
    """The classes that a test is run by, as far as the file tells: those for the source device, where any is."""

    def asked() -> Sequence[str]:
        hosts = [one for one in file.hosts(test.home) if _refused(one, file) is None]
        return ([one for one in hosts if speaks_of_source(test, one, file)] or hosts)[:RUN] or [test.home]

    return _once(file, "runs", (test.home, test.node), asked)


def check(test: Test, file: TestFile) -> None:
    """Raises NoTestError where the test is for no device, for another one, or for several."""
    settle(test.node)
    hosts = file.hosts(test.home)
    if file.whole and not hosts:
        raise NoTestError("its class is no test case, and none of this file is made of it")
    refusals = {one: _refused(one, file) for one in hosts or [test.home]}
    good = [one for one, why in refusals.items() if why is None]
    if not good:
        raise NoTestError(next(filter(None, refusals.values())))
    calls = [call for host in good for call in file.calls("instantiate_device_type_tests", host)]
    if calls and not any(_for_source(call) for call in calls):
        raise NoTestError(f"{OTHER} (instantiate_device_type_tests)")
    takes = takes_device(test.node)
    if takes and hosts and test.home not in good:
        raise NoTestError("it takes a device, and stands in a class of which no tests of a device are made")
    if not (calls or takes or any(speaks_of_source(test, one, file) for one in good)):
        raise NoTestError("it runs on the CPU alone")


def takes_device(node: Function) -> bool:
    """Is the test given the device that it runs on, by whoever makes the tests of a device?"""
    by_itself = {
        name.strip()
        for decorator in node.decorator_list
        if last_name(decorator) == "parametrize"
        for text in (one for given in arguments(decorator)[:1] for one in strings(given))
        for name in text.split(",")
    }
    taken = {one.arg for one in [*node.args.args, *node.args.kwonlyargs]} & DEVICE_PARAMETERS
    return bool(taken - by_itself)


def _for_source(call: ast.Call) -> bool:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    only, without = (strings(given[name]) if name in given else [] for name in ("only_for", "except_for"))
    return (not only or "cuda" in only) and "cuda" not in without


def speaks_of_source(test: Test, host: str, file: TestFile) -> bool:
    """Does the test, or what it uses of the class that runs it, or a guard of either speak of the source device?"""
    if _alone(test.node, file):
        return True
    near = dict.fromkeys((test.home, *file.bases(host)))
    return any(_guarded(file.classes[cls], file) or _uses(test.node, cls, file) for cls in near)


def _once(file: TestFile, question: str, of: Hashable, answer: Callable[[], Answer]) -> Answer:
    """The answer, which is kept with the file."""
    key = (question, of)
    if key not in file.answers:
        file.answers[key] = answer()
    found: Answer = file.answers[key]
    return found


def _refused(name: str, file: TestFile) -> str | None:
    """Why a class shows nothing on the source device; what its bases are decorated with holds for it too."""

    def asked(node: ast.ClassDef) -> str | None:
        try:
            settle(node)
        except NoTestError as error:
            return str(error)
        return None

    nodes = (file.classes[one] for one in file.bases(name))
    return next(filter(None, (_once(file, "refused", one, partial(asked, one)) for one in nodes)), None)


def _alone(node: Function, file: TestFile) -> bool:
    """Does a test speak of the source device by itself, in a guard, or in a function that it uses?"""

    def asked() -> bool:
        helpers = (one for name in used(node) for one in file.definitions.get(name, ())[-LAST:])
        functions = (one for one in helpers if isinstance(one, FUNCTIONS))
        return _says(node, file) or _guarded(node, file) or any(_says(one, file) for one in functions)

    return _once(file, "alone", node, asked)


def _uses(node: Function, cls: str, file: TestFile) -> bool:
    """Does a test use a member of a class that speaks of the source device?"""

    def asked() -> bool:
        names = _once(file, "attributes", node, lambda: {*attributes(node, ("self", "cls")), "setUp"})
        members = file.members[cls]
        return any(_says(one, file) for name in members.keys() & names for one in members[name][-LAST:])

    return _once(file, "uses", (node, cls), asked)


def _guarded(node: Function | ast.ClassDef, file: TestFile) -> bool:
    """Is there a guard that asks for the source device, or something that is done for it?"""

    def asked() -> bool:
        told = [(one, asks_for_source(one)) for one in node.decorator_list]
        return any(_speaks(one) if asks is None else asks for one, asks in told)

    return _once(file, "guarded", node, asked)


def _says(node: ast.stmt, file: TestFile) -> bool:
    """Does a statement speak of the source device, its decorators left aside?"""

    def asked() -> bool:
        if not isinstance(node, FUNCTIONS):
            return _speaks(node)
        return "cuda" in node.name.lower() or any(map(_speaks, (node.args, *node.body)))

    return _once(file, "says", node, asked)


def _speaks(root: ast.AST) -> bool:
    """Is there a name or a string of the source device? What a string alone on its line says is no code."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SOURCE_STRING.search(node.value):
            return True
        words = [getattr(node, name, None) for name in ("id", "attr", "arg", "name")]
        if any(isinstance(word, str) and ("cuda" in word.lower() or word in STAND_INS) for word in words):
            return True
        waiting += children(node)
    return False
