"""What a file registers with torch's dispatcher by itself: kernels of `TORCH_LIBRARY_IMPL`, and lists for the CPU."""

from collections.abc import Iterator

from tree_sitter import Node

from bot.cpp.reading import Source

BLOCK = "TORCH_LIBRARY_IMPL"
LIST = "fallback_list"
"""What torch's backends call the list of operators that they leave to the CPU."""


def registered(source: Source) -> Iterator[tuple[str, str, str, int]]:
    """Dispatch key, operator (`ns::` only outside aten), function and line of each `m.impl`."""
    if BLOCK.encode() not in source.content:
        return
    for call in source.calls:
        block = next((one for one in call.scope.outward() if source.text(one.node).startswith(BLOCK)), None)
        given = [one for one in call.arguments.named_children if one.type != "comment"] if call.arguments else []
        if call.name != "impl" or block is None or len(given) != 2:
            continue
        namespace, key = (part.strip() for part in source.text(block.node).partition("(")[2].split(",")[:2])
        name = next(_strings(source, given[0]), ("", 0))[0]
        if name:
            bare = name.removeprefix(f"{namespace}::")
            function = source.text(given[1]).rpartition("(")[2].split(")")[0].split("::run")[0].lstrip("&")
            yield key, bare if namespace == "aten" else f"{namespace}::{bare}", function.strip(), call.line


def fallbacks(source: Source) -> Iterator[tuple[str, int]]:
    """Operator and line of each that a list leaves to the CPU."""
    for one in source.declarations:
        if one.name == LIST and one.value is not None:
            yield from _strings(source, one.value)


def _strings(source: Source, node: Node) -> Iterator[tuple[str, int]]:
    """The texts of all string literals in a node, in their order."""
    waiting = [node]
    while waiting:
        one = waiting.pop(0)
        if one.type == "string_literal":
            yield source.text(one).strip('"'), one.start_point[0] + 1
        else:
            waiting = [*one.named_children, *waiting]
