"""python_text: where the pieces of a Python text stand, in bytes, as the standard library's parser tells it."""

import ast
import re
from bisect import bisect_right
from functools import cached_property

LINE_END = re.compile(rb"\r\n|\r|\n")
CLOSED = re.compile(rb"(?:[\s)]|\\\r?\n|#[^\r\n]*)*")
"""What may stand between an expression and the dot or the bracket behind it."""
BLANK = re.compile(rb"(?:\s|\\\r?\n|#[^\r\n]*)*")
ENTRY_END = re.compile(rb"(?:\s*,\s*)?")
REMARK = re.compile(rb"#[^\r\n]*")


class TextError(ValueError):
    """The parser's positions don't agree with the text."""


class PythonText:
    """The bytes of a whole script, or of an expression inside of it that was parsed by itself."""

    def __init__(self, content: bytes, outer: "PythonText | None" = None, shift: int = 0) -> None:
        self.content = content
        self._outer = outer
        self._shift = shift

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self.content))]

    @property
    def whole(self) -> "PythonText":
        """The text that all positions are of."""
        return self._outer.whole if self._outer else self

    def inside(self, start: int, end: int) -> "PythonText":
        """The piece between two positions of the whole text, in brackets, so that it may go over several lines."""
        return PythonText(b"(" + self.whole.content[start:end] + b")", self.whole, start - 1)

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias) -> tuple[int, int]:
        """First byte and the one behind the last, in the whole text. Brackets around an expression are not its own."""
        starts, shift = self._starts, self._shift
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return shift + starts[node.lineno - 1] + node.col_offset, shift + starts[end_line - 1] + end_column

    def line(self, position: int) -> int:
        """The line of a position of the whole text, 1-based."""
        return bisect_right(self.whole._starts, position)

    def slice(self, start: int, end: int) -> str:
        """The whole text between two positions."""
        return self.whole.content[start:end].decode()

    def dot(self, node: ast.Attribute) -> int:
        """Where the dot before an attribute's name stands."""
        return self._behind(self.span(node.value)[1], b".")

    def member(self, node: ast.Attribute) -> tuple[int, int]:
        """Where an attribute's name stands, without the dot."""
        return self._skip(self.dot(node) + 1), self.span(node)[1]

    def arguments(self, call: ast.Call) -> list[tuple[ast.expr | ast.keyword, tuple[int, int]]]:
        """The arguments in their order, each with the brackets around it, without its comma and remarks."""
        floor = self._behind(self.span(call.func)[1], b"(") + 1
        last = self.span(call)[1] - 1
        found: list[tuple[ast.expr | ast.keyword, tuple[int, int]]] = []
        given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
        for one in sorted(given, key=self.span):
            start, end = self.span(one)
            start, end = max(start, floor), min(end, last)  # a generator takes the call's own brackets for its own
            opened = REMARK.sub(b"", self.whole.content[floor:start]).count(b"(")
            begin = self._skip(floor) if opened else start
            for _ in range(opened):
                end = self._behind(end, b")", BLANK) + 1
            found.append((one, (begin, end)))
            comma = self._skip(end)
            floor = comma + 1 if self.whole.content[comma : comma + 1] == b"," else comma
        return found

    def entry_end(self, position: int) -> int:
        """The place behind an entry's comma, where one follows, and behind the blanks after it."""
        match = ENTRY_END.match(self.whole.content, position)
        return match.end() if match else position

    def _behind(self, position: int, sought: bytes, between: re.Pattern[bytes] = CLOSED) -> int:
        match = between.match(self.whole.content, position)
        place = match.end() if match else position
        if self.whole.content[place : place + 1] != sought:
            raise TextError
        return place

    def _skip(self, position: int) -> int:
        match = BLANK.match(self.whole.content, position)
        return match.end() if match else position
