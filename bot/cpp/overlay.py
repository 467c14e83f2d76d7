"""The bodies of macros, as functions: to the grammar they are text, and kernels are launched and written in them.

The file keeps its length and its lines, so that a place in the one is the same place in the other.
"""

from collections.abc import Iterable

from tree_sitter import Node

DEFINE = b"#define"
FUNCTION = b"void   "


def bodies(content: bytes, macros: Iterable[Node]) -> tuple[bytes, bytes]:
    """The file with each macro written as a function, and the same with nothing but these."""
    whole = bytearray(content)
    alone = bytearray(byte if byte == 10 else 32 for byte in content) if (macros := list(macros)) else bytearray()
    for node in macros:
        start, end = node.start_byte, node.end_byte
        value, parameters = node.child_by_field_name("value"), node.child_by_field_name("parameters")
        text = content[start:end]
        if (
            value is None
            or parameters is None
            or not text.startswith(DEFINE)
            or value.start_byte <= parameters.end_byte
        ):
            continue
        made = bytearray(
            text.replace(DEFINE, FUNCTION, 1)
            .replace(b"\\\n", b" \n")
            .replace(b"\\\r\n", b" \r\n")
            .replace(b"##", b"__")
        )
        made[parameters.end_byte - start] = ord("{")
        last = len(made.rstrip())
        if last == len(made):
            continue  # no room for the brace that closes it
        made[last] = ord("}")
        whole[start:end] = alone[start:end] = made
    return bytes(whole), bytes(alone)
