"""Memory is allocated and not filled, and part of it is never written: the caller gets what stood there before.

Three shapes: a kernel adds into it, a kernel writes it only where its data say so, or the host returns it early although
it has elements. Where it is allocated elsewhere, the callers tell.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from bot.cpp import Declaration, Scope, ScopeKind, Source
from bot.cpp.flow import made_of, names_in, nodes
from bot.cpp.handing import constructions, filled, fresh, inside, member_positions, members, parameters, root_of
from bot.cpp.naming import variable_of
from bot.model import Hit

ATOMIC = re.compile(r"(?:gpu|fast|sycl_?)?[aA]tomic_?[aA]dd\w*$|safe_add\w*$|add_value_bounded$")
EMPTY = re.compile(r"(\w+)(?:\.|->)(?:numel|size|sym_numel|nbytes|_nnz)\(")
FARTHEST = 4
"""Local addresses that are made of each other."""
SUM, SOME = "adds into", "writes only where its data say so"


class Fault(NamedTuple):
    """A member that a kernel does not write whole."""

    member: str
    node: Node
    how: str


def rule(source: Source) -> Iterable[Hit]:
    """One hit for each member of a kernel and for each early return."""
    for functor in source.scopes:
        if functor.kind is ScopeKind.CLASS and functor.name:
            yield from _of_kernel(source, functor)
    yield from _returned(source)


def _of_kernel(source: Source, functor: Scope) -> Iterator[Hit]:
    faults = _faults(source, functor)
    positions = member_positions(source, functor) if faults else {}
    told: set[tuple[str, str, int]] = set()
    for fault in faults:
        for host, given, place in constructions(source, functor) if fault.member in positions else ():
            at = positions[fault.member]
            hit = _allocated(source, functor, host, given[at], place, fault) if at < len(given) else None
            if hit is not None and (key := (fault.member, host.name, hit.line)) not in told:
                told.add(key)
                yield hit


def _allocated(source: Source, functor: Scope, host: Scope, given: Node, place: Node, fault: Fault) -> Hit | None:
    """The hit, if the host function allocates what it gives, or takes it from a caller who may."""
    variable = root_of(source, given, host)
    names = parameters(host)
    done = filled(source, host)
    new = variable in fresh(source, host)
    if (
        not variable
        or variable in done
        or not (new or variable in names)
        or _made_before(source, host, variable, place)
    ):
        return None
    line = fault.node.start_point[0] + 1
    whence = "is allocated" if new else "comes"
    return Hit(
        symbol=functor.name,
        line=line,
        end_line=line,
        why=f"the kernel {fault.how} {fault.member}, which {whence} unfilled as {variable} of {host.name} "
        f"at line {place.start_point[0] + 1}",
        unfilled=None if new else (host.name, names.index(variable)),
        lines=(place.start_point[0] + 1,),
    )


def _made_before(source: Source, host: Scope, variable: str, place: Node) -> bool:
    """Is the memory handed to anything that may write it before?"""
    for call in source.calls:
        if call.scope.function is not host or call.node.end_byte > place.start_byte or call.arguments is None:
            continue
        if call.method or "CHECK" in call.name or not re.search(r"kernel|launch|out|submit|fill|zero|init", call.name):
            continue
        if any(root_of(source, one, host) == variable for one in call.arguments.named_children):
            return True
    return False


def _faults(source: Source, functor: Scope) -> list[Fault]:
    """The members of a functor that its operator adds into, or writes only in part."""
    operator = next((one for one in source.functions if one.name == "operator()" and one.owner is functor), None)
    if operator is None:
        return []
    said = {name: one for name, one in members(functor).items() if _is_memory(one)}
    plain: dict[str, list[Node]] = {}
    added: dict[str, Node] = {}
    for update in inside(source, operator).updates:
        if update.target.type in ("subscript_expression", "pointer_expression"):
            member = _member(source, operator, update.target, said)
            if update.operator == "=" and not _again(source, update.target, update.value):
                plain.setdefault(member, []).append(update.node)
            elif member:
                added.setdefault(member, update.node)
    touched: set[str] = set()
    for call in inside(source, operator).calls:
        if call.arguments is not None:
            first = next(iter(call.arguments.named_children), None)
            if ATOMIC.match(call.name) and first is not None and (member := _member(source, operator, first, said)):
                added.setdefault(member, call.node)
            else:
                touched |= {member for one in call.arguments.named_children if (member := _pointer(source, one, said))}
    sums = [Fault(name, node, SUM) for name, node in added.items() if name not in plain and name not in touched]
    parts = [
        Fault(name, written[0], SOME)
        for name, written in plain.items()
        if name and name not in touched and name not in added and _in_part(source, operator, written)
    ]
    return sums + parts


def _is_memory(one: Declaration) -> bool:
    return (one.pointer > 0 or "Accessor" in one.type or "TensorInfo" in one.type) and "local" not in one.type


def _again(source: Source, target: Node, value: Node) -> bool:
    """`x[i] = x[i] + y` adds as well as `+=` does."""
    said = "".join(source.text(target).split())
    return any(one.type == target.type and "".join(source.text(one).split()) == said for one in nodes(value))


def _member(source: Source, operator: Scope, target: Node, said: dict[str, Declaration]) -> str:
    """The member whose memory a place is in, by its own name or by a local address that is made of it."""
    subscript = target.type == "subscript_expression"
    names = [variable_of(source.content, target)] if subscript else sorted(names_in(source, target))
    return next((found for name in names if (found := _origin(source, operator, name, said))), "")


def _origin(source: Source, operator: Scope, name: str, said: dict[str, Declaration]) -> str:
    """The member that a name is, or that the address under that name was made of."""
    for _ in range(FARTHEST):
        local = operator.lookup(name)
        if local is None or local.member:
            return name if name in said else ""
        if local.parameter or local.value is None or not (local.pointer or "auto" in local.type):
            return ""
        inner = sorted(names_in(source, local.value))
        origin = next((one for one in inner if one in said), "")
        if origin:
            return origin
        name = next((one for one in inner if (found := operator.lookup(one)) and found.pointer), "")
    return ""


def _pointer(source: Source, node: Node, said: dict[str, Declaration]) -> str:
    """A member that is handed on as an address, not as an element."""
    if node.type == "subscript_expression":
        return ""
    return next((name for name in sorted(names_in(source, node)) if name in said), "")


def _in_part(source: Source, operator: Scope, written: list[Node]) -> bool:
    """Does every write stand below a question for the data themselves, with no write in the other branch?"""
    seeds = {
        one.name for one in source.declarations if one.scope.function is operator and one.value and _reads(one.value)
    }
    kept = made_of(source, operator, seeds) | {"["}
    if any(_places(source, node) & kept for node in written):
        return False  # where it goes is told by data too: it puts elements together
    asked = [_question(source, operator, node, kept) for node in written]
    if not all(asked):
        return False
    both = [one for one in asked if one is not None and one.child_by_field_name("alternative") is not None]
    return not both


def _places(source: Source, node: Node) -> set[str]:
    """The names in the subscript of what is written; those of memory that it is read from too."""
    target = node.child_by_field_name("left")
    index = target.child_by_field_name("indices") if target is not None else None
    if index is None:
        return set()
    return names_in(source, index) | ({"["} if _reads(index) else set())


def _question(source: Source, operator: Scope, node: Node, kept: set[str]) -> Node | None:
    """The nearest `if` around a write that asks for what was read from memory."""
    outer = node.parent
    while outer is not None and outer.start_byte >= operator.node.start_byte:
        asked = outer.child_by_field_name("condition") if outer.type == "if_statement" else None
        if asked is not None and (_reads(asked) or names_in(source, asked) & kept):
            return outer
        outer = outer.parent
    return None


def _reads(node: Node) -> bool:
    return any(one.type == "subscript_expression" for one in nodes(node))


def _returned(source: Source) -> Iterator[Hit]:
    """`auto a = at::empty_like(b); if (c.numel() == 0) return a;`"""
    for asked, scope in source.conditions:
        function = scope.function
        found = EMPTY.search(source.text(asked)) if function is not None else None
        answer = asked.parent.child_by_field_name("consequence") if found and asked.parent is not None else None
        if function is None or found is None or answer is None or not re.search(r"==\s*0", source.text(asked)):
            continue
        returned = [one for one in nodes(answer) if one.type == "return_statement"]
        if len(returned) != 1 or any(one.type == "call_expression" and _fills(source, one) for one in nodes(answer)):
            continue
        names = names_in(source, returned[0]) & _unwritten(source, function, asked)
        for name in sorted(names):
            one = function.lookup(name)
            if one is not None and one.value is not None and not _about(source, function, one.value, name, asked):
                yield Hit(
                    symbol=function.name,
                    line=returned[0].start_point[0] + 1,
                    end_line=returned[0].start_point[0] + 1,
                    why=f"{name} is returned as it was allocated at line {one.line} where {source.text(asked)}, "
                    "which does not say that it is empty",
                    lines=(one.line,),
                )


def _fills(source: Source, call: Node) -> bool:
    return any(word in source.text(call) for word in ("zero_", "fill_", "zeros", "copy_"))


def _unwritten(source: Source, function: Scope, asked: Node) -> set[str]:
    """What is allocated before a question, filled nowhere, and handed to nothing before it."""
    handed = {
        root_of(source, one, function)
        for call in source.calls
        if call.scope.function is function and call.arguments is not None and call.node.end_byte < asked.start_byte
        for one in call.arguments.named_children
    }
    return fresh(source, function) - handed


def _about(source: Source, function: Scope, value: Node, name: str, asked: Node) -> bool:
    """Does a question concern what is allocated: itself, what it is shaped like, or the numbers of its shape?"""
    arguments = value.child_by_field_name("arguments")
    first = next(iter(arguments.named_children), None) if arguments is not None else None
    called = value.child_by_field_name("function")
    shape = names_in(source, first) if first is not None else set()
    shape |= names_in(source, called) if called is not None and called.type == "field_expression" else set()
    for _ in range(3):
        for one in list(shape):
            made = function.lookup(one)
            shape |= names_in(source, made.value) if made is not None and made.value is not None else set()
    return bool(({name} | shape) & names_in(source, asked) - {"numel", "size", "sizes", "options"})
