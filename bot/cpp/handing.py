"""Who hands memory to whom: tensors that are allocated and not filled, and the parameters and members they end in."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tree_sitter import Node

from bot.cpp.flow import nodes
from bot.cpp.naming import callee
from bot.cpp.reading import Source
from bot.cpp.shapes import Call, Declaration, Scope, ScopeKind, Update

ALLOCATES = frozenset({"empty", "empty_like", "new_empty", "empty_strided", "empty_symint"})
RESIZES = frozenset({"resize_", "resize_output", "resize_as_", "resize"})
FILLS = frozenset({"zero_", "fill_", "copy_", "zeros_like", "set_", "memset", "memcpy", "fill", "zeros", "index_fill_"})
STRUCTURED = "TORCH_IMPL_FUNC"
"""What defines a function whose outputs were allocated before it is called."""
OUTPUT = re.compile(r"(?:grad_?[iI]nput|out(?:put)?|result|gI|values|indices)_*$")
LOOKS = frozenset({"data_ptr", "mutable_data_ptr", "packed_accessor64", "packed_accessor32", "packed_accessor"})
"""Methods that give the memory of a tensor."""
DEEPEST = 6


class Handed(NamedTuple):
    """A function hands memory to a call."""

    name: str
    """What is called."""
    at: int
    """Which argument, from 0."""
    variable: str
    node: Node


class Inside(NamedTuple):
    """What stands in one function, those of its lambdas too."""

    declarations: list[Declaration]
    updates: list[Update]
    calls: list[Call]


@lru_cache(maxsize=2)
def _inside(source: Source) -> dict[int, Inside]:
    """By the function's identity: looked for once for each file."""
    found: dict[int, Inside] = {}
    kinds: tuple[Sequence[Declaration | Update | Call], ...] = (source.declarations, source.updates, source.calls)
    for at, kind in enumerate(kinds):
        for one in kind:
            function = one.scope.function
            if function is not None:
                here: list[Any] = found.setdefault(id(function), Inside([], [], []))[at]
                here.append(one)
    return found


def inside(source: Source, function: Scope) -> Inside:
    """What stands in a function."""
    return _inside(source).get(id(function), Inside([], [], []))


def fresh(source: Source, function: Scope) -> set[str]:
    """The variables that a function allocates or resizes and never fills by a call of its own."""
    made: set[str] = set()
    filled: set[str] = set()
    here = inside(source, function)
    for one in here.declarations:
        if one.value is not None and _allocates(source, one.value):
            made.add(one.name)
    for update in here.updates:
        if update.target.type == "identifier":
            (made if _allocates(source, update.value) else filled).add(update.name)
    for call in here.calls:
        kept = made if call.name in RESIZES else filled if call.name in FILLS else None
        name = _object(source, call) if kept is not None else ""
        if kept is not None and name:
            kept.add(name)
    if source.text(function.node).startswith(STRUCTURED):
        made |= {name for name in parameters(function) if OUTPUT.match(name)}
    return made - filled


def filled(source: Source, function: Scope) -> set[str]:
    """The variables that a function fills by a call."""
    calls = (call for call in inside(source, function).calls if call.name in FILLS)
    return {name for call in calls if (name := _object(source, call))}


def _allocates(source: Source, value: Node) -> bool:
    """A call of `at::empty` and its like with any element: `at::empty({0})` has none."""
    if value.type == "conditional_expression":
        return any(_allocates(source, one) for one in value.named_children)
    called = value.child_by_field_name("function") if value.type == "call_expression" else None
    arguments = value.child_by_field_name("arguments")
    if called is None or arguments is None or callee(source.content, called)[0] not in ALLOCATES:
        return False
    first = next(iter(arguments.named_children), None)
    return first is None or source.text(first).replace(" ", "") not in ("{0}", "0")


def _object(source: Source, call: Call) -> str:
    """What a method is called on, or the first argument of a function."""
    called = call.node.child_by_field_name("function")
    inner = called.child_by_field_name("argument") if called is not None and called.type == "field_expression" else None
    if inner is None and call.arguments is not None:
        inner = next(iter(call.arguments.named_children), None)
    return root_of(source, inner, call.scope) if inner is not None else ""


