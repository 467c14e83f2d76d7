"""decorators: what becomes of a test's decorators where the test runs on one device only, in the source device's place.

They say for which devices a test is, and the port, which looks for a device's name, can't see that. So each is kept,
or taken away because the device is chosen already, or it says that the test is no reproducer.
"""

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.stages.scopes import Function


class NoTestError(Exception):
    """The test is none that shows a fault on the source device; the message says why."""


@dataclass(frozen=True, slots=True)
class Decorators:
    """Those that stay, and what was done to the others."""

    kept: list[ast.expr] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


SEVERAL = re.compile(r"MULTI(?:GPU|ACCELERATOR)|device_count")
DEVICES = re.compile(r"cuda|cudnn|rocm|hip\b|miopen|SM\d\d|PLATFORM_SUPPORTS|GPU|XPU|MPS|HPU|ACCELERATOR", re.I)
"""In the condition of a guard: it asks which device there is."""
ELSEWHERE = r"(?:CPU|CUDA|XPU|GPU|MPS|HPU|XLA|Meta|Lazy|PRIVATEUSE1|ROCm|Cudnn|Miopen)"


def settle(node: Function | ast.ClassDef) -> Decorators:
    """The decorators as the script has them. Raises NoTestError."""
    done = Decorators()
    own_dtypes = any(called(one) == "dtypesIfCUDA" for one in node.decorator_list)
    for decorator in node.decorator_list:
        name = called(decorator)
        if name == "dtypes" and own_dtypes:
            continue
        rule = next((rule for pattern, rule in RULES if pattern.fullmatch(name)), None)
        kept = rule(decorator, done.changes) if rule else decorator
        if kept is not None:
            done.kept.append(kept)
    return done


def arguments(decorator: ast.expr) -> list[ast.expr]:
    """What a decorator is called with."""
    if not isinstance(decorator, ast.Call):
        return []
    return [*decorator.args, *(keyword.value for keyword in decorator.keywords)]


def strings(node: ast.AST) -> list[str]:
    """The literals in an expression."""
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def called(node: ast.expr) -> str:
    """The last name of what is called or decorates: `skipIf` of `unittest.skipIf(...)`."""
    function = node.func if isinstance(node, ast.Call) else node
    return str(getattr(function, "attr", getattr(function, "id", "")))


Rule = Callable[[ast.expr, list[str]], ast.expr | None]


def _away(why: str) -> Rule:
    def rule(decorator: ast.expr, changes: list[str]) -> None:
        changes.append(f"@{called(decorator)} taken away: {why}")

    return rule


def _never(why: str) -> Rule:
    def rule(decorator: ast.expr, _: list[str]) -> None:
        raise NoTestError(f"{why} (@{called(decorator)})")

    return rule


def _only_on(decorator: ast.expr, changes: list[str]) -> None:
    """`@onlyOn(["cuda", "xpu"])`."""
    named = [text for one in arguments(decorator) for text in strings(one)]
    (_away(HERE) if "cuda" in named or not named else _never(OTHER))(decorator, changes)


def _dtypes(decorator: ast.expr, changes: list[str]) -> ast.expr:
    """The source device's dtypes become everybody's."""
    changes.append("@dtypesIfCUDA became @dtypes: its list is the target's")
    given = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
    return ast.Call(ast.Name("dtypes", ast.Load()), given.args, given.keywords)


def _guard(decorator: ast.expr, changes: list[str]) -> ast.expr | None:
    """A condition about devices holds for the source device, whose place the target takes."""
    condition = ast.unparse(arguments(decorator)[0]) if arguments(decorator) else ""
    if SEVERAL.search(condition):
        return _never("it needs several devices")(decorator, changes)
    if condition == "True":
        return _never("upstream skips it")(decorator, changes)
    return _away("its condition is about a device")(decorator, changes) if DEVICES.search(condition) else decorator


def _count(decorator: ast.expr, changes: list[str]) -> ast.expr | None:
    """`@deviceCountAtLeast(1)` also gives the test its list of devices."""
    one = any(isinstance(given, ast.Constant) and given.value == 1 for given in arguments(decorator))
    return decorator if one else _never("it needs several devices")(decorator, changes)


HERE = "the script is for one device"
OTHER = "it is a test of another device"
RULES: Sequence[tuple[re.Pattern[str], Rule]] = tuple(
    (re.compile(pattern, re.IGNORECASE), rule)
    for pattern, rule in (
        (r"only(?:CUDA\w*|Accelerator|GPU|NativeDeviceTypes\w*)", _away(HERE)),
        (r"only(?:CPU|MPS|XPU|HPU|PRIVATEUSE1)", _never(OTHER)),
        (r"onlyOn", _only_on),
        (r"dtypesIfCUDA", _dtypes),
        (r"dtypesIf(?:MPS|HPU|PRIVATEUSE1)", _away(HERE)),
        (rf"(?:skip|xfail|expectedFailure)(?:If|Unless)?(?:No|Not)?{ELSEWHERE}\w*", _away("it speaks of one device")),
        (r"require[sd]?_?(?:cuda|gpu)\w*", _away("the script is for a device that there is")),
        (r"skipIf|skipUnless|skip_but_pass_in_sandcastle_if", _guard),
        (r"skip|skip_but_pass_in_sandcastle", _never("upstream skips it")),
        (r"expectedFailure", _never("upstream expects it to fail")),
        (r"slowTest\w*", _away("a slow test is run too")),
        (r"deviceCountAtLeast", _count),
        (r"ops|modules|optims|ops_and_dtypes", _never("it sweeps a database of operators, not this change's alone")),
    )
)
"""The first that fits a decorator's name decides; one that nothing fits stays."""
