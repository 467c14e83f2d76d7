"""kernel_pairs: a target's host functions and their counterparts for CUDA, each with the checks that it comes to."""

import re
from collections.abc import Iterator

from bot.cpp.facts import Unit
from bot.model import Check, HostPair, HostSide
from bot.stages.web import Web

LAUNCH = re.compile(r"submit|parallel_for|gpu_(?:\w+_)?kernel|launch")
"""How what starts a kernel is called."""
FARTHEST = 4
"""Calls that are followed: checks stand near the door."""
NAMES = ("cuda", "gpu", "cufft", "cublas")
"""What CUDA's functions have in their names where the target's have the device's."""
ENDINGS = ("_kernel", "_kernel_impl", "_kernel_cuda", "_cuda", "_cuda_kernel", "_kernel_cuda_impl")


def pairs(target: Web, upstream: Web, name: str) -> list[HostPair]:
    """The target's host functions that have a counterpart; `name` is the device's, e.g. `xpu`.

    Those that only others come to are left out where the others' counterparts make the same checks, and where the
    others are structured: then all devices check by the same code.
    """
    by_function = {function: stub for stub, functions in target.registered.items() for function in functions}
    found: dict[str, HostPair] = {}
    inner: dict[str, list[str]] = {}
    for unit_name, places in sorted(target.units.items()):
        hosts = [one for one in places if not (one[1].functor or one[1].parameters or one[0].endswith((".h", ".hpp")))]
        other = _counterpart(unit_name, by_function.get(unit_name, ""), upstream, name) if hosts else None
        if not hosts or (other is None and not hosts[0][1].structured):
            continue
        side, reached = host_side(target, *hosts[0], everywhere=True, users=unit_name.endswith("_kernel"))
        structured = other is None or (hosts[0][1].structured and not other[1].structured)
        for one in reached - {unit_name}:
            inner.setdefault(one, []).append("" if structured else unit_name)
        if other is not None and not structured:
            found[unit_name] = _pair(side, host_side(upstream, *other, everywhere=False)[0], target, reached, name)
    return [pair for unit_name, pair in found.items() if not _covered(pair, inner.get(unit_name, []), found)]


def _pair(side: HostSide, other: HostSide, target: Web, reached: set[str], name: str) -> HostPair:
    """Both sides, without the checks of functions that have a counterpart which this target does not come to."""
    told_there = {
        one.unit
        for one in other.checks
        if (own := one.unit.replace("cuda", name)) in target.units and own not in reached
    }
    checks = tuple(one for one in other.checks if one.unit not in told_there)
    return HostPair(target=side, upstream=other.model_copy(update={"checks": checks}))


def _covered(pair: HostPair, outer: list[str], found: dict[str, HostPair]) -> bool:
    """Does one of the functions that come to a pair's target stand for its checks?"""
    asked = {(one.path, one.line) for one in pair.upstream.checks}
    return any(not one or asked <= {(check.path, check.line) for check in found[one].upstream.checks} for one in outer)


def _counterpart(unit: str, stub: str, upstream: Web, name: str) -> tuple[str, Unit] | None:
    """By its name with the device's changed for CUDA's, else by the stub that both are registered for."""
    named = upstream.registered.get(stub, []) if stub else []
    named = named or ([unit.replace(name, other) for other in NAMES] if name in unit and not stub else [])
    if not named and not stub and unit.endswith("_kernel"):
        named += [unit.removesuffix("_kernel") + ending for ending in ENDINGS]
    for one in named:
        for path, found in upstream.units.get(one, ()):
            if not found.functor:
                return path, found
    return None


def host_side(web: Web, path: str, unit: Unit, *, everywhere: bool, users: bool = False) -> tuple[HostSide, set[str]]:
    """A host function with its checks, in other files too or only in its own; and what it reaches.

    `users`: those who call it may check before they do.
    """
    own = web.reached([unit.name])
    reached = {**web.reached(web.users(unit.name)), **own} if users else own
    checks = [one for one in _checks(web, reached, path) if everywhere or one.path == path]
    names = {name for one in reached for name in web.mentions(one)} | {one.name for one in checks} | set(reached)
    units = [found for name in reached for place, found in web.units.get(name, ()) if everywhere or place == path]
    side = HostSide(
        unit=unit.name,
        path=path,
        line=unit.line,
        end_line=max(unit.line, unit.head),
        checks=tuple(checks),
        structured=unit.structured,
        names=frozenset(names),
        elsewhere=frozenset(name for name in names if name not in web.units),
        dtypes=frozenset(dtype for one in units for dtype in one.dtypes),
        asks_empty=any(one.asks_empty for one in units),
        launches=any(one.functor for one in units) or any(LAUNCH.search(one) for one in names),
    )
    return side, set(own)


def _checks(web: Web, reached: dict[str, int], path: str) -> Iterator[Check]:
    for name, steps in reached.items():
        if steps > FARTHEST:
            continue
        places = web.units.get(name, [])
        for place, unit in [one for one in places if one[0] == path] or places:
            for line, check, condition, message, under in unit.checks:
                yield Check(
                    unit=name,
                    path=place,
                    line=line,
                    name=check,
                    condition=condition,
                    message=message,
                    under=under,
                    steps=steps,
                )
