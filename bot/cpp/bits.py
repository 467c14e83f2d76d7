"""How many bits a whole number has, and what it is made of, as far as an expression's form tells."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bot.cpp.kinds import NOISE
from bot.cpp.reading import Source
from bot.cpp.shapes import Scope

INT32 = frozenset({"int", "int32_t", "unsigned", "unsignedint", "uint32_t", "uint", "short", "int16_t"})
INT64 = frozenset({
    "int64_t", "long", "longlong", "size_t", "uint64_t", "ptrdiff_t", "unsignedlong", "unsignedlonglong",
    "longint", "ssize_t", "SymInt",
})  # fmt: skip
WIDE_CALLS = frozenset({
    "numel", "size", "stride", "storage_offset", "nbytes", "get_global_id", "get_global_linear_id",
    "get_global_range", "get_group", "get_group_linear_id", "get_group_range", "get_local_id",
    "get_local_range", "get_local_linear_id", "sizes", "strides", "dense_dim", "sparse_dim", "_nnz",
    "multiply_integers",
})  # fmt: skip
"""Methods that answer in 64 bits."""
DEEPEST = 12


def of_type(type_: str, scope: Scope) -> int | None:
    """32, 64, or None for what is no whole number of known size."""
    name = NOISE.sub("", type_)
    for _ in range(4):
        if name in INT32:
            return 32
        if name in INT64:
            return 64
        found = scope.alias(name)
        if found is None:
            return None
        name, scope = NOISE.sub("", found[0]), found[1]
    return None


def bits(source: Source, node: Node, scope: Scope, depth: int = 0) -> int | None:
    """32, 64, 0 for a literal that takes the other side's, None for what is not known."""
    told = _TOLD.get(node.type)
    return told(source, node, scope, depth + 1) if told is not None and depth <= DEEPEST else None


def _literal(source: Source, node: Node, scope: Scope, depth: int) -> int | None:  # noqa: ARG001
    return 0


def _cast(source: Source, node: Node, scope: Scope, depth: int) -> int | None:  # noqa: ARG001
    type_ = node.child_by_field_name("type")
    return of_type(source.text(type_), scope) if type_ is not None else None


def _inside(source: Source, node: Node, scope: Scope, depth: int) -> int | None:
    inner = next(iter(node.named_children), None)
    return bits(source, inner, scope, depth) if inner is not None else None


def _subscript(source: Source, node: Node, scope: Scope, depth: int) -> int | None:
    inner = node.child_by_field_name("argument")
    return _named(source, inner, scope, depth) if inner is not None else None


def _pair(source: Source, node: Node, scope: Scope, depth: int) -> int | None:
    sides = [node.child_by_field_name(one) for one in ("left", "right")]
    known = [bits(source, one, scope, depth) for one in sides if one is not None]
    return None if None in known else max(one for one in known if one is not None)


def _named(source: Source, node: Node, scope: Scope, depth: int) -> int | None:
    if node.type == "call_expression":
        return _called(source, node, scope, depth)
    found = scope.lookup(source.text(node)) if node.type == "identifier" else None
    if found is None:
        return None
    if "auto" in found.type:
        return bits(source, found.value, found.scope, depth + 1) if found.value is not None else None
    return of_type(found.type, found.scope)


def _called(source: Source, node: Node, scope: Scope, depth: int) -> int | None:  # noqa: ARG001
    called = node.child_by_field_name("function")
    if called is None:
        return None
    if called.type == "field_expression":
        field = called.child_by_field_name("field")
        return 64 if field is not None and source.text(field) in WIDE_CALLS else None
    if called.type == "template_function":
        name, listed = called.child_by_field_name("name"), called.child_by_field_name("arguments")
        if name is not None and source.text(name).endswith(("_cast", "_downcast")) and listed and listed.named_children:
            return of_type(source.text(listed.named_children[0]), scope)
        return None
    return of_type(source.text(called), scope)


_TOLD = {
    "number_literal": _literal,
    "cast_expression": _cast,
    "parenthesized_expression": _inside,
    "identifier": _named,
    "field_expression": _named,
    "subscript_expression": _subscript,
    "call_expression": _called,
    "binary_expression": _pair,
}


def factors(source: Source, node: Node) -> list[str]:
    """What is multiplied in a product, as texts; a single one for what is no product."""
    if node.type == "parenthesized_expression" and node.named_children:
        return factors(source, node.named_children[0])
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is not None and left is not None and right is not None and source.text(operator) == "*":
            return factors(source, left) + factors(source, right)
    return [re.sub(r"\s+", "", source.text(node))]


def products(source: Source, node: Node) -> Iterator[Node]:
    """The outermost products that an expression adds up; what is divided or taken as a remainder is none."""
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        sign = source.text(operator) if operator is not None else ""
        if sign == "*":
            yield node
            return
        if sign not in ("+", "-"):
            return
    if node.type in ("binary_expression", "parenthesized_expression"):
        for child in node.named_children:
            yield from products(source, child)


def calls_in(source: Source, node: Node) -> set[str]:
    """The methods whose whole answer an expression takes: through casts, sums and products, not through divisions."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type == "call_expression":
            called = one.child_by_field_name("function")
            if called is not None and called.type == "field_expression":
                field = called.child_by_field_name("field")
                found.add(source.text(field) if field is not None else "")
            elif called is not None and called.type == "template_function" and "_cast" in source.text(called):
                waiting += one.named_children[1:]
            continue
        if one.type == "binary_expression":
            operator = one.child_by_field_name("operator")
            if operator is None or source.text(operator) not in ("+", "-", "*"):
                continue
        if one.type == "subscript_expression":
            waiting += [inner] if (inner := one.child_by_field_name("argument")) else []
            continue
        waiting += one.named_children
    return found
