"""Whether an update makes a sum grow, in which loop, and whether the sum's type is narrow."""

from collections.abc import Iterator

from tree_sitter import Node

from bot.cpp.kinds import Width, declared
from bot.cpp.macros import Dispatch, dispatch_of
from bot.cpp.reading import Source
from bot.cpp.shapes import Declaration, Scope, ScopeKind, Update
from bot.model import Parameter

FUSED = frozenset({"fma", "mad", "fmaf"})
ONES = frozenset({"number_literal", "char_literal", "true", "false"})
HALVING = frozenset({"<<=", ">>=", "*=", "/="})
REACHED = frozenset({"subscript_expression", "pointer_expression"})
"""How one gets from an address to what stands there."""
NARROW = frozenset({Width.ELEMENT, Width.HALF})


def grows(source: Source, update: Update) -> bool:
    """`s += x`, `s = s + x`, `s = fma(a, b, s)`; neither a count nor a polynomial, whose sum is multiplied again."""
    if update.operator in ("+=", "-="):
        return not _is_one(update.value)
    if update.operator != "=":
        return False
    target = _bare(source, update.target)
    operands = list(_operands(source, update.value))
    if not any(_bare(source, one) == target for one in operands):
        return False
    return any(_bare(source, one) != target and not _is_one(one) for one in operands)


def _is_one(node: Node) -> bool:
    """A literal, also one that is cast: it counts."""
    while node.type in ("call_expression", "cast_expression", "parenthesized_expression", "argument_list"):
        inner = node.child_by_field_name("value") or node.child_by_field_name("arguments")
        children = [one for one in node.named_children if one.type != "comment"]
        inner = inner or (children[0] if len(children) == 1 else None)
        if inner is None:
            return False
        node = inner
    return node.type in ONES


def _operands(source: Source, node: Node) -> Iterator[Node]:
    """What is added up in an expression: the leaves below +, - and casts, and the last argument of an fma."""
    if node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        if operator is not None and source.text(operator) in ("+", "-"):
            for side in ("left", "right"):
                inner = node.child_by_field_name(side)
                if inner is not None:
                    yield from _operands(source, inner)
            return
    inner = _inside(source, node)
    if inner is not None:
        yield from _operands(source, inner)
        return
    if node.type == "call_expression":
        called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called and arguments and source.text(called).rpartition("::")[2] in FUSED and arguments.named_children:
            yield node  # the product
            yield arguments.named_children[-1]
            return
    yield node


def _inside(source: Source, node: Node) -> Node | None:
    """What a parenthesis or a cast holds."""
    if node.type == "parenthesized_expression" and node.named_children:
        return node.named_children[0]
    if node.type == "cast_expression":
        return node.child_by_field_name("value")
    if node.type == "call_expression":
        called, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        cast = called is not None and (called.type == "primitive_type" or source.text(called).endswith(("_t", "_t>")))
        if cast and arguments is not None and len(arguments.named_children) == 1:
            return arguments.named_children[0]
    return None


def _bare(source: Source, node: Node) -> str:
    return "".join(source.text(node).split())


def is_narrow(source: Source, declaration: Declaration, target: Node) -> bool:
    """Is it of the element type or of half precision, and not inside a dispatch that has no half precision?"""
    kind = declared(declaration, source.content)
    if kind.width not in NARROW or (kind.template is None and _wide_dispatch(declaration.scope)):
        return False
    return target.type in REACHED if kind.pointer else not declaration.member


def is_wide(source: Source, declaration: Declaration, target: Node) -> bool:
    """Is it float or more by its own type?"""
    kind = declared(declaration, source.content)
    return kind.width is Width.WIDE and (not kind.pointer or target.type in REACHED)


def _wide_dispatch(scope: Scope) -> bool:
    """Is the nearest dispatch around of whole numbers, or of float and double?"""
    for one in scope.outward():
        told = dispatch_of(one.macro, one.macro_arguments) if one.kind is ScopeKind.LAMBDA else None
        if told is not None:
            return told is not Dispatch.NARROW
    return False


def loops_of(source: Source, update: Update, declaration: Declaration) -> Iterator[Scope]:
    """The loops between a declaration and an update that come back to the same place, the innermost first.

    A lambda that takes its surroundings by reference counts if it is called in a loop or handed on.
    """
    index = _index(source, update)
    for scope in update.scope.up_to(declaration.scope):
        if scope.kind is ScopeKind.LOOP:
            made_inside = {name for name in index if (made := update.scope.lookup(name)) and _within(made, scope)}
            if not (index - made_inside) & _stepped(source, scope) and not _halves(source, scope):
                yield scope
        elif scope.kind is ScopeKind.LAMBDA and _runs_again(source, scope, declaration):
            yield scope
        elif scope.kind in (ScopeKind.FUNCTION, ScopeKind.CLASS):
            return


