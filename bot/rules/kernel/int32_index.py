"""A count, a stride or an offset is kept in 32 bits: beyond two billion elements it wraps, and the kernel reads elsewhere.

What is small by its nature is none: a work-group's numbers, a window's size, a place within one plane. Whoever asks
`canUse32BitIndexMath` first may count in 32 bits.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from bot.cpp import Declaration, Scope, ScopeKind, Source, Update
from bot.cpp.bits import bits, calls_in, factors, of_type, products
from bot.model import Hit

GUARDS = re.compile(
    r"canUse32BitIndexMath|can_use_32bit_ind\w+|numeric_limits<\s*(?:u?int|u?int32_t|index_t|unsigned(?: int)?)\s*>::max|INT_MAX|INT32_MAX"
    r"|safe_downcast|fits_in_int|maybe_overflow"
)
ASKED = ("canUse32BitIndexMath", "can_use_32bit_indexing")
WHOLE = frozenset({"numel", "nbytes", "stride", "strides", "storage_offset", "_nnz"})
"""Methods whose single answer may pass two billion."""
THREADS = frozenset({"get_global_linear_id"})
"""The number of a thread: as large as the count that it is compared with."""
COUNTS = frozenset({"numel", "nbytes", "storage_offset"})
COUNT = re.compile(r"numel|num_elements|nelements")
BATCH = re.compile(r"n_?batch\w*|batch\w*|N|\w+\.size\(0\)$")
COMPARISONS = frozenset({"<", "<=", ">", ">="})
BIG = re.compile(
    r"(?i:numel|num_?el|nelem|total|stride|size|dim|chan|batch|height|width|depth|plane|offset|feature|slice|outer|inner|frame"
    r"|pixel|area|spatial|index)|row|col|global|get_group\(|idx|nnz|length|seq|seg_?(?:idx|id)?\b"
    r"|\b[NCHWDBMKT]_?\b|_[NCHWD]_?\b|\b[nchwbm]\b",
)
COUNTER = re.compile(r"(?:i|j|k|ng|nc|[bps]i_?)$")
"""What counts rows or planes."""
WHOLE_ROW = re.compile(r"(?:this->)?(?:\w+[._])?(?:[NDC]_?|HxW_?|\w*stride\w*)$")
"""How far it is from one to the next."""
EXTENT = re.compile(r"(?:this->)?[io][bchwdtBCHWDT]_?$")
"""`oc`, `ih`: extents of output and input as kernels of pooling call them."""
SMALL = re.compile(
    r"local|sub_?group|(?<![pP])lane|simd|SIMD|tile|vec|wg_|_wg|work_?group|group_size|block|thread|warp|unroll|ILP|kernel|[kK]_?[HWDT]\b|pad|dilat"
    r"|stride_?[hwdtHWDT]_?$|^d_?[HWDT]_?$|^k_?[HWDT]_?$|step|factor|scale|chunk|sizeof|num_sg|depth_chunk|get_local|range|pooled|group_work|roi_size|roi_cols"
    r"|PARALLEL|^[A-Z][A-Z0-9_]{2,}$|^\d|ndim|_dims?_?$|order|ratio|stride(?:Height|Width|Depth)|[mM]ultiplier",
)
PLANE = re.compile(
    r"(?:\w*_)?(?:[hwxyij]|[HW]|ih|iw|oh|ow|ph|pw|row|col\w*|\w*(?:height|width|[hH]eight|[wW]idth|dim_[hw])\d?|\w*[a-z][HW]|\w+\.size\((?:[234]|-[12]|dim_?[hwHW])\))_?$"
)
"""An extent of a picture, or a place along it."""


class Place(NamedTuple):
    """Something narrow: where, and what is wrong with it."""

    node: Node
    scope: Scope
    why: str


def rule(source: Source) -> Iterable[Hit]:
    """One hit a line; declarations on lines that follow each other are one."""
    held: list[Place] = []
    places = [one for one in _places(source) if not _guarded(source, one.scope)]
    for place in sorted(places, key=lambda one: (one.node.start_byte, one.node.end_byte)):
        if held and (place.scope is not held[-1].scope or place.node.start_point[0] > held[-1].node.end_point[0] + 1):
            yield _hit(held)
            held = []
        held.append(place)
    if held:
        yield _hit(held)


def _hit(held: list[Place]) -> Hit:
    return Hit(
        symbol=held[0].scope.symbol,
        line=held[0].node.start_point[0] + 1,
        end_line=max(one.node.end_point[0] for one in held) + 1,
        why="; ".join(dict.fromkeys(one.why for one in held)) + ": it wraps beyond two billion elements",
        guarded_by=ASKED,
    )


def _places(source: Source) -> Iterator[Place]:
    for one in source.declarations:
        plain = one.value is not None and not (one.parameter or one.member or one.array) and one.scope.function
        if plain and not _counter(one) and (why := _declared(source, one, one.value)):
            yield Place(one.node, one.scope, why)
    for update in source.updates:
        if why := _updated(source, update):
            yield Place(update.node, update.scope, why)
    for node, scope in source.subscripts:
        if scope.function and (why := _indexed(source, node, scope)):
            yield Place(node, scope, why)
    for node, scope in source.initialisers:
        if why := _kept(source, node, scope):
            yield Place(node, scope, why)
    yield from _handed_over(source)


def _updated(source: Source, update: Update) -> str:
    """`offset = n * stride` where offset has 32 bits."""
    target = update.scope.lookup(update.name) if update.target.type == "identifier" else None
    if target is None or target.pointer or of_type(target.type, target.scope) != 32:
        return ""
    product = _product(source, update.value)
    return f"{update.name} keeps the product {_short(source, product)} in 32 bits" if product else ""


def _indexed(source: Source, node: Node, scope: Scope) -> str:
    """`a[n * stride]` where both have 32 bits."""
    index = node.child_by_field_name("indices")
    products = [_product(source, inner) for inner in (index.named_children if index is not None else ())]
    narrow = next((one for one in products if one is not None and bits(source, one, scope) == 32), None)
    return f"the index {_short(source, narrow)} is multiplied in 32 bits" if narrow else ""


def _declared(source: Source, one: Declaration, value: Node | None) -> str:
    """What is wrong with a declaration; empty for nothing."""
    if value is None:
        return ""
    kept = bits(source, value, one.scope) if "auto" in one.type else of_type(one.type, one.scope)
    product = _product(source, value)
    if kept == 32 and not one.pointer:
        what = _narrowed(source, one, value) or (f"the product {_short(source, product)}" if product else "")
        return f"{one.name} keeps {what} in 32 bits" if what else ""
    if product and (kept == 64 or one.pointer) and bits(source, product, one.scope) == 32:
        return f"{_short(source, product)} is multiplied in 32 bits before {one.name} is made of it"
    return ""


def _narrowed(source: Source, one: Declaration, value: Node) -> str:
    """What of 64 bits a value of 32 is made of: a method's answer, a count, the number of a thread."""
    asked = calls_in(source, value)
    if whole := sorted(asked & WHOLE):
        return f"{whole[0]}()"
    if COUNT.search(source.text(value)) and bits(source, value, one.scope) == 64 and not _divided(source, value):
        return "a count of elements"
    return "the number of a thread" if asked & THREADS and _compared_with_64(source, one) else ""


