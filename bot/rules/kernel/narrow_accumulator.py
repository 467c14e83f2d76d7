"""A sum is kept in the element type: in half precision it stops growing once a term is below half a unit in its last place.

The declaration stands outside the loop and the update inside it. A polynomial is no sum, whole numbers lose nothing,
and a type that is wide by its alias, its template argument or its dispatch macro is none of this rule's business. A sum
that is kept wide is told as the style to follow, also one of several terms that are added one after the other.
"""

from collections.abc import Iterable, Iterator, Sequence

from bot.cpp import Declaration, Source, Update
from bot.cpp.sums import grows, is_narrow, is_wide, loops_of, parameter_of
from bot.model import Hit

Pairs = list[tuple[Declaration, Update]]


def rule(source: Source) -> Iterable[Hit]:
    """One hit a declaration, however many names it declares; declarations on lines that follow each other are one."""
    narrow: dict[int, Pairs] = {}
    wide: dict[int, Pairs] = {}
    looped: set[int] = set()
    for update in source.updates:
        declaration = update.scope.lookup(update.name) if update.name and grows(source, update) else None
        if declaration is None:
            continue
        place, loops = declaration.node.start_byte, any(loops_of(source, update, declaration))
        if loops and is_narrow(source, declaration, update.target):
            narrow.setdefault(place, []).append((declaration, update))
        elif is_wide(source, declaration, update.target):
            wide.setdefault(place, []).append((declaration, update))
            looped |= {place} if loops else set()
    yield from (_hit(source, pairs) for pairs in _together(narrow))
    yield from (_right(pairs) for pairs in _together(_sums(wide, looped)))


def _sums(wide: dict[int, Pairs], looped: set[int]) -> dict[int, Pairs]:
    """The declarations that grow in a loop, or by several terms."""
    return {place: pairs for place, pairs in wide.items() if place in looped or len(pairs) > 1}


def _together(found: dict[int, Pairs]) -> Iterator[Pairs]:
    """Declarations of one type on neighbouring lines of one kernel."""
    held: Pairs = []
    for _, pairs in sorted(found.items()):
        first, last = pairs[0][0], held[-1][0] if held else None
        if (
            last is not None
            and first.scope is last.scope
            and first.type == last.type
            and first.line == last.end_line + 1
        ):
            held += pairs
            continue
        if held:
            yield held
        held = list(pairs)
    if held:
        yield held


def _names(pairs: Pairs) -> str:
    names = list(dict.fromkeys(one.name for one, _ in pairs))
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _lines(pairs: Pairs) -> tuple[int, ...]:
    return tuple(sorted({update.line for _, update in pairs}))


def _hit(source: Source, pairs: Sequence[tuple[Declaration, Update]]) -> Hit:
    pairs = list(pairs)
    declaration, update = pairs[0]
    type_ = declaration.type.removeprefix("auto") or "the element type"
    one = len({found.name for found, _ in pairs}) == 1
    loop = list(loops_of(source, update, declaration))[-1]
    lines = _lines(pairs)
    verb = ("is" if one else "are", "grows" if one else "grow")
    return Hit(
        symbol=declaration.scope.symbol,
        line=declaration.line,
        end_line=max(found.end_line for found, _ in pairs),
        why=f"{_names(pairs)} {verb[0]} kept in {type_} and {verb[1]} at line {lines[0]}, in the loop at line {loop.line}: "
        "in half precision such a sum stops growing early",
        parameter=parameter_of(source, declaration),
        lines=lines,
    )


def _right(pairs: Pairs) -> Hit:
    declaration = pairs[0][0]
    return Hit(
        symbol=declaration.scope.symbol,
        line=declaration.line,
        end_line=max(found.end_line for found, _ in pairs),
        why=f"{_names(pairs)} kept in {declaration.type}, which is wide",
        lines=_lines(pairs),
        right=True,
    )