def _within(made: Declaration, loop: Scope) -> bool:
    """Is something declared inside a loop's body? It begins anew with each round."""
    inside = any(one is loop for one in made.scope.outward())
    return inside and not (made.scope is loop and _in_head(made, loop))


def _in_head(made: Declaration, loop: Scope) -> bool:
    body = loop.node.child_by_field_name("body")
    return body is None or made.node.start_byte < body.start_byte or made.node == loop.node


def _halves(source: Source, loop: Scope) -> bool:
    """Does a loop double or halve its step? It is a tree: a sum of it is as deep as a logarithm."""
    node = loop.node.child_by_field_name("update")
    waiting = [node] if node is not None else []
    while waiting:
        one = waiting.pop()
        operator = one.child_by_field_name("operator") if one.type == "assignment_expression" else None
        if operator is not None and source.text(operator) in HALVING:
            return True
        if (
            one.type == "binary_expression"
            and operator is None
            and any(sign in source.text(one) for sign in ("/ 2", ">> 1", "<< 1"))
        ):
            return True
        waiting += one.named_children
    return False


def _index(source: Source, update: Update) -> set[str]:
    """The names in the subscripts of the target, and those that they were made of."""
    names: set[str] = set()
    waiting = [update.target]
    while waiting:
        node = waiting.pop()
        if node.type == "subscript_argument_list":
            names |= _names(source, node)
        else:
            waiting += node.named_children
    for _ in range(3):
        for name in list(names):
            made = update.scope.lookup(name)
            if made is not None and made.value is not None and not made.parameter and not _reads(made.value):
                names |= _names(source, made.value)
    if update.target.type in ("subscript_expression", "pointer_expression"):
        names.add(update.name)
    return names


def _reads(node: Node) -> bool:
    """Is a value read from memory? Then the same index may come again."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in REACHED:
            return True
        waiting += one.named_children
    return False


def _names(source: Source, node: Node) -> set[str]:
    found, waiting = set(), [node]
    while waiting:
        one = waiting.pop()
        if one.type == "identifier":
            found.add(source.text(one))
        waiting += one.named_children
    return found


def _stepped(source: Source, loop: Scope) -> set[str]:
    """The names that change from one round of a loop to the next."""
    found = {name for name, made in loop.names.items() if _in_head(made, loop)}
    declarator = loop.node.child_by_field_name("declarator")
    found |= _names(source, declarator) if declarator is not None else set()
    for part in ("update", "initializer", "condition"):
        node = loop.node.child_by_field_name(part)
        waiting = [node] if node is not None else []
        while waiting:
            one = waiting.pop()
            if one.type in ("update_expression", "assignment_expression"):
                changed = one.child_by_field_name("argument") or one.child_by_field_name("left")
                found |= _names(source, changed) if changed is not None else set()
            waiting += one.named_children
    body = loop.node.child_by_field_name("body")
    waiting = list(body.named_children) if body is not None else []
    while waiting:
        one = waiting.pop()
        if one.type == "update_expression" and (changed := one.child_by_field_name("argument")):
            found |= _names(source, changed)
        elif one.type == "assignment_expression" and (changed := one.child_by_field_name("left")):
            found |= {source.text(changed)} if changed.type == "identifier" else set()
        if one.type not in ("lambda_expression",):
            waiting += one.named_children
    return found


def _runs_again(source: Source, lambda_: Scope, declaration: Declaration) -> bool:
    """Is a lambda called in a loop or more than once, or handed to something that calls it?"""
    if lambda_.macro:
        return "DISPATCH" not in lambda_.macro and "AT_" not in lambda_.macro and "WRAP" not in lambda_.macro
    holder = lambda_.node.parent
    name = holder.child_by_field_name("declarator") if holder is not None and holder.type == "init_declarator" else None
    if name is None:
        return False
    calls = [call for call in source.calls if call.name == source.text(name)]
    inside = [one for call in calls for one in call.scope.up_to(declaration.scope) if one.kind is ScopeKind.LOOP]
    return bool(inside) or len(calls) > 1


def parameter_of(source: Source, declaration: Declaration) -> Parameter | None:
    """The template parameter that the type hangs on."""
    kind = declared(declaration, source.content)
    if kind.template is None:
        return None
    position = kind.template.parameters.index(kind.parameter)
    return Parameter(template=kind.template.name, position=position, name=kind.parameter)
