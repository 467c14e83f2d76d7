"""pairs: a target's host functions and their counterparts for CUDA, each with the checks that it comes to."""

from collections.abc import Iterator

from bot.cpp.facts import Unit
from bot.model import Check, HostPair, HostSide
from bot.stages.web import Web

FARTHEST = 4
"""Calls that are followed: checks stand near the door."""
ENDINGS = ("_kernel", "_kernel_impl", "_kernel_cuda", "_cuda", "_cuda_kernel", "_kernel_cuda_impl")


def pairs(target: Web, upstream: Web, name: str) -> list[HostPair]:
    """The target's outermost host functions that have a counterpart; `name` is the device's, e.g. `xpu`."""
    by_function = {function: stub for stub, functions in target.registered.items() for function in functions}
    found: dict[str, HostPair] = {}
    inner: set[str] = set()
    for unit_name, places in sorted(target.units.items()):
        hosts = [one for one in places if not (one[1].functor or one[1].parameters or one[0].endswith((".h", ".hpp")))]
        other = _counterpart(unit_name, by_function.get(unit_name, ""), upstream, name) if hosts else None
        if not hosts or (other is None and not hosts[0][1].structured):
            continue
        side, reached = _side(target, *hosts[0], everywhere=True)
        if other is None or (hosts[0][1].structured and not other[1].structured):
            inner |= reached  # what is structured here only has its checks with all devices
            continue
        found[unit_name] = HostPair(target=side, upstream=_side(upstream, *other, everywhere=False)[0])
        inner |= reached - {unit_name}
    return [pair for unit_name, pair in found.items() if unit_name not in inner]


def _counterpart(unit: str, stub: str, upstream: Web, name: str) -> tuple[str, Unit] | None:
    """By its name with the device's changed for CUDA's, else by the stub that both are registered for."""
    named = upstream.registered.get(stub, []) if stub else [unit.replace(name, "cuda")] if name in unit else []
    if not named and not stub and unit.endswith("_kernel"):
        named += [unit.removesuffix("_kernel") + ending for ending in ENDINGS]
    for one in named:
        for path, found in upstream.units.get(one, ()):
            if not found.functor:
                return path, found
    return None


def _side(web: Web, path: str, unit: Unit, *, everywhere: bool) -> tuple[HostSide, set[str]]:
    """A host function with its checks, in other files too or only in its own and in headers; and what it reaches."""
    reached = {name: steps for name, steps in web.reached([unit.name]).items() if steps <= FARTHEST}
    checks = [one for one in _checks(web, reached, path) if everywhere or one.path == path or one.path.endswith(".h")]
    names = {name for one in reached for name in web.mentions(one)} | {one.name for one in checks} | set(reached)
    side = HostSide(
        unit=unit.name, path=path, line=unit.line, end_line=max(unit.line, unit.head), checks=tuple(checks),
        names=frozenset(names),
    )  # fmt: skip
    return side, set(reached)


def _checks(web: Web, reached: dict[str, int], path: str) -> Iterator[Check]:
    for name, steps in reached.items():
        places = web.units.get(name, [])
        for place, unit in [one for one in places if one[0] == path] or places:
            for line, check, condition, message in unit.checks:
                yield Check(
                    unit=name, path=place, line=line, name=check, condition=condition, message=message, steps=steps
                )
