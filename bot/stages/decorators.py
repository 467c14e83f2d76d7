"""decorators: what becomes of a test's decorators where the test runs on one device only, in the source device's place.

They say for which devices a test is, and the port, which looks for a device's name, can't see that. So each is kept,
or taken away because the device is chosen already, or it says that the test is no reproducer: one that upstream skips
on the source device, or expects to fail there, shows nothing of a fix. Where upstream knows that it fails on XPU the
test is kept, since that is the fault which is looked for, and it is told, since somebody may have reported it.
"""

import ast
import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from bot.stages.guard import guard_of, strings
from bot.stages.scopes import Function
from bot.syntax import last_name


class NoTestError(Exception):
    """The test is none that shows a fault on the source device; the message says why."""


@dataclass(frozen=True, slots=True)
class Decorators:
    """Those that stay, and what was done to the others."""

    kept: list[ast.expr] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)


class Fate(StrEnum):
    """What a decorator's name alone says of it."""

    AWAY = "it is taken away"
    NEVER = "the test is no reproducer"
    CONDITION = "its condition says"
    DEVICES = "the devices that it names say"
    DTYPES = "its dtypes become everybody's"
    COUNT = "its number says"
    STAYS = "it stays"


HERE = "the script is for that device"
ONE = "the script is for one device"
OTHER = "it is a test of another device"
SEVERAL = "it needs several devices"
SKIPS = "upstream skips it on the source device"
FAILS = "upstream expects it to fail on the source device"
KNOWN = "known upstream on XPU"
LIBRARY = "it speaks of a library or a version of the source device"
ELSEWHERE = r"(?:CPU|ROCm|MPS|HPU|XLA|Meta|Lazy|PRIVATEUSE1|WindowsXPU)"
FATES = tuple(
    (re.compile(pattern, re.IGNORECASE), fate, why)
    for pattern, fate, why in (
        (r"only(?:CUDA|GPU|Accelerator)\w*|require[sd]?_?(?:cuda|gpu)(?!_p2p)\w*", Fate.AWAY, HERE),
        (r"skip_?(?:If_?No|Unless)_?(?:CUDA|GPU|Accelerator)", Fate.AWAY, HERE),
        (r"onlyNativeDeviceTypes\w*", Fate.AWAY, ONE),
        (r"only(?:CPU|MPS|XPU|HPU|PRIVATEUSE1)|require[sd]?_?(?:xpu|mps|hpu|rocm)\w*", Fate.NEVER, OTHER),
        (r"skip(?:CUDA)?(?:If_?No|IfNot|Unless)(?:XPU|MPS|HPU|ROCm|MiopenSuggestNHWC)", Fate.NEVER, OTHER),
        (r"skipCUDAIfNoMiopen", Fate.NEVER, OTHER),
        (r"requires?_cuda_p2p\w*|requires?_multi_?gpu\w*|skip_if_lt_x_gpu", Fate.NEVER, SEVERAL),
        (r"onlyOn", Fate.DEVICES, OTHER),
        (r"dtypesIfCUDA", Fate.DTYPES, ""),
        (r"dtypesIf(?:MPS|HPU|PRIVATEUSE1)", Fate.AWAY, ONE),
        (r"skipCUDA(?:MemoryLeakCheck|NonDefaultStream)If", Fate.AWAY, "it is about a check of the library's own"),
        (r"skipCUDA(?:If(?:No|Rocm|Miopen|Cudnn|Version)|Version)\w*|xfail\w*SM\d+\w*", Fate.AWAY, LIBRARY),
        (r"skip(?:CUDA|GPU|XPU|Device)?If|skipUnless|skip_but_pass_in_sandcastle_if", Fate.CONDITION, SKIPS),
        (r"xfailIf", Fate.CONDITION, FAILS),
        (r"skip_?(?:If_?)?(?:CUDA|GPU|Accelerator)(?:_BUGGY)?", Fate.NEVER, SKIPS),
        (r"(?:xfail|expectedFailure)_?(?:If_?)?(?:CUDA|GPU|Accelerator)", Fate.NEVER, FAILS),
        (r"(?:skip|xfail|expectedFailure)_?(?:If_?)?XPU(?:_BUGGY)?", Fate.AWAY, KNOWN),
        (rf"(?:skip|xfail|expectedFailure)_?(?:If_?)?{ELSEWHERE}\w*", Fate.AWAY, "it speaks of another device"),
        (r"skip|skip_but_pass_in_sandcastle", Fate.NEVER, SKIPS),
        (r"expectedFailure", Fate.DEVICES, FAILS),
        (r"slowTest\w*", Fate.AWAY, "a slow test is run too"),
        (r"deviceCountAtLeast", Fate.COUNT, SEVERAL),
        (
            r"ops|modules|optims|ops_and_dtypes",
            Fate.NEVER,
            "it sweeps a database of operators, not this change's alone",
        ),
    )
)
"""The first that fits a decorator's name; one that nothing fits stays."""
OTHERS = {"several": SEVERAL, **dict.fromkeys(("xpu", "rocm", "mps", "hpu", "privateuse1"), OTHER)}
"""What else a test may need, and why it is none then."""


