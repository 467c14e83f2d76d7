"""suite: how a script's tests are run, so that whoever watches it sees what failed and no silence that proves nothing.

What unittest makes of its tests is an exit code and a report: the assertion that failed is not raised, and a test that
was skipped leaves no trace. One ending for all, the scripts that are made of test files and those of threads.
"""

import ast
import re
from collections.abc import Collection

from bot.stages.imports import with_imports
from bot.syntax import last_name, parsed

ENDING = '''

class Ending(unittest.TextTestResult):
    """Keeps what was raised. An error in other words than upstream's is no fault: the words differ between devices."""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.right, self.wrong, self.broken, self.unproven = 0, [], [], []

    def addSuccess(self, test):
        super().addSuccess(test)
        self.right += 1

    def addFailure(self, test, raised):
        super().addFailure(test, raised)
        self.keep(test, raised)

    def addError(self, test, raised):
        super().addError(test, raised)
        self.keep(test, raised)

    def addSubTest(self, test, subtest, raised):
        super().addSubTest(test, subtest, raised)
        if raised is not None:
            self.keep(test, raised)

    def addSkip(self, test, why):
        super().addSkip(test, why)
        self.unproven.append(f"{test.id()} was skipped: {why}")

    def addExpectedFailure(self, test, raised):
        super().addExpectedFailure(test, raised)
        self.unproven.append(f"{test.id()} is expected to fail, and did")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.unproven.append(f"{test.id()} is expected to fail, and did not")

    def keep(self, test, raised):
        fails = isinstance(raised[1], getattr(test, "failureException", AssertionError))
        if fails and '" does not match "' in str(raised[1]):
            self.unproven.append(f"{test.id()} raised an error in other words")
        else:
            (self.wrong if fails else self.broken).append(raised[1])


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    ended = unittest.TextTestRunner(resultclass=Ending).run(suite)
    for raised in (*ended.wrong, *ended.broken):
        raise raised  # exit code 1: wrong
    if ended.unproven or not ended.right:
        why = "; ".join(ended.unproven[:5]) or "no test passed and none failed"
        print(f"nothing is proven: {why}", file=sys.stderr)
        sys.exit(3)
'''
"""It needs `sys` and `unittest`."""
ALL = "unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])"
UNPROVEN = 3
"""The exit code of tests that prove nothing."""
SAYS = re.compile(r"^nothing is proven: [^\n:][^\n]{0,300}[^\s:]", re.M)
SUITE = re.compile(r"\b(?:unittest|run_tests)\b")
CHANGE = "its tests are run so that what failed is raised, and one that was skipped is no pass"


def with_ending(code: str) -> tuple[str, tuple[str, ...]]:
    """The code with this ending where its tests are run, with what that needs imported; and what was changed."""
    tree = parsed(code) if SUITE.search(code) and not re.search(r"[\r\f]", code) else None
    runner = _runner(tree) if tree else None
    if runner is None:
        return code, ()
    node, suite = runner
    lines = code.split("\n")
    last = node.end_lineno or node.lineno
    before = lines[node.lineno - 1].encode()[: node.col_offset].decode().rstrip(" \t;")
    behind = lines[last - 1].encode()[node.end_col_offset or 0 :].decode().strip(" \t;")
    head = "\n".join([*lines[: node.lineno - 1], before]).rstrip()
    kept = [f"{ast.unparse(one)} = ended" for one in getattr(node, "targets", ())]
    rest = "\n".join([*kept, *([] if behind.startswith("#") else [behind]), *lines[last:]]).strip("\n")
    made = head + "\n" + ENDING.replace(ALL, suite) + (f"\n{rest}\n" if rest.strip() else "")
    if parsed(made) is None:
        return code, ()
    whole, added = with_imports(made)
    return whole, (CHANGE, *added)


def unproven(errors: str) -> str | None:
    """What such tests say on standard error of why they prove nothing."""
    told = SAYS.search(errors)
    return told[0] if told else None


def _runner(tree: ast.Module) -> tuple[ast.stmt, str] | None:
    """The statement that runs the tests, and which; none where code stands behind it that would begin to run."""
    own = {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    theirs = _of_unittest(tree) | ({"run_tests"} - own)
    for statement in reversed(tree.body):
        inner = statement.body[-1] if isinstance(statement, ast.If) and _if_main(statement) else statement
        call = inner.value if isinstance(inner, ast.Expr | ast.Assign) else None
        if isinstance(call, ast.Call) and last_name(call) == "exit" and call.args:
            call = call.args[0]
        suite = _suite(call, theirs) if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or suite is None:
            continue
        if isinstance(inner, ast.Assign) and last_name(call) != "run":
            return None  # who knows what it asks of the program
        alone = isinstance(statement, ast.If) and len(statement.body) == 1
        return (statement if alone else inner, suite) if _goes_on(call) or statement is tree.body[-1] else None
    return None


def _goes_on(call: ast.Call) -> bool:
    """Does what stands behind it run, however the tests end?"""
    stays = (one.value for one in call.keywords if one.arg == "exit")
    return last_name(call) == "run" or any(isinstance(one, ast.Constant) and not one.value for one in stays)


def _if_main(statement: ast.If) -> bool:
    """`if __name__ == "__main__":`, and nothing else otherwise."""
    return not statement.orelse and ast.unparse(statement.test) in ("__name__ == '__main__'", "'__main__' == __name__")


def _suite(call: ast.Call, theirs: Collection[str]) -> str | None:
    """The tests that a call runs, as an expression; None where it runs none."""
    name, function = last_name(call), call.func
    if name == "run" and isinstance(function, ast.Attribute) and last_name(function.value) == "TextTestRunner":
        return ast.unparse(call.args[0]) if len(call.args) == 1 else None
    if name == "run_tests":
        return ALL if name in theirs else None
    owner = function.value if isinstance(function, ast.Attribute) else function
    return ALL if name == "main" and isinstance(owner, ast.Name) and owner.id in theirs else None


def _of_unittest(tree: ast.Module) -> set[str]:
    """Names under which the script has unittest, or its `main`; the import may be missing."""
    found = {"unittest"}
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {one.asname for one in node.names if one.name == "unittest" and one.asname}
        elif isinstance(node, ast.ImportFrom) and node.module == "unittest":
            found |= {one.asname or one.name for one in node.names if one.name == "main"}
    return found
