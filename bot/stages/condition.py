"""condition: what is left of a guard's condition once it is known which devices there are.

A guard says where a test is run. To know whether that is where the source device is, its condition is worked out; what
can't be is left as it stands. Nothing is run: the words that tests use for their devices are known by name.
"""

import ast
import operator
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from bot.syntax import dotted

MODULE = r"(?:[\w.]+\.)?"
NEWEST, NONE = (99, 0), (0, 0)
"""Versions and capabilities of a device that can do all there is, and where there is none."""
FACTS: tuple[tuple[str, re.Pattern[str], Any, Any], ...] = tuple(
    (device, re.compile(rf"{MODULE}(?:{names})"), there, absent)
    for device, names, there, absent in (
        ("several", r"(?:TEST|HAS)_MULTI_?(?:GPU|ACCELERATOR)", True, False),
        ("cuda", r"(?:TEST|HAS|USE)_(?:CUDA|GPU|ACCELERATOR)(?:_GRAPH\w*|_CUDSS|_AND_TRITON)?", True, False),
        ("cuda", r"(?:TEST|HAS)_(?:CUDNN|MAGMA|CUSPARSE\w*|CUSOLVER|CUBLAS)", True, False),
        ("cuda", r"PLATFORM_SUPPORTS_\w+|SM\d+OrLater|_?has_(?:cuda|cudnn|magma|cusolver|cusparse\w*)", True, False),
        (
            "cuda",
            r"(?:cuda|accelerator)\.(?:_?is_available|is_initialized|_is_compiled|is_bf16_supported)",
            True,
            False,
        ),
        ("cuda", r"backends\.(?:cuda\.is_built|cudnn\.is_available|cudnn\.is_acceptable|cudnn\.enabled)", True, False),
        ("cuda", r"version\.cuda", "99.0", None),
        ("cuda", r"(?:cuda\.)?get_device_capability|_get_torch_cuda_version", NEWEST, NONE),
        ("cuda", r"TEST_CUDNN_VERSION|backends\.cudnn\.version", 99_999_999, 0),
        ("rocm", r"TEST_(?:WITH_)?(?:ROCM|MIOPEN\w*|HIPSPARSE\w*)|HAS_ROCM", True, False),
        ("rocm", r"version\.hip", "99.0", None),
        ("rocm", r"ROCM_VERSION|_get_torch_rocm_version", NEWEST, NONE),
        ("xpu", r"(?:TEST|HAS)_XPU(?:_AND_TRITON)?|xpu\.(?:is_available|_is_compiled)", True, False),
        ("xpu", r"version\.xpu", "99.0", None),
        ("mps", r"(?:TEST|HAS)_MPS|mps\.(?:is_available|is_built)", True, False),
        ("hpu", r"(?:TEST|HAS)_HPU|hpu\.is_available|TEST_HPU", True, False),
        ("privateuse1", r"TEST_PRIVATEUSE1\w*", True, False),
        ("checked", r"TEST_CUDAMALLOCASYNC|PYTORCH_CUDA_MEMCHECK|TEST_CUDA_MEM_LEAK_CHECK", True, False),
    )
)
"""Device, names that ask for it, what they are worth where it is and where it is not. No one runs under a checker."""
LONGEST = 100
"""Characters of a name."""
COUNT = re.compile(rf"{MODULE}(?:cuda|accelerator)\.device_count")
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def left(condition: ast.expr, present: Collection[str]) -> bool | ast.expr:
    """Whether it holds where these devices are and no others; else what is left to be known of it."""
    if isinstance(condition, ast.BoolOp):
        return _joined(condition, present)
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        inner = left(condition.operand, present)
        return not inner if isinstance(inner, bool) else ast.UnaryOp(ast.Not(), inner)
    if isinstance(condition, ast.Call) and dotted(condition.func) == "bool" and len(condition.args) == 1:
        return left(condition.args[0], present)
    known = _value(condition, present)
    return bool(known[0]) if known else condition


def _joined(condition: ast.BoolOp, present: Collection[str]) -> bool | ast.expr:
    """`and`, `or`: one part may decide; of the others those stay that are not known."""
    decides = isinstance(condition.op, ast.Or)
    rest: list[ast.expr] = []
    for part in (left(one, present) for one in condition.values):
        if part is decides:
            return decides
        rest += [] if isinstance(part, bool) else [part]
    if not rest:
        return not decides
    return rest[0] if len(rest) == 1 else ast.BoolOp(condition.op, rest)


def _value(node: ast.expr, present: Collection[str]) -> tuple[Any] | None:
    """The value of an expression, alone in a tuple; None where it isn't known."""
    if isinstance(node, ast.Constant):
        return (node.value,)
    if isinstance(node, ast.Tuple):
        parts = [_value(one, present) for one in node.elts]
        return (tuple(one[0] for one in parts if one),) if all(parts) else None
    if isinstance(node, ast.Subscript):
        whole, place = _value(node.value, present), _value(node.slice, present)
        fits = whole and place and whole[0] in (NEWEST, NONE) and place[0] in (0, 1)
        return (whole[0][place[0]],) if whole and place and fits else None
    if isinstance(node, ast.Compare):
        return _compared(node, present)
    name = dotted(node.func if isinstance(node, ast.Call) else node)
    return _fact(name, present) if name else None


def _fact(name: str, present: Collection[str]) -> tuple[Any] | None:
    if len(name) > LONGEST:
        return None
    if COUNT.fullmatch(name):
        return (2 if "several" in present else int("cuda" in present),)
    fact = _known(name)
    return (fact[1] if fact[0] in present else fact[2],) if fact else None


@lru_cache(maxsize=1024)
def _known(name: str) -> tuple[str, Any, Any] | None:
    """The device that a name asks for, and what it is worth."""
    return next(((device, there, none) for device, names, there, none in FACTS if names.fullmatch(name)), None)


def _compared(node: ast.Compare, present: Collection[str]) -> tuple[bool] | None:
    """A comparison of what is known; `a < b < c` is left alone."""
    first, second = _value(node.left, present), _value(node.comparators[0], present)
    compare = COMPARISONS.get(type(node.ops[0]))
    if first is None or second is None or compare is None or len(node.ops) > 1:
        return None
    try:
        return (bool(compare(first[0], second[0])),)
    except TypeError:
        return None
