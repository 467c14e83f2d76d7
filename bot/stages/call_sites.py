"""call_sites: the places of calls: of torch, of methods, of variables of the environment, and bare numbers in them."""

import ast

from bot.model import Around, SiteKind
from bot.stages.arm_sites import rows
from bot.stages.name_sites import owned
from bot.stages.names import Root
from bot.stages.python_text import PythonText
from bot.stages.walk import Below, Walk
from bot.syntax import last_name

DEVICE_KEYWORDS = frozenset({"device", "map_location", "device_type"})
BY_STRING = frozenset({"getattr", "hasattr", "object", "setattr"})
"""Calls that take a name of something by a string: `patch.object` too."""
SETS = frozenset({"os.environ.setdefault", "os.putenv"})
TAKES_AWAY = frozenset({"os.environ.pop", "os.unsetenv"})
READS = frozenset({"get", "getenv"})
"""Calls that read a variable of the environment."""
FOREIGN = frozenset(
    ("cupy", "faiss", "jax", "lightgbm", "mxnet", "numba", "onnxruntime", "paddle", "tensorflow", "xgboost")
)
"""Packages with devices of their own."""


def statement(walk: Walk, node: ast.Expr, text: PythonText) -> Below:
    """A string that is a statement is a docstring or a remark; a variable of the environment may be set by a call."""
    value = node.value
    if isinstance(value, ast.Constant):
        return ()
    if isinstance(value, ast.Call):
        known = walk.names.qualified(value.func)
        arguments = text.arguments(value)
        variable = value.args[0].value if value.args and isinstance(value.args[0], ast.Constant) else None
        if known and known[0] in SETS | TAKES_AWAY and isinstance(variable, str):
            spans = [span for _, span in arguments[1:]] if known[0] in SETS else []
            walk.add(SiteKind.STATEMENT, text.span(node), f"os.environ[{variable}]", arguments=spans)
        if isinstance(value.func, ast.Name) and value.func.id == "print":
            for one in value.args:
                shown(walk, one)
    return (value,)


def shown(walk: Walk, node: ast.expr) -> None:
    """What is printed as it is: a name or its call, an attribute, an element or an f-string of it; nothing inside."""
    inner: ast.expr | None = node
    while inner is not None:
        walk.shown[id(inner)] = inner
        key = inner.slice if isinstance(inner, ast.Subscript) else None
        if isinstance(inner, ast.Call) and last_name(inner.func) in READS:
            key = (*inner.args, None)[0]
        if key:
            walk.shown[id(key)] = key
        inner = getattr(inner, "func" if isinstance(inner, ast.Call) else "value", None)
        inner = inner if isinstance(inner, ast.expr) else None


def delete(walk: Walk, node: ast.Delete, text: PythonText) -> Below:
    """`del os.environ[NAME]`"""
    first = node.targets[0]
    if len(node.targets) == 1 and isinstance(first, ast.Subscript) and isinstance(first.slice, ast.Constant):
        known = walk.names.qualified(first.value)
        if known and known[0] == "os.environ":
            walk.add(SiteKind.STATEMENT, text.span(node), f"os.environ[{first.slice.value!s}]")
    return node.targets


def entries(walk: Walk, node: ast.Dict, text: PythonText) -> Below:
    """The entries of a dictionary that are variables of the environment."""
    rows(walk, [one for one in node.keys if one])
    rows(walk, node.values)
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value in walk.target.variables and isinstance(value, ast.Constant):
            first, last = text.span(key)[0], text.span(value)
            span = (first, text.entry_end(last[1]))
            walk.add(SiteKind.ENTRY, span, str(key.value), arguments=(last,))
    return [one for pair in zip(node.keys, node.values, strict=True) for one in pair if one is not None]


def compare(walk: Walk, node: ast.Compare, text: PythonText) -> Below:
    """`torch.cuda.device_count() < 2`"""
    first, number = node.left, node.comparators[0]
    known = walk.of_torch(first.func) if isinstance(first, ast.Call) else None
    if known and isinstance(number, ast.Constant) and len(node.ops) == 1:
        compared = (text.span(first)[1], text.span(number)[1])
        walk.add(SiteKind.COMPARISON, text.span(node), known[0], root=known[1], arguments=(compared,))
    return node.left, *node.comparators


