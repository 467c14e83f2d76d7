"""What one declaration declares: each name with its type, its value, and whether it is a pointer or an array."""

from collections.abc import Iterator

from tree_sitter import Node

from bot.cpp.shapes import Declaration, Scope

WRAPPERS = frozenset({"pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator"})
NAMES = frozenset({"identifier", "field_identifier", "type_identifier"})


def declared_in(content: bytes, node: Node, scope: Scope) -> Iterator[Declaration]:
    """The names of a declaration, a field or a parameter; prototypes declare none."""
    type_ = node.child_by_field_name("type")
    written = content[type_.start_byte : type_.end_byte].decode("utf-8", "replace") if type_ else ""
    for declarator in node.children_by_field_name("declarator"):
        value = node.child_by_field_name("default_value")
        inner: Node | None = declarator
        if declarator.type == "init_declarator":
            value = declarator.child_by_field_name("value")
            inner = declarator.child_by_field_name("declarator")
        pointer, array, reference = 0, False, False
        while inner is not None and inner.type in WRAPPERS:
            pointer += inner.type == "pointer_declarator"
            array |= inner.type == "array_declarator"
            reference |= inner.type == "reference_declarator"
            inner = inner.child_by_field_name("declarator") or next(
                (one for one in inner.named_children if one.type in NAMES or one.type in WRAPPERS), None
            )
        for name in _names(inner):
            yield Declaration(
                name=content[name.start_byte : name.end_byte].decode("utf-8", "replace"),
                type=written,
                scope=scope,
                node=node,
                value=value,
                pointer=pointer,
                array=array,
                parameter="parameter" in node.type,
                reference=reference,
                member=node.type == "field_declaration",
            )


def _names(node: Node | None) -> list[Node]:
    """The name at the heart of a declarator; several for `auto [a, b]`."""
    if node is None:
        return []
    if node.type == "structured_binding_declarator":
        return node.named_children
    return [node] if node.type in NAMES else []
