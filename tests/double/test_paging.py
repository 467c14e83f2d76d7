"""Pages of a list, from either end, by both kinds of cursor."""

import pytest

from tests.double.paging import Key, page
from tests.double.refusal import Refused

ITEMS = [*"abcdefg"]


@pytest.mark.parametrize("key", [None, lambda letter: (letter,)])
@pytest.mark.parametrize(
    ("asked", "shown", "more_before", "more_after"),
    [
        ({"first": 3}, "abc", False, True),
        ({"first": 3, "after": "c"}, "def", True, True),
        ({"first": 3, "after": "d"}, "efg", True, False),
        ({"first": 3, "after": "g"}, "", True, False),
        ({"last": 2}, "fg", True, False),
        ({"last": 2, "before": "f"}, "de", True, True),
        ({"last": 9, "before": "c"}, "ab", False, True),
        ({"first": 9, "after": "b", "before": "f"}, "cde", True, True),
    ],
)
def test_pages(asked: dict[str, object], shown: str, more_before: bool, more_after: bool, key: Key | None) -> None:
    """`first` counts from `after`, `last` back from `before`, and both ends tell whether there is more."""
    cursors = dict(zip(ITEMS, page("Connection", ITEMS, {"first": 7}, key).cursors, strict=True))
    given = {name: cursors.get(value, value) if isinstance(value, str) else value for name, value in asked.items()}
    made = page("Connection", ITEMS, given, key)
    assert ("".join(made.nodes), made.more_before, made.more_after) == (shown, more_before, more_after)
    assert made.total == 7


@pytest.mark.parametrize("key", [None, lambda letter: (letter,)])
@pytest.mark.parametrize("cursor", ["banana", "Y3Vyc29yOmJhbmFuYQ==", ""])
def test_a_cursor_that_is_none(cursor: str, key: Key | None) -> None:
    """A made-up cursor is refused."""
    with pytest.raises(Refused, match="valid cursor"):
        page("Connection", ITEMS, {"first": 1, "after": cursor}, key)


def test_a_keyset_outlives_its_item() -> None:
    """The page after an item that is gone begins with the next one, in both directions."""
    rising = page("Connection", ITEMS, {"first": 3}, lambda letter: (letter,)).cursors[-1]
    left = [each for each in ITEMS if each != "c"]
    assert page("Connection", left, {"first": 2, "after": rising}, lambda letter: (letter,)).nodes == ["d", "e"]
    falling = [*reversed(left)]
    made = page("Connection", falling, {"first": 2, "after": rising}, lambda letter: (letter,), descending=True)
    assert made.nodes == ["b", "a"]