def call(walk: Walk, node: ast.Call, text: PythonText) -> Below:
    """A method call covers the dot, the name and the arguments, not the value that it is called on."""
    function = node.func
    known = walk.of_torch(function)
    method = isinstance(function, ast.Attribute) and not known
    start, end = text.span(node)
    if known:
        spans = tuple(span for _, span in text.arguments(node))
        callee = text.slice(*text.span(function))
        around = _given(walk, node, 1) + ((Around.TENSORS,) if walk.facts.makes_tensors else ())
        walk.add(SiteKind.CALL, (start, end), known[0], root=known[1], arguments=spans, callee=callee, around=around)
    elif isinstance(function, ast.Attribute) and walk.speaks(text.slice(text.span(function.value)[1], end)):
        _method(walk, node, function, text)
    _numbers(walk, node, known[0] if known else "", text)
    below = _arguments(walk, node, text)
    return (function.value if isinstance(function, ast.Attribute) and method else function, *below)


def _method(walk: Walk, node: ast.Call, function: ast.Attribute, text: PythonText) -> None:
    """A method that may be torch's: not where the script's own class has it."""
    if not walk.names.own_method(function.value, function.attr):
        spans = tuple(span for _, span in text.arguments(node))
        span = (text.dot(function), text.span(node)[1])
        around = _given(walk, node, 0) + owned(walk, function.attr)
        callee = last_name(function.value)
        walk.add(SiteKind.METHOD, span, function.attr, arguments=spans, callee=callee, around=around)


def _given(walk: Walk, node: ast.Call, place: int) -> tuple[Around, ...]:
    """Whether the device that a call is given, by name or at a place, may be None."""
    named = [one.value for one in node.keywords if one.arg == "device"]
    device = [*named, *node.args[place:]][:1]
    return (Around.MAYBE_NONE,) if device and walk.facts.may_be_none(device[0]) else ()


def _arguments(walk: Walk, node: ast.Call, text: PythonText) -> list[ast.expr | ast.keyword]:
    """The arguments that are still to be gone through: not those that were understood with the call."""
    given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    first = walk.of_torch(node.args[0]) if node.args else None
    named = node.args[1] if len(node.args) > 1 else None
    by_string = last_name(node.func) in BY_STRING
    if first and by_string and isinstance(named, ast.Constant) and first[0].removeprefix("torch.") in walk.sources:
        walk.add(SiteKind.MODULE, text.span(node.args[0]), f"{first[0]}.{named.value!s}", root=first[1])
        return given[1:]
    if by_string and isinstance(named, ast.Constant):
        start, end = text.span(named)
        if text.slice(start + 1, end - 1) == named.value:
            walk.add(SiteKind.MEMBER, (start + 1, end - 1), named.value, around=owned(walk, named.value))
    package = walk.names.package(node.func)
    if package not in FOREIGN:
        return given
    for one in given:
        value = one.value if isinstance(one, ast.keyword) else one
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            walk.add(SiteKind.STRING, text.span(value), value.value, root=Root(package, package))
    return [one for one in given if not isinstance(getattr(one, "value", None), str | ast.Constant)]


def _numbers(walk: Walk, node: ast.Call, name: str, text: PythonText) -> None:
    """Whole numbers that are devices."""
    named = [one.value for one in node.keywords if one.arg in DEVICE_KEYWORDS]
    moves = name == "torch.device" or (not name and isinstance(node.func, ast.Attribute) and node.func.attr == "to")
    listed = [one.value.elts for one in node.keywords if one.arg == "device_ids" and isinstance(one.value, ast.List)]
    further = [one for elements in listed for one in elements if getattr(one, "value", 0) != 0]
    for one in [*named, *(node.args[:1] if moves else ()), *further]:
        if isinstance(one, ast.Constant) and type(one.value) is int:
            walk.add(SiteKind.INTEGER, text.span(one), str(one.value))
