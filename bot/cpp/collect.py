"""The facts of a file, from what was read of it."""

import re
from collections.abc import Iterator

from bot.cpp import library
from bot.cpp.around import under
from bot.cpp.facts import UNKNOWN, Facts, Unit, Use
from bot.cpp.handing import filled, fresh, handed, parameters
from bot.cpp.kinds import Kind, Width, of_value, width
from bot.cpp.macros import dispatch_of, dtypes_of
from bot.cpp.reading import Source
from bot.cpp.shapes import Call, Scope, ScopeKind

OTHER = "other"
PLAIN = {Width.WIDE: "wide", Width.INTEGER: "integer", Width.HALF: "narrow"}
NOBODYS = frozenset({
    "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "sizeof", "min", "max", "floor", "ceil",
    "sqrt", "exp", "log", "pow", "range", "nd_range", "nd_item", "item", "id", "group_barrier", "tuple",
    "vector", "array", "optional", "numeric_limits", "conditional_t", "enable_if_t", "is_same_v", "decltype",
})  # fmt: skip
"""Names that no kernel tree defines."""
CHECK = re.compile(r"^(?:TORCH_CHECK|AT_ASSERT|AT_ERROR)|[cC]heck")
"""Names of what checks an argument."""
WORD = re.compile(r"\b[A-Za-z_]\w{8,}(?=\s*[<(])")
"""What a macro's body may call: it is told even where the body is no C++ by itself."""
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"]", re.M)
EMPTY = re.compile(
    r"numel\(\)\s*(?:==|<=|!=|>)\s*0|(?:numel|count|nthreads|N|size_?)\w*\s*(?:==|<=|!=|>)\s*0|\.size\([^()]*\)\s*(?:==|>)\s*0|is_empty"
)
ASKED = frozenset({"can_use_32bit_indexing", "alertNotDeterministic", "deterministicAlgorithms", "isnan"})
"""Methods that are told although they are an object's."""
PRODUCTS = frozenset({"mm", "bmm", "matmul", "addmm", "baddbmm", "addmv", "mv"})
"""Methods that are told because they check the sizes that they are given."""
MADE = frozenset({"contiguous"})
"""Methods that are told with the object's name: what they make of it needs no check any more."""


KERNEL = re.compile(r"kernel|launch|_impl|template|_out|frame|xpu|cuda|stub")
"""How functions are called that memory is handed to on its way into a kernel."""
Units = dict[tuple[str, int], Unit]
Uses = dict[tuple[object, ...], Use]


def facts(source: Source) -> Facts:
    """All facts of a file."""
    units: Units = {}
    for scope in source.scopes:
        if scope.kind in (ScopeKind.FUNCTION, ScopeKind.CLASS) and scope.name:
            units.setdefault((scope.name, scope.line), _unit(source, scope))
    uses: Uses = {}
    registered: list[tuple[str, str]] = []
    for call in source.calls:
        if "REGISTER" in call.name and "DISPATCH" in call.name:
            registered += _registered(source, call)
            continue
        if (use := _use(source, call)) is not None:
            uses.setdefault((use.unit, use.name, *use.types, *use.values), use)
        if (unit := _unit_of(units, call.scope)) is not None:
            _told_by(source, call, unit)
    for asked, scope in source.conditions:
        if (unit := _unit_of(units, scope)) is not None and EMPTY.search(source.text(asked)):
            unit.asks_empty = True
    _hand_on(source, units)
    for use in (*_of_macros(source), *_of_declarations(source)):
        uses.setdefault((use.unit, use.name), use)
    unread = [(one.line, one.end_line, one.why) for one in source.unread]
    return Facts(
        source.path,
        list(units.values()),
        list(uses.values()),
        registered,
        unread,
        list(library.registered(source)),
        list(library.fallbacks(source)),
        INCLUDE.findall(source.content.decode("utf-8", "replace")),
    )


def _hand_on(source: Source, units: Units) -> None:
    """Tell of each function to whom it hands memory that nothing was written to yet."""
    calls: dict[int, list[Call]] = {}
    for call in source.calls:
        if call.scope.function is not None and not call.method and KERNEL.search(call.name):
            calls.setdefault(id(call.scope.function), []).append(call)
    for function in source.functions:
        unit, made = units.get((function.name, function.line)), calls.get(id(function), [])
        if unit is None or not made:
            continue
        names, new, done = parameters(function), fresh(source, function), filled(source, function)
        for one in handed(source, made):
            if one.variable in new:
                unit.hands.append([one.name, one.at, -1])
            elif one.variable in names and one.variable not in done:
                unit.hands.append([one.name, one.at, names.index(one.variable)])


def _unit_of(units: Units, scope: Scope) -> Unit | None:
    """The function around a place."""
    function = scope.function
    return units.get((function.name, function.line)) if function is not None else None


