"""What a value becomes inside one function: names that are made of it, what it is compared with, what it addresses."""

from collections.abc import Iterator

from tree_sitter import Node

from bot.cpp.naming import callee
from bot.cpp.reading import Source
from bot.cpp.shapes import Scope

ORDER = frozenset({"<", "<=", ">", ">="})
SUMS = frozenset({"+", "-", "*"})
THROUGH = frozenset({"parenthesized_expression", "cast_expression", "argument_list", "conditional_expression"})
"""What a value passes on its way out without becoming another one."""
NAMES = frozenset({"identifier", "field_identifier"})
NARROWING = ("clamp", "clip", "bound", "valid", "min", "wrap", "reflect", "check", "assert")
"""Words in the names of what keeps a number within limits, or stops where it is not."""
CASTS = ("_cast", "int64_t", "int32_t", "size_t", "int", "index_t")


def nodes(root: Node) -> Iterator[Node]:
    """A node and all named ones below it, in the order of the text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.named_children)


def names_in(source: Source, node: Node) -> set[str]:
    """The names of variables and members that an expression mentions."""
    return {source.text(one) for one in nodes(node) if one.type in NAMES}


def operator_of(source: Source, node: Node) -> str:
    """`<` of `a < b`; empty for what is no such expression."""
    found = node.child_by_field_name("operator")
    return source.text(found) if found is not None else ""


def destination(source: Source, node: Node) -> Node:
    """The outermost expression that is still the value itself: through casts, brackets, sums and products."""
    while (parent := node.parent) is not None:
        if parent.type == "call_expression" and not _is_cast(source, parent):
            break
        if parent.type == "binary_expression" and operator_of(source, parent) not in SUMS:
            break
        if parent.type == "argument_list" and (parent.parent is None or not _is_cast(source, parent.parent)):
            break
        if parent.type == "conditional_expression" and parent.child_by_field_name("condition") == node:
            break
        if parent.type not in THROUGH and parent.type not in ("call_expression", "binary_expression"):
            break
        node = parent
    return node


def _is_cast(source: Source, call: Node) -> bool:
    called = call.child_by_field_name("function") if call.type == "call_expression" else None
    return called is not None and callee(source.content, called)[0].endswith(CASTS)


def kept_in(source: Source, value: Node) -> str:
    """The variable that is declared or assigned with exactly this value."""
    parent = value.parent
    field = {"init_declarator": "declarator", "assignment_expression": "left"}.get(parent.type if parent else "")
    target = parent.child_by_field_name(field) if parent is not None and field else None
    if target is None or target == value:
        return ""
    return source.text(target) if target.type in NAMES else ""


def made_of(source: Source, function: Scope, seeds: set[str]) -> set[str]:
    """These names and those that are declared or assigned with something that mentions one of them by its value."""
    found = set(seeds)
    values = [(one.name, one.value) for one in source.declarations if one.value and one.scope.function is function]
    values += [
        (one.name, one.value)
        for one in source.updates
        if one.scope.function is function and one.target.type == "identifier"
    ]
    grew = True
    while grew:
        made = {name for name, value in values if name not in found and _passes(source, value, found)}
        found |= made
        grew = bool(made)
    return found


def _passes(source: Source, value: Node, names: set[str]) -> bool:
    """Does a name's value reach the whole expression, other than as the index of something that is read?"""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if node.type in NAMES and source.text(node) in names:
            return True
        if node.type == "subscript_expression":
            continue
        if node.type == "call_expression" and not _is_cast(source, node):
            continue
        waiting += node.named_children
    return False


def addressed(source: Source, function: Scope, names: set[str]) -> Iterator[Node]:
    """Where one of these names says which element of memory is meant: `a[name]`, `pointer + name * stride`."""
    for node in nodes(function.node):
        if node.type != "identifier" or source.text(node) not in names:
            continue
        outer = destination(source, node)
        subscript = outer.parent is not None and outer.parent.type == "subscript_argument_list"
        if subscript or (outer.type == "binary_expression" and _has_pointer(source, function, outer)):
            yield node


def _has_pointer(source: Source, function: Scope, node: Node) -> bool:
    found = (function.lookup(name) for name in names_in(source, node))
    return any(one is not None and one.pointer > 0 for one in found)


def bounded(source: Source, function: Scope, names: set[str]) -> bool:
    """Is one of these names compared with an upper bound, asserted on, or made small by a remainder or a minimum?"""
    for node in nodes(function.node):
        if node.type == "binary_expression":
            operator = operator_of(source, node)
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None:
                continue
            if operator in ORDER and _limits(source, left, right, names, operator):
                return True
            if operator == "%" and names & names_in(source, left):
                return True
        elif node.type == "call_expression" and _narrows(source, node, names):
            return True
    return False


def _limits(source: Source, left: Node, right: Node, names: set[str], operator: str) -> bool:
    """`name < n` or `n > name`; not `name < 0`, which says nothing of the other end."""
    for side, other, upward in ((left, right, operator in ("<", "<=")), (right, left, operator in (">", ">="))):
        if names & names_in(source, side) and (upward or not _is_zero(source, other)):
            return not _is_zero(source, other)
    return False


def _is_zero(source: Source, node: Node) -> bool:
    return source.text(node).strip("() ") in ("0", "0L", "0u", "-1")


def _narrows(source: Source, call: Node, names: set[str]) -> bool:
    called, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    name = callee(source.content, called)[0].lower() if called is not None else ""
    tells = any(
        word in name for word in ("clamp", "clip", "bound", "valid", "min", "wrap", "reflect", "check", "assert")
    )
    return tells and arguments is not None and bool(names & names_in(source, arguments))
