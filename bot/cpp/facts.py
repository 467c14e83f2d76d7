"""What a file says that other files need to know: who uses whom with which types, who registers what, who checks what.

Plain lists of texts, so that a cache can keep them: no tree, no scope.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from bot.cpp.kinds import Kind, Width, of_value, width
from bot.cpp.macros import dispatch_of, dtypes_of
from bot.cpp.reading import Source
from bot.cpp.shapes import Call, Scope, ScopeKind

UNKNOWN = "?"
OTHER = "other"
PLAIN = {Width.WIDE: "wide", Width.INTEGER: "integer", Width.HALF: "narrow"}
NOBODYS = frozenset({
    "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast", "sizeof", "min", "max", "floor", "ceil", "sqrt", "exp", "log", "pow",
    "range", "nd_range", "nd_item", "item", "id", "group_barrier", "tuple", "vector", "array", "optional", "numeric_limits",
    "conditional_t", "enable_if_t", "is_same_v", "decltype",
})  # fmt: skip
"""Names that no kernel tree defines."""
CHECK = re.compile(r"^(?:TORCH_CHECK|AT_ASSERT|AT_ERROR)|[cC]heck")
"""Names of what checks an argument."""
WORD = re.compile(r"\b[A-Za-z_]\w{8,}(?=\s*[<(])")
"""What a macro's body may call: it is told even where the body is no C++ by itself."""
EMPTY = re.compile(r"numel\(\)\s*(?:==|<=|!=|>)\s*0|(?:numel|count|nthreads|N|size_?)\w*\s*(?:==|<=|!=|>)\s*0|\.size\([^()]*\)\s*(?:==|>)\s*0|is_empty")
ASKED = frozenset({"can_use_32bit_indexing", "alertNotDeterministic", "deterministicAlgorithms", "isnan"})
"""Methods that are told although they are an object's."""


@dataclass(slots=True)
class Unit:
    """A function, or a functor with all that is in it."""

    name: str
    line: int
    end_line: int
    parameters: list[str] = field(default_factory=list)
    """Its template's type parameters, by position."""
    deduced: list[int] = field(default_factory=list)
    """For each the argument that it can be read from, or -1."""
    functor: bool = False
    structured: bool = False
    """Of `TORCH_IMPL_FUNC`: its arguments are checked by code of every device."""
    head: int = 0
    """The last line of a function's head."""
    checks: list[list[Any]] = field(default_factory=list)
    """Of each check line, name, condition and message."""
    dtypes: list[str] = field(default_factory=list)
    """Element types that its dispatches let through."""
    asks_empty: bool = False
    """Does it ask whether there is any element?"""


@dataclass(slots=True)
class Use:
    """A unit mentions another one."""

    unit: str
    name: str
    line: int
    types: list[str] = field(default_factory=list)
    """Of the template arguments: `narrow`, `wide`, `integer`, `?`, or `UNIT.PARAMETER` of the mentioning unit."""
    values: list[str] = field(default_factory=list)
    """The same of the arguments of a call."""


@dataclass(slots=True)
class Facts:
    """One file's."""

    path: str
    units: list[Unit] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    registered: list[tuple[str, str]] = field(default_factory=list)
    """Stub and function of `REGISTER_XPU_DISPATCH`."""
    unread: list[tuple[int, int, str]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """As plain lists."""
        return asdict(self)

    @classmethod
    def of_json(cls, plain: dict[str, Any]) -> "Facts":
        """Back again."""
        return cls(
            plain["path"],
            [Unit(**one) for one in plain["units"]],
            [Use(**one) for one in plain["uses"]],
            [(stub, function) for stub, function in plain["registered"]],
            [(first, last, why) for first, last, why in plain["unread"]],
        )


def facts(source: Source) -> Facts:
    """All facts of a file."""
    units = {}
    for scope in source.scopes:
        if scope.kind in (ScopeKind.FUNCTION, ScopeKind.CLASS) and scope.name:
            units.setdefault((scope.name, scope.line), _unit(source, scope))
    uses: dict[tuple[object, ...], Use] = {}
    registered = []
    for call in source.calls:
        if "REGISTER" in call.name and "DISPATCH" in call.name:
            registered += _registered(source, call)
        elif use := _use(source, call):
            uses.setdefault((use.unit, use.name, *use.types, *use.values), use)
        if "DISPATCH" in call.name and (function := call.scope.function):
            if unit := units.get((function.name, function.line)):
                unit.dtypes = sorted({*unit.dtypes, *dtypes_of(call.name, _without_lambda(source, call))})
        if CHECK.search(call.name) and not call.method and call.arguments and (function := call.scope.function):
            if unit := units.get((function.name, function.line)):
                unit.checks.append([call.line, call.name, *_check(source, call)])
    for asked, scope in source.conditions:
        function = scope.function
        if function is not None and (unit := units.get((function.name, function.line))):
            unit.asks_empty = unit.asks_empty or EMPTY.search(source.text(asked)) is not None
    for node in source.macros:
        macro = source.text(name) if (name := node.child_by_field_name("name")) else ""
        for word in set(WORD.findall(source.text(node))) - {macro}:
            uses.setdefault((macro, word), Use(macro, word, node.start_point[0] + 1))
    for one in source.declarations:
        unit = one.scope.symbol
        if unit and one.type[:1].isupper() and one.type.isidentifier() and one.type not in NOBODYS:
            uses.setdefault((unit, one.type), Use(unit, one.type, one.line))
    unread = [(one.line, one.end_line, one.why) for one in source.unread]
    return Facts(source.path, list(units.values()), list(uses.values()), registered, unread)


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
    if (
        not unit
        or call.name in NOBODYS
        or call.name.startswith("TORCH_CHECK")
        or (call.name == unit and not call.templates)
        or (call.method and not call.templates and call.name not in ASKED)
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
