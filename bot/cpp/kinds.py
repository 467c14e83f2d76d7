"""How wide a type is: a tensor's element type, a wide one, whole numbers. Aliases and template parameters followed."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from tree_sitter import Node

from bot.cpp.shapes import Declaration, Scope


class Width(StrEnum):
    """What a sum in a type keeps."""

    ELEMENT = "element"
    """Whatever the tensor holds, half precision too."""
    HALF = "half"
    """Half precision itself."""
    WIDE = "wide"
    """float or more, or the accumulation type of the element."""
    INTEGER = "integer"
    OTHER = "other"
    """Not a number, or not known."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A width, and the template parameter that it hangs on."""

    width: Width
    parameter: str = ""
    template: Scope | None = None
    pointer: bool = False
    """An address of such elements, not one of them."""


NOISE = re.compile(
    r"\b(?:const|volatile|typename|static|constexpr|inline|template|struct)\b|[&\s]|\b(?:at|c10|std|native|xpu|sycl|detail)::"
)
WIDE = frozenset({"float", "double", "opmath_t", "accscalar_t", "acc_t", "acctype", "longdouble"})
HALF = frozenset({"Half", "BFloat16", "half", "bfloat16", "ext::oneapi::bfloat16", "__half", "__nv_bfloat16"})
INTEGERS = frozenset({
    "bool", "char", "int", "short", "long", "longlong", "unsigned", "unsignedint", "unsignedlong",
    "unsignedlonglong", "size_t", "uint", "signed", "unsignedchar", "ptrdiff_t",
})  # fmt: skip
INTEGER_NAME = re.compile(
    r"u?int(?:ptr)?(?:8|16|32|64)?_t|\w*(?:index|idx|offset|size|integer|int)_?(?:t|type)?$", re.I
)
CONTAINER = re.compile(
    r"(?:\w+::)*(?:sycl_local_acc_t|local_accessor|accessor|local_ptr|global_ptr|multi_ptr|decorated_\w+_ptr|aligned_vector|vec"
    r"|array|Array|\w*TensorAccessor\w*|vector)<([\w:]+(?:<[\w:,]*>)?)[,>]"
)
"""What is reached by a subscript; the element comes first."""
WIDE_MADE = re.compile(r"(?:\w+::)*(?:acc_?type|opmath|accumulate_?type|acc)\w*<", re.I)
WIDE_NAME = re.compile(r"\w*(?:acc|opmath|compute|wide|math|stat)\w*$", re.I)
ELEMENT_NAME = re.compile(
    r"(?:\w*(?:scalar|input|output|in|out|data|value|grad|weight|src|dst|param)_?\w*t|\w*scalar\w*|T\w{0,2}|\w*Dtype|\w*DType|\w*Type\w*)$"
)
DEEPEST = 8


def width(type_: str, scope: Scope) -> Kind:
    """The kind of a type as it is written at a scope."""
    name = NOISE.sub("", type_)
    pointer = name.endswith("*")
    name = name.rstrip("*")
    for _ in range(DEEPEST):
        if contained := CONTAINER.match(name):
            name, pointer = contained[1], True
        if WIDE_MADE.match(name):
            return Kind(Width.WIDE, pointer=pointer)
        template = scope.template_of(name)
        found = scope.alias(name)
        if found is None or (template is not None and found[1] in template.outward()):
            break
        said, where = found
        again = NOISE.sub("", said)
        if again == name:
            break
        name, scope = again, where
    return replace(_plain(name, scope), pointer=pointer)


def _plain(name: str, scope: Scope) -> Kind:
    if name in HALF:
        return Kind(Width.HALF)
    if (template := scope.template_of(name)) is not None:
        return _of_parameter(name, template)
    if name in WIDE:
        return Kind(Width.WIDE)
    if name in INTEGERS or INTEGER_NAME.match(name):
        return Kind(Width.INTEGER)
    return Kind(Width.ELEMENT, name) if name == "scalar_t" else Kind(Width.OTHER)


def _of_parameter(name: str, template: Scope) -> Kind:
    """A template's parameter is what its name says; what it is bound to is for whoever sees the callers."""
    if INTEGER_NAME.match(name):
        return Kind(Width.INTEGER, name, template)
    if WIDE_NAME.match(name):
        return Kind(Width.WIDE, name, template)
    return Kind(Width.ELEMENT if ELEMENT_NAME.match(name) else Width.OTHER, name, template)


def declared(one: Declaration, content: bytes, depth: int = 0) -> Kind:
    """The kind of a declared name's elements; `auto` is what its value is."""
    if "auto" not in one.type:
        kind = width(one.type, one.scope)
        return replace(kind, pointer=bool(one.pointer or one.array or kind.pointer))
    if one.value is None or depth > DEEPEST:
        return Kind(Width.OTHER)
    return of_value(one.value, one.scope, content, depth + 1)


def of_value(node: Node, scope: Scope, content: bytes, depth: int = 0) -> Kind:
    """The kind of an expression, as far as its form tells."""
    told = _TOLD.get(node.type)
    return told(node, scope, content, depth + 1) if told is not None and depth <= DEEPEST else Kind(Width.OTHER)


def _text(content: bytes, node: Node) -> str:
    return content[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _of_cast(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:  # noqa: ARG001
    cast = node.child_by_field_name("type")
    return width(_text(content, cast), scope) if cast is not None else Kind(Width.OTHER)


def _of_literal(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:  # noqa: ARG001
    return Kind(Width.WIDE if "." in _text(content, node) else Width.INTEGER)


def _of_name(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:
    found = scope.lookup(_text(content, node))
    return declared(found, content, depth) if found else Kind(Width.OTHER)


def _of_element(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:
    inner = node.child_by_field_name("argument")
    address = node.type == "pointer_expression" and _text(content, node).startswith("&")
    return replace(of_value(inner, scope, content, depth), pointer=address) if inner else Kind(Width.OTHER)


def _of_inside(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:
    inner = next(iter(node.named_children), None)
    return of_value(inner, scope, content, depth) if inner is not None else Kind(Width.OTHER)


def _of_call(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:  # noqa: ARG001
    """`static_cast<T>(x)` and `T(x)` are of type T; other calls could be anything."""
    called = node.child_by_field_name("function")
    if called is None:
        return Kind(Width.OTHER)
    if called.type == "template_function":
        name, listed = called.child_by_field_name("name"), called.child_by_field_name("arguments")
        if name is not None and _text(content, name).endswith("_cast") and listed is not None and listed.named_children:
            return width(_text(content, listed.named_children[0]), scope)
    plain = called.type in ("identifier", "primitive_type")
    return width(_text(content, called), scope) if plain else Kind(Width.OTHER)


def _of_pair(node: Node, scope: Scope, content: bytes, depth: int) -> Kind:
    """An address if one side is one, else the wider of both."""
    sides = [node.child_by_field_name(one) for one in ("left", "right")]
    kinds = [of_value(one, scope, content, depth) for one in sides if one is not None]
    if address := next((one for one in kinds if one.pointer), None):
        return address
    for wanted in (Width.WIDE, Width.ELEMENT, Width.HALF):
        if found := next((one for one in kinds if one.width is wanted), None):
            return found
    return kinds[0] if kinds else Kind(Width.OTHER)


_TOLD = {
    "cast_expression": _of_cast,
    "number_literal": _of_literal,
    "identifier": _of_name,
    "subscript_expression": _of_element,
    "pointer_expression": _of_element,
    "parenthesized_expression": _of_inside,
    "call_expression": _of_call,
    "binary_expression": _of_pair,
}
