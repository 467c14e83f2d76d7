"""What is asked around a place: the conditions of the `if`s and the labels of the `case`s that lead there."""

from tree_sitter import Node

from bot.cpp.reading import Source

LONGEST = 200
"""Characters of one condition that are told."""
BORDERS = frozenset({"function_definition", "translation_unit"})


def under(source: Source, node: Node) -> str:
    """The texts of these conditions, the innermost last; what stands in an `else` is not told apart."""
    found: list[str] = []
    inner, outer = node, node.parent
    while outer is not None and outer.type not in BORDERS:
        asked = None
        if outer.type == "if_statement":
            asked = outer.child_by_field_name("condition")
        elif outer.type == "case_statement":
            asked = outer.child_by_field_name("value")
        if asked is not None and asked != inner:
            found.append(" ".join(source.text(asked).split())[:LONGEST])
        inner, outer = outer, outer.parent
    return "; ".join(reversed(found))