def _divided(source: Source, value: Node) -> bool:
    """A quotient or a remainder is smaller than what it is made of."""
    operator = value.child_by_field_name("operator") if value.type == "binary_expression" else None
    right = value.child_by_field_name("right")
    if operator is None or (source.text(operator) == "/" and right is not None and BATCH.match(source.text(right))):
        return False  # what one batch holds may be all there is
    return source.text(operator) in ("/", "%", ">>", "&", "-")


def _compared_with_64(source: Source, one: Declaration) -> bool:
    """Is a name compared with something that has 64 bits?"""
    waiting = [one.scope.node]
    while waiting:
        node = waiting.pop()
        operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
        if operator is not None and source.text(operator) in COMPARISONS:
            sides = [side for name in ("left", "right") if (side := node.child_by_field_name(name))]
            others = [side for side in sides if source.text(side) != one.name]
            if len(sides) == 2 and len(others) == 1:
                return bits(source, others[0], one.scope) == 64
        waiting += node.named_children
    return False


def _product(source: Source, value: Node) -> Node | None:
    """The first product of extents, strides or indices of tensors that is not small by its nature."""
    return next((found for found in products(source, value) if _big(factors(source, found))), None)


def _big(found: list[str]) -> bool:
    if any(SMALL.search(one) for one in found) or any(f"/{other}" in one for one in found for other in found):
        return False
    counted = sum(bool(BIG.search(one) or EXTENT.match(one)) for one in found)
    walks = any(map(COUNTER.match, found)) and any(map(WHOLE_ROW.match, found))
    return (counted > 1 or walks) and not (len(found) == 2 and all(map(_in_plane, found)))


def _in_plane(factor: str) -> bool:
    return PLANE.match(factor.removeprefix("this->")) is not None


def _kept(source: Source, node: Node, scope: Scope) -> str:
    """`numel_(numel)` where the member has 32 bits and the parameter 64."""
    if len(node.named_children) != 2 or len(node.named_children[1].named_children) != 1:
        return ""
    name, given = source.text(node.named_children[0]), node.named_children[1].named_children[0]
    member = scope.lookup(name)
    if member is None or not member.member or member.pointer or of_type(member.type, member.scope) != 32:
        return ""
    counts = BIG.search(name) and not SMALL.search(name) and not _in_plane(name)
    return f"{name} keeps {source.text(given)} in 32 bits" if counts and bits(source, given, scope) == 64 else ""


def _handed_over(source: Source) -> Iterator[Place]:
    """`launch(x.numel(), ...)` where the parameter is an int."""
    made: dict[str, list[Scope]] = {}
    for function in source.functions:
        made.setdefault(function.name, []).append(function)
    for call in source.calls:
        given = [one for one in call.arguments.named_children if one.type != "comment"] if call.arguments else []
        for at, one in enumerate(given):
            if calls_in(source, one) & COUNTS and (name := _narrow_parameter(made.get(call.name, []), at, len(given))):
                yield Place(one, call.scope, f"{call.name} takes {_short(source, one)} as {name}, in 32 bits")


def _narrow_parameter(functions: list[Scope], at: int, given: int) -> str:
    """The parameter at a place, if every such function takes 32 bits there."""
    found = [[one for one in function.names.values() if one.parameter] for function in functions]
    fitting = [one[at] for one in found if len(one) >= given > at]
    narrow = fitting and all(of_type(one.type, one.scope) == 32 and not one.pointer for one in fitting)
    return fitting[0].name if narrow else ""


def _short(source: Source, node: Node) -> str:
    text = " ".join(source.text(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def _guarded(source: Source, scope: Scope) -> bool:
    """Does the function ask whether 32 bits are enough?"""
    function = scope.nearest(ScopeKind.FUNCTION)
    return function is not None and GUARDS.search(source.text(function.node)) is not None


def _counter(one: Declaration) -> bool:
    """A loop's own counter is as wide as what it runs to, which is told elsewhere."""
    return one.scope.kind is ScopeKind.LOOP and one.node.parent is not None and one.node.parent.type == "for_statement"
