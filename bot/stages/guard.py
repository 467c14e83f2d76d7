"""guard: a decorator with a condition on which a test is skipped, or expected to fail."""

import ast
from collections.abc import Collection
from dataclasses import dataclass

from bot.stages.condition import left
from bot.syntax import last_name

NAMED = {"skipCUDAIf": frozenset({"cuda"}), "skipXPUIf": frozenset({"xpu"}), "skipGPUIf": frozenset({"cuda", "xpu"})}


@dataclass(frozen=True, slots=True)
class Guard:
    """Such a decorator, read."""

    node: ast.Call
    condition: ast.expr
    reason: tuple[ast.expr, ...]
    """Where one is given."""
    when: bool
    """What the condition is worth where the test is skipped."""
    devices: frozenset[str] | None
    """On which it skips; None for all."""

    def skips(self, device: str, present: Collection[str]) -> bool | ast.expr:
        """Does it skip a test on this device, where those are? If that isn't known, what is left of the condition."""
        if self.devices is not None and (device not in self.devices or self._of_a_library()):
            return False
        value = left(self.condition, present)
        return value is self.when if isinstance(value, bool) else value

    def left_with(self, condition: ast.expr) -> ast.expr:
        """The guard with what is left of its condition; one for the source device alone becomes one for any."""
        if self.devices is None and condition is self.condition:
            return self.node
        if self.devices is None:
            return ast.Call(self.node.func, [condition, *self.reason], [])
        plain = ast.Attribute(ast.Name("unittest", ast.Load()), "skipIf", ast.Load())
        return ast.Call(plain, [condition, *(self.reason or [ast.Constant("upstream skips it")])], [])

    def _of_a_library(self) -> bool:
        """`@skipCUDAIf("no_magma", ...)`: the name of what the class knows of its device."""
        return isinstance(self.condition, ast.Constant) and isinstance(self.condition.value, str)


def guard_of(decorator: ast.expr) -> Guard | None:
    """The guard; None where it is given no condition."""
    if not isinstance(decorator, ast.Call):
        return None
    named = {one.arg: one.value for one in decorator.keywords}
    given = [*decorator.args, *(named.pop(name) for name in ("condition", "dep", "cond") if name in named)]
    if not given or isinstance(given[0], ast.Starred):
        return None
    name, stated = last_name(decorator), named.pop("device_type", named.pop("device", None))
    only = NAMED.get(name) if stated is None else frozenset(strings(stated))
    reason = (*given[1:], *named.values())[:1]
    return Guard(decorator, given[0], reason, name != "skipUnless", only)


def strings(node: ast.AST) -> list[str]:
    """The literals in an expression."""
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
