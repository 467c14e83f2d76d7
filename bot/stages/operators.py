"""operators: from an operator to the units of a kernel tree that it comes to, by its kernel's and its stub's name."""

from collections.abc import Mapping

from bot.stages.web import Web

MOST = 40
"""Operators told of one unit; what more of them reach is a tool of all."""


def roots(op: str, kernel: str, name: str) -> list[str]:
    """The names by which a tree may know an operator's kernel; `name` is the device's."""
    bare = op.strip("_")
    found = [kernel, f"{op}_{name}", f"{op}_out_{name}", f"{bare}_{name}", f"{op}_stub", f"{bare}_stub", f"{op}_kernel",
             f"{bare}_kernel"]  # fmt: skip
    if kernel.startswith("structured_"):
        found.append(kernel.removeprefix("structured_"))
    return list(dict.fromkeys(found))


def reaching(web: Web, operators: Mapping[str, str], name: str) -> dict[str, list[str]]:
    """Unit -> the operators that come to it, the nearest first."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for op, listed in operators.items():
        reached = web.reached(roots(op, listed.partition(" ")[0], name))
        for unit, steps in (reached or web.reached(_stubs(web, op))).items():
            found.setdefault(unit, []).append((steps, len(op), op))
    return {unit: [op for _, _, op in sorted(ops)[:MOST]] for unit, ops in found.items()}


def _stubs(web: Web, op: str) -> list[str]:
    """Stubs that are called by an operator's name and more, e.g. `_segment_reduce_lengths_stub`."""
    bare = op.strip("_") + "_"
    return [
        stub
        for stub in web.registered
        if stub.lstrip("_").startswith(bare) and ("backward" in stub) == ("backward" in op)
    ]
