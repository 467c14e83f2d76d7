"""What a node is called: functions, classes, callees, the variable at the left end of a target."""

from tree_sitter import Node

TYPE_PARAMETERS = frozenset({
    "type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration",
})  # fmt: skip


def _text(content: bytes, node: Node) -> str:
    return content[node.start_byte : node.end_byte].decode("utf-8", "replace")


def type_parameters(content: bytes, template: Node) -> tuple[str, ...]:
    """The names of a template's type parameters."""
    listed = template.child_by_field_name("parameters")
    found = []
    for one in listed.named_children if listed else ():
        if one.type in TYPE_PARAMETERS:
            name = one.child_by_field_name("name") or next(iter(one.named_children), None)
            found.append(_text(content, name) if name else "")
        else:
            found.append("")
    return tuple(found)


def name_of(content: bytes, node: Node) -> str:
    """Of a class, namespace or function definition; `TORCH_IMPL_FUNC(name)` is called by its name."""
    name = node.child_by_field_name("name")
    if name is not None:
        return _last(content, name)
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type not in ("function_declarator", "operator_cast"):
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
    if inner is None:
        return ""
    declared = inner.child_by_field_name("declarator")
    if declared is not None and declared.type == "function_declarator":  # MACRO(name)(parameters)
        listed = declared.child_by_field_name("parameters")
        return _text(content, listed.named_children[0]) if listed and listed.named_children else ""
    return _last(content, declared) if declared is not None else _text(content, inner)


def _last(content: bytes, node: Node) -> str:
    """The last part of a qualified name, without template arguments."""
    while node.type in (
        "qualified_identifier",
        "template_type",
        "template_function",
        "template_method",
        "dependent_name",
    ):
        inner = node.child_by_field_name("name") or next(iter(node.named_children), None)
        if inner is None:
            break
        node = inner
    return _text(content, node)


def callee(content: bytes, node: Node) -> tuple[str, tuple[str, ...], bool]:
    """Name, template arguments and whether it is called on an object; an empty name for what has none."""
    method = False
    if node.type == "field_expression":
        field = node.child_by_field_name("field")
        method = True
        if field is None:
            return "", (), True
        node = field
    while node.type in ("qualified_identifier", "dependent_name"):
        inner = node.child_by_field_name("name") or next(iter(node.named_children), None)
        if inner is None:
            return "", (), method
        node = inner
    listed = node.child_by_field_name("arguments")
    if node.type in ("template_function", "template_type", "template_method"):
        name = node.child_by_field_name("name")
        templates = (
            tuple(_text(content, one) for one in listed.named_children if one.type != "comment") if listed else ()
        )
        return (_text(content, name) if name else ""), templates, method
    if node.type in ("identifier", "field_identifier", "primitive_type", "type_identifier"):
        return _text(content, node), (), method
    return "", (), method


def variable_of(content: bytes, target: Node) -> str:
    """`a` of `a`, `a[i]`, `*a`, `a.x[i]`, `this->a`; empty where there is none."""
    node: Node | None = target
    while node is not None and node.type not in ("identifier", "field_identifier"):
        if node.type == "field_expression":
            inner = node.child_by_field_name("argument")
            node = node.child_by_field_name("field") if inner is not None and inner.type == "this" else inner
        elif node.type in ("subscript_expression", "pointer_expression"):
            node = node.child_by_field_name("argument")
        elif node.type == "parenthesized_expression":
            node = next(iter(node.named_children), None)
        else:
            return ""
    return _text(content, node) if node else ""


def handed_to(content: bytes, lambda_: Node) -> tuple[str, str]:
    """The call that a lambda is an argument of, the dispatching one if there is one around, and its other arguments."""
    node, nearest = lambda_, ("", "")
    while node.parent is not None and node.parent.type == "argument_list":
        call = node.parent.parent
        if call is None or call.type != "call_expression":
            break
        name, _, _ = callee(content, call.child_by_field_name("function") or call)
        others = content[call.start_byte : lambda_.start_byte] + content[lambda_.end_byte : call.end_byte]
        nearest = (name, others.decode("utf-8", "replace")) if "DISPATCH" in name or not nearest[0] else nearest
        if "DISPATCH" in name:
            break
        node = call
    return nearest