def root_of(source: Source, node: Node, scope: Scope, depth: int = 0) -> str:
    """The variable whose memory an expression gives: `x` of `x.data_ptr<T>()`, of `info<T>(x)`, of a name for these."""
    if depth > DEEPEST:
        return ""
    if node.type == "parameter_declaration":  # `Functor kernel(a, b);` reads like a prototype
        inner = node.child_by_field_name("type") if node.named_child_count == 1 else None
        return root_of(source, inner, scope, depth + 1) if inner is not None else ""
    if node.type in ("identifier", "type_identifier"):
        one = scope.lookup(source.text(node))
        looks = one is not None and one.value is not None and not one.parameter and _looks(source, one.value)
        return root_of(source, one.value, one.scope, depth + 1) if looks and one and one.value else source.text(node)
    inner = node.child_by_field_name("argument")
    if node.type == "call_expression":
        called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        inner = called.child_by_field_name("argument") if called is not None else None
        if inner is None and arguments is not None:
            inner = next(iter(arguments.named_children), None)
    return root_of(source, inner, scope, depth + 1) if inner is not None else ""


def _looks(source: Source, value: Node) -> bool:
    return any(
        one.type == "field_identifier" and source.text(one) in LOOKS for one in nodes(value)
    ) or "TensorInfo" in source.text(value)


def parameters(function: Scope) -> list[str]:
    """The names of a function's parameters by position."""
    return [one.name for one in function.names.values() if one.parameter]


def handed(source: Source, calls: list[Call]) -> Iterator[Handed]:
    """What a function's calls are given that may be memory; of each variable the calls that nothing came before."""
    seen: dict[str, list[Node]] = {}
    for call in sorted(calls, key=lambda one: one.node.start_byte):
        given = [one for one in call.arguments.named_children if one.type != "comment"] if call.arguments else []
        yield from _handed(source, call.scope, call.name, given, call.node, seen)


def _handed(
    source: Source, scope: Scope, name: str, given: list[Node], node: Node, seen: dict[str, list[Node]]
) -> Iterator[Handed]:
    for at, one in enumerate(given):
        if one.type not in ("identifier", "call_expression"):
            continue
        variable = root_of(source, one, scope)
        before = seen.setdefault(variable, [])
        if variable and not any(_comes_before(other, node) for other in before):
            yield Handed(name, at, variable, node)
            before.append(node)


def _comes_before(other: Node, node: Node) -> bool:
    """Is everything that `other` stands in around `node` too? Then it runs first, and is no other branch."""
    if other.start_byte <= node.start_byte and node.end_byte <= other.end_byte:
        return False  # a call within this one
    block = other.parent
    while block is not None and block.type != "compound_statement":
        block = block.parent
    return block is None or (block.start_byte <= node.start_byte and node.end_byte <= block.end_byte)


def constructions(source: Source, functor: Scope) -> Iterator[tuple[Scope, list[Node], Node]]:
    """Where a functor is made: the function, what it is given, and the place."""
    for call in source.calls:
        host = call.scope.function if call.name == functor.name else None
        if host is not None and call.arguments is not None:
            yield host, [one for one in call.arguments.named_children if one.type != "comment"], call.node
        elif host is not None and (given := _like_a_prototype(call.node)) is not None:
            yield host, given, call.node
    for one in source.declarations:
        plain = one.type.partition("<")[0].strip() == functor.name
        if plain and one.value is not None and one.value.type == "argument_list" and one.scope.function is not None:
            yield one.scope.function, [node for node in one.value.named_children if node.type != "comment"], one.node


def _like_a_prototype(type_: Node) -> list[Node] | None:
    """The arguments of `Functor<T> kernel(a, b);`, which the grammar takes for a function that is declared."""
    outer = type_.parent
    declarator = outer.child_by_field_name("declarator") if outer is not None and outer.type == "declaration" else None
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [one for one in listed.named_children if one.type != "comment"] if listed is not None else None


def member_positions(source: Source, functor: Scope) -> dict[str, int]:
    """Member -> the constructor's parameter that it is made of."""
    found: dict[str, int] = {}
    for node, scope in source.initialisers:
        function = scope.function
        if function is None or function.owner is not functor or len(node.named_children) != 2:
            continue
        given = node.named_children[1].named_children
        names = parameters(function)
        if len(given) == 1 and source.text(given[0]) in names:
            found[source.text(node.named_children[0])] = names.index(source.text(given[0]))
    return found


def members(functor: Scope) -> dict[str, Declaration]:
    """A functor's members."""
    return {name: one for name, one in functor.names.items() if one.member and functor.kind is ScopeKind.CLASS}
