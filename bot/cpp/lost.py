"""What could not be read: the places where the grammar gave up or made something up."""

from tree_sitter import Node

from bot.cpp.shapes import ScopeKind, Unread

SCOPES = {
    "template_declaration": ScopeKind.TEMPLATE,
    "namespace_definition": ScopeKind.NAMESPACE,
    "class_specifier": ScopeKind.CLASS,
    "struct_specifier": ScopeKind.CLASS,
    "union_specifier": ScopeKind.CLASS,
    "function_definition": ScopeKind.FUNCTION,
    "lambda_expression": ScopeKind.LAMBDA,
    "for_statement": ScopeKind.LOOP,
    "for_range_loop": ScopeKind.LOOP,
    "while_statement": ScopeKind.LOOP,
    "do_statement": ScopeKind.LOOP,
    "compound_statement": ScopeKind.BLOCK,
}
"""What opens a scope; such a part is read even inside of what is broken."""
UNKNOWN = "no C++ that the grammar knows"


def lost(root: Node) -> list[Unread]:
    """Every place where the grammar gave up or made something up."""
    found: list[Unread] = []
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_missing and node.type == ";":
            continue  # after a macro that brings its own: nothing was left out
        if node.is_missing:
            found.append(Unread(node.start_point[0] + 1, node.end_point[0] + 1, f"a {node.type} is missing"))
        elif node.is_error:
            found += _stretches(node)
            waiting += [one for one in node.children if one.type in SCOPES and one.has_error]
        elif node.has_error:
            waiting += node.children
    return found


def _stretches(node: Node) -> list[Unread]:
    """Of what the grammar gave up on, the stretches between the parts that it knew nevertheless."""
    found: list[Unread] = []
    for one in node.children if any(one.type in SCOPES for one in node.children) else [node]:
        first, last = one.start_point[0] + 1, one.end_point[0] + 1
        if one.type in SCOPES or one.type == "comment":
            continue
        if found and first <= found[-1].end_line + 1:
            found[-1] = Unread(found[-1].line, max(last, found[-1].end_line), UNKNOWN)
        else:
            found.append(Unread(first, last, UNKNOWN))
    return found