def settle(node: Function | ast.ClassDef) -> Decorators:
    """The decorators as the script has them. Raises NoTestError."""
    done = Decorators()
    own_dtypes = any(last_name(one) == "dtypesIfCUDA" for one in node.decorator_list)
    for decorator in node.decorator_list:
        if not (own_dtypes and last_name(decorator) == "dtypes"):
            kept = _settled(decorator, done.changes)
            done.kept.extend([kept] if kept is not None else [])
    return done


def arguments(decorator: ast.expr) -> list[ast.expr]:
    """What a decorator is called with."""
    if not isinstance(decorator, ast.Call):
        return []
    return [*decorator.args, *(keyword.value for keyword in decorator.keywords)]


def asks_for_source(decorator: ast.expr) -> bool | None:
    """Does it let the test run only where the source device is? None where it says nothing of where."""
    fate, why = _fate(last_name(decorator))
    if fate is Fate.CONDITION:
        guard = guard_of(decorator)
        return guard is not None and guard.skips("cpu", ()) is True
    return None if fate in (Fate.STAYS, Fate.DEVICES) else why == HERE


@lru_cache(maxsize=4096)
def _fate(name: str) -> tuple[Fate, str]:
    return next(((fate, why) for pattern, fate, why in FATES if pattern.fullmatch(name)), (Fate.STAYS, ""))


def _settled(decorator: ast.expr, changes: list[str]) -> ast.expr | None:
    """The decorator as it stays, or none; what was done is told. Raises NoTestError."""
    name = last_name(decorator)
    fate, why = _fate(name)
    if fate is Fate.CONDITION:
        return _guarded(decorator, why, changes)
    if fate is Fate.DTYPES:
        changes.append("@dtypesIfCUDA became @dtypes: its list is the target's")
        given = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
        return ast.Call(ast.Name("dtypes", ast.Load()), given.args, given.keywords)
    if fate is Fate.DEVICES:
        named = [text for one in arguments(decorator) for text in strings(one)]
        here = not named or "cuda" in named
        fate = Fate.NEVER if here == (why == FAILS) else Fate.AWAY
        why = why if fate is Fate.NEVER else KNOWN if why == FAILS and "xpu" in named else ONE
    one = fate is Fate.COUNT and any(isinstance(it, ast.Constant) and it.value == 1 for it in arguments(decorator))
    if fate is Fate.NEVER or (fate is Fate.COUNT and not one):
        raise NoTestError(f"{why} (@{name})")
    if fate is Fate.AWAY:
        changes.append(f"@{name} taken away: {why}")
        return None
    return decorator  # also `@deviceCountAtLeast(1)`, which gives the test its list of devices


def _guarded(decorator: ast.expr, why: str, changes: list[str]) -> ast.expr | None:
    """A guard whose condition is known goes, or says that the test is none; of one known in part the rest stays."""
    name, guard = last_name(decorator), guard_of(decorator)
    if guard is None:
        return decorator
    here, there = guard.skips("cuda", {"cuda"}), guard.skips("xpu", {"cuda", "xpu"})
    if here is True:
        needed = (what for more, what in OTHERS.items() if guard.skips("cuda", {"cuda", more}) is False)
        raise NoTestError(f"{next(needed, why)} (@{name})")
    if there is True:
        changes.append(f"@{name} taken away: {KNOWN}")
    if isinstance(here, ast.expr):
        kept = guard.left_with(here)
        changes.extend([f"@{name}: only what its condition says of no device is left"] if kept is not decorator else [])
        return kept
    if there is False:
        changes.append(f"@{name} taken away: its condition is about a device")
    return None if isinstance(there, bool) else decorator