def _told_by(source: Source, call: Call, unit: Unit) -> None:
    """What a call says of its function: which types it dispatches, what it checks."""
    if "DISPATCH" in call.name:
        unit.dtypes = sorted({*unit.dtypes, *dtypes_of(call.name, _without_lambda(source, call))})
    if CHECK.search(call.name) and not call.method and call.arguments is not None:
        unit.checks.append([call.line, call.name, *_check(source, call), under(source, call.node)])


def _of_macros(source: Source) -> Iterator[Use]:
    for node in source.macros:
        macro = source.text(name) if (name := node.child_by_field_name("name")) else ""
        for word in sorted(set(WORD.findall(source.text(node))) - {macro}):
            yield Use(macro, word, node.start_point[0] + 1)


def _of_declarations(source: Source) -> Iterator[Use]:
    """A functor without template arguments is only named where one is declared."""
    for one in source.declarations:
        unit = one.scope.symbol
        if unit and one.type[:1].isupper() and one.type.isidentifier() and one.type not in NOBODYS:
            yield Use(unit, one.type, one.line)


def _unit(source: Source, scope: Scope) -> Unit:
    template = scope.parent if scope.parent is not None and scope.parent.kind is ScopeKind.TEMPLATE else None
    parameters = list(template.parameters) if template else []
    functor = scope.kind is ScopeKind.CLASS
    body = scope.node.child_by_field_name("body")
    head = body.start_point[0] + 1 if body is not None else scope.line
    unit = Unit(scope.name, scope.line, scope.end_line, parameters, functor=functor, head=head)
    unit.structured = not functor and scope.node.child_by_field_name("type") is None and _impl(source, scope)
    if not functor:
        said = [one for one in scope.names.values() if one.parameter]
        unit.deduced = [next((at for at, one in enumerate(said) if _says(one.type, name)), -1) for name in parameters]
    return unit


def _without_lambda(source: Source, call: Call) -> str:
    """The arguments of a call but for the code that is handed over."""
    given = call.arguments.named_children if call.arguments else []
    inner = [one for one in given if one.type not in ("lambda_expression", "comment", "parenthesized_expression")]
    return " ".join(source.text(one)[:200] for one in inner)


def _impl(source: Source, scope: Scope) -> bool:
    return source.text(scope.node).startswith("TORCH_IMPL_FUNC")


def _check(source: Source, call: Call) -> tuple[str, str]:
    """The condition of a check and the first words that it says."""
    given = [one for one in call.arguments.named_children if one.type != "comment"] if call.arguments else []
    condition = " ".join(source.text(given[0]).split()) if given else ""
    words = next((one for one in given[1:] if "string" in one.type), None)
    return condition, " ".join(source.text(words).replace('"', " ").split()) if words else ""


def _says(type_: str, parameter: str) -> bool:
    return parameter != "" and type_.split()[-1:] == [parameter]


def _registered(source: Source, call: Call) -> Iterator[tuple[str, str]]:
    named = call.arguments.named_children if call.arguments else []
    if len(named) == 2:
        function = source.text(named[1]).lstrip("&").rpartition("::")[2].partition("<")[0]
        yield source.text(named[0]).rpartition("::")[2], function.strip()


def _use(source: Source, call: Call) -> Use | None:
    """Methods of other objects, casts and the library are nobody's units."""
    unit = call.scope.symbol
    if unit and call.method and call.name in MADE:
        called = call.node.child_by_field_name("function")
        return Use(unit, source.text(called), call.line) if called is not None else None
    if (
        not unit
        or call.name in NOBODYS
        or call.name.startswith("TORCH_CHECK")
        or (call.name == unit and not call.templates)
        or (call.method and not call.templates and call.name not in ASKED | PRODUCTS)
    ):
        return None
    types = [
        encoded(width(one, call.scope), call.scope, otherwise=OTHER if "<" in one else UNKNOWN)
        for one in call.templates
    ]
    given = call.arguments.named_children if call.arguments and not call.templates and not call.method else []
    values = [encoded(of_value(one, call.scope, source.content), call.scope) for one in given if one.type != "comment"]
    return Use(unit, call.name, call.line, types, values)


def encoded(kind: Kind, scope: Scope, otherwise: str = UNKNOWN) -> str:
    """A kind as a word: itself, what the dispatch around it lets through, or the parameter that it hangs on."""
    if kind.template is not None and kind.width is not Width.INTEGER:
        return f"{kind.template.name}.{kind.parameter}"
    if kind.width is Width.ELEMENT:
        told = (dispatch_of(one.macro, one.macro_arguments) for one in scope.outward() if one.kind is ScopeKind.LAMBDA)
        return next((one.value for one in told if one is not None), "narrow")
    return PLAIN.get(kind.width, otherwise)
