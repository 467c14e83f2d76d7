"""memory: how much the tensors of a script take, read off the sizes that are written in it."""

import ast
import math
from collections.abc import Mapping

from bot.stages.marks import BYTES, FACTORIES, LARGE_TEST
from bot.syntax import walked

LEAST = 4_000_000_000
"""Bytes from which on it is worth a word."""
MOST = 1 << 60
"""Numbers beyond this are not counted on with."""


def gigabytes(code: str, tree: ast.Module) -> int:
    """Gigabytes that its own figures add up to; 0 for less than 4."""
    said = [float(one["amount"]) for one in LARGE_TEST.finditer(code) if one["unit"] != "MB"]
    known = _constants(tree)
    calls = [node for node in walked(tree) if isinstance(node, ast.Call)]
    total = sum(_bytes(call, known) for call in calls)
    amount = max([total / 1e9 if total >= LEAST else 0.0, *said])
    return math.ceil(amount) if amount >= LEAST / 1e9 else 0


def _constants(tree: ast.Module) -> dict[str, int]:
    """Names that are given one whole number, once, at the top level."""
    known: dict[str, int] = {}
    twice: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            for target, value in _pairs(node.targets[0], node.value):
                amount = _amount(value, known)
                if target.id in known or amount is None:
                    twice.add(target.id)
                else:
                    known[target.id] = amount
    return {name: amount for name, amount in known.items() if name not in twice}


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.Name, ast.expr]]:
    """`a, b = 1, 2` as two assignments."""
    if isinstance(target, ast.Name):
        return [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [(one, other) for one, other in zip(target.elts, value.elts, strict=True) if isinstance(one, ast.Name)]
    return []


def _amount(node: ast.expr, known: Mapping[str, int], level: int = 0) -> int | None:
    """A whole number that is written as such, as a name, or as a small calculation; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and abs(node.value) < MOST:
        return int(node.value) if node.value == int(node.value) else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1:
        return _amount(node.args[0], known, level + 1) if level < 8 else None
    if not isinstance(node, ast.BinOp) or level >= 8:
        return None
    left, right = _amount(node.left, known, level + 1), _amount(node.right, known, level + 1)
    return None if left is None or right is None else _calculated(node.op, left, right)


def _calculated(operator: ast.operator, left: int, right: int) -> int | None:
    result: int | None = None
    if isinstance(operator, ast.Add):
        result = left + right
    elif isinstance(operator, ast.Sub):
        result = left - right
    elif isinstance(operator, ast.Mult):
        result = left * right
    elif isinstance(operator, ast.FloorDiv) and right:
        result = left // right
    elif isinstance(operator, ast.LShift) and 0 <= right <= 60:
        result = left << right
    elif isinstance(operator, ast.Pow) and 0 <= right <= 60 and abs(left) <= 1 << 20:
        result = left**right
    return result if result is not None and abs(result) < MOST else None


def _bytes(call: ast.Call, known: Mapping[str, int]) -> int:
    """Bytes of the tensor that a factory makes, as far as its sizes are written out."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    sizes = [keyword.value for keyword in call.keywords if keyword.arg == "size"] or call.args
    if name == "arange" and len(call.args) in (1, 2):
        sizes = call.args[-1:]
    elif name not in FACTORIES:
        return 0
    elif name == "randint" and len(call.args) > 1:
        sizes = [one for one in call.args if isinstance(one, ast.Tuple | ast.List)] or []
    elif sizes and isinstance(sizes[0], ast.Tuple | ast.List | ast.Call):
        sizes = sizes[:1]
    flat = [inner for one in sizes for inner in (one.elts if isinstance(one, ast.Tuple | ast.List) else [one])]
    amounts = [_amount(one, known) for one in flat]
    if not amounts or any(one is None or one < 0 for one in amounts):
        return 0
    dtype = next((ast_name(keyword.value) for keyword in call.keywords if keyword.arg == "dtype"), "")
    each = BYTES.get(dtype, 8 if name in ("arange", "randint") and not dtype else 4)
    return min(math.prod(one for one in amounts if one is not None), MOST) * each


def ast_name(node: ast.expr) -> str:
    """The last part of a name: `float16` of `torch.float16`."""
    return str(getattr(node, "attr", getattr(node, "id", "")))
