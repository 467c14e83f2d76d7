"""A place in memory is told by a value from an index tensor that nobody compared with the length: it reads elsewhere.

A negative index that is wrapped around is no better: the upper end is still open. Likewise a thread's own number, where
the launch is rounded up to whole groups: the threads beyond the end touch what follows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from bot.cpp import Call, Declaration, Scope, ScopeKind, Source, Width, declared
from bot.cpp.flow import addressed, bounded, destination, kept_in, made_of
from bot.cpp.naming import variable_of
from bot.model import Hit

INDEX = re.compile(
    r"(?:\w+_)?(?:ind(?:ex|ices)|idx|targets?|labels?|offsets?)(?:_?(?:[dD]ata|[pP]tr|acc|accessor|info|tensor|[ak]))*_*$"
)
"""How data is called that a user hands over to say where."""
OWN = re.compile(
    r"(?:^|_)(?:sort|orig|perm|cum|uniq|segment|partial|crow|ccol|row_|col_|temp|tmp|out|result|work|block|group|thread"
    r"|chunk|max_?ind|arg|bin|batch_|pooled|save|ret|dst_off|src_off|tensor_|linear|stride|local|shared|slm|smem|top_)"
)
"""What the operator made itself, or what a sparse tensor vouches for."""
BESIDE = re.compile(r"(?:sort|orig|segment|perm)")
"""Names beside an index that say that it is where something stood before it was sorted."""
VOUCHED = re.compile(r"(?:^|/)(?:nested|sparse)/")
"""Folders of kernels whose indices and offsets are part of a tensor's layout, which is checked where it is made."""
WHOLE = frozenset({Width.INTEGER, Width.OTHER})
THREAD = frozenset({"get_global_linear_id", "get_global_id"})
ROUNDS = re.compile(r"(?i)ceil_?div|div_?up|round_?up|divup")
LAUNCHED = re.compile(r"submit|parallel_for|launch")


def rule(source: Source) -> Iterable[Hit]:
    """One hit for each index of a kernel that nobody compares, one for each kernel whose threads nobody compares."""
    if not VOUCHED.search(source.path):
        yield from _from_tensors(source)
    asked: dict[int, list[Call]] = {}
    for call in source.calls:
        if call.name in THREAD and (function := call.scope.function) is not None and function.name == "operator()":
            asked.setdefault(id(function), []).append(call)
    for calls in asked.values():
        yield from _from_thread(source, calls)


def _sorted(function: Scope) -> bool:
    """Is what the function is given the outcome of a sort?"""
    around = [scope for scope in function.outward() if scope.kind in (ScopeKind.FUNCTION, ScopeKind.CLASS)]
    return any(BESIDE.match(name) for scope in around for name in scope.names)


def _from_tensors(source: Source) -> Iterator[Hit]:
    told: set[tuple[int, str]] = set()
    for node, base, function in _reads(source):
        key = (id(function), base.name)
        if key in told or _checked_by_host(source, base.name):
            continue
        outer = destination(source, node)
        name = kept_in(source, outer)
        if name:
            names = made_of(source, function, {name})
            places = [] if bounded(source, function, names) else list(addressed(source, function, names))
        else:
            inside = outer.parent is not None and outer.parent.type == "subscript_argument_list"
            places = [node] if inside and not bounded(source, function, {base.name}) else []
        if places:
            told.add(key)
            yield _hit(function, node, places[0], f"{source.text(node)} of {base.name}", "its length")


def _reads(source: Source) -> Iterator[tuple[Node, Declaration, Scope]]:
    """Every element of an index tensor that a function reads."""
    for node, scope in source.subscripts:
        function = scope.function
        if function is None:
            continue
        for one in _subscripts(node):
            name = variable_of(source.content, one)
            base = scope.lookup(name) if INDEX.match(name) and not OWN.search(name) else None
            if base is not None and _is_memory(source, base) and not _is_target(one) and not _sorted(function):
                yield one, base, function


def _subscripts(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type == "subscript_expression":
            yield one
        waiting += one.named_children


def _is_memory(source: Source, base: Declaration) -> bool:
    """Whole numbers in memory that came from outside: an address or an accessor, no array of the function's own."""
    kind = declared(base, source.content)
    return kind.pointer and not base.array and kind.width in WHOLE and "local" not in base.type


def _is_target(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type == "assignment_expression" and parent.child_by_field_name("left") == node


def _checked_by_host(source: Source, name: str) -> bool:
    """Does a check of the file ask for the largest value of that tensor?"""
    stem = name.split("_", maxsplit=1)[0].rstrip("s")
    for call in source.calls:
        if call.name.startswith("TORCH_CHECK") and call.arguments is not None:
            said = source.text(call.arguments)
            if stem in said and ("max()" in said or "aminmax" in said):
                return True
    return False


def _from_thread(source: Source, asked: Sequence[Call]) -> Iterator[Hit]:
    """A functor's thread number, where the host rounds the launch up; `asked` are all of its questions for it."""
    function = asked[0].scope.function
    seeds = {name for call in asked if (name := kept_in(source, destination(source, call.node)))}
    if function is None or function.owner is None or not seeds or not _rounded(source, function.owner.name):
        return
    names = made_of(source, function, seeds)
    place = None if bounded(source, function, names) else next(addressed(source, function, names), None)
    if place is not None:
        yield _hit(function, asked[0].node, place, "the number of a thread", "the count, and the launch is rounded up")


def _rounded(source: Source, functor: str) -> bool:
    """Does a host function that makes this functor round its launch up to whole groups?"""
    makers = {
        id(call.scope.function) for call in source.calls if call.name == functor and call.scope.function is not None
    }
    makers |= {
        id(one.scope.function)
        for one in source.declarations
        if one.scope.function is not None and one.type.partition("<")[0] == functor
    }
    here = [call for call in source.calls if id(call.scope.function) in makers]
    return any(ROUNDS.search(call.name) for call in here) and any(LAUNCHED.search(call.name) for call in here)


def _hit(function: Scope, read: Node, place: Node, what: str, bound: str) -> Hit:
    line = place.start_point[0] + 1
    from_ = read.start_point[0] + 1
    return Hit(
        symbol=function.symbol,
        line=line,
        end_line=line,
        why=f"{' '.join(what.split())}, read at line {from_}, addresses memory and is never compared with {bound}",
        lines=(from_,) if from_ != line else (),
    )
