"""Pages of a connection, and the cursors between them.

A cursor is a position in the list by default: what appears or goes in front of it while a client pages moves the pages,
and the client misses one or sees one twice. With `keyset` it is the sort key and id of the last item, which cannot.
"""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.double.refusal import Refused


@dataclass(slots=True)
class Page:
    """A slice of a list with everything a connection tells about it; `counts` are its further fields."""

    typename: str
    nodes: Sequence[Any]
    cursors: Sequence[str]
    total: int
    more_after: bool
    more_before: bool
    counts: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Edge:
    """A node and its cursor."""

    typename: str
    node: Any
    cursor: str


Key = Callable[[Any], tuple[Any, ...]]


def page(
    typename: str,
    items: Sequence[Any],
    asked: dict[str, Any],
    key: Key | None = None,
    *,
    descending: bool = False,
) -> Page:
    """The page of `items` that `first`/`last`/`after`/`before` ask for; with a `key`, by keyset cursors.

    Raises Refused for a cursor that is none.
    """
    low, high = 0, len(items)
    after, before = asked.get("after"), asked.get("before")
    if after is not None:
        low = _place(after, items, key, descending, behind=True)
    if before is not None:
        high = max(low, _place(before, items, key, descending, behind=False))
    low, high = min(low, len(items)), min(high, len(items))
    first, last = asked.get("first"), asked.get("last")
    if first is not None:
        high = min(high, low + first)
    elif last is not None:
        low = max(low, high - last)
    nodes = items[low:high]
    cursors = [_keyset(key(each)) if key else position(low + place) for place, each in enumerate(nodes, 1)]
    return Page(typename, nodes, cursors, len(items), more_after=high < len(items), more_before=low > 0)


def position(place: int) -> str:
    """The cursor of the item at a place, counted from one."""
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _keyset(key: tuple[Any, ...]) -> str:
    return base64.b64encode(b"cursor:v2:" + json.dumps([str(part) for part in key]).encode()).decode()


def _place(cursor: str, items: Sequence[Any], key: Key | None, descending: bool, *, behind: bool) -> int:
    """Where a cursor stands: the number of items up to it, with it if `behind`."""
    try:
        text = base64.b64decode(cursor, validate=True).decode()
        if key is None:
            place = int(text.removeprefix("cursor:"))
            return place if behind else place - 1
        wanted = json.loads(text.removeprefix("cursor:v2:"))
    except (ValueError, binascii.Error, UnicodeDecodeError) as error:
        raise Refused("INVALID_CURSOR_ARGUMENTS", f"`{cursor}` does not appear to be a valid cursor.") from error
    for place, item in enumerate(items):
        held = [str(part) for part in key(item)]
        passed = held < wanted if descending else held > wanted
        if passed or (held == wanted and not behind):
            return place
        if held == wanted:
            return place + 1
    return len(items)
