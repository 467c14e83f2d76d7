"""The arguments and results of an aten call: tuples, lists and dictionaries of leaves. torch's own pytrees cost more
than the calls themselves.
"""

from collections.abc import Callable, Iterator
from typing import Any


def leaves(tree: Any) -> Iterator[Any]:
    """All leaves, in order."""
    kind = type(tree)
    if kind is tuple or kind is list:
        for one in tree:
            yield from leaves(one)
    elif kind is dict:
        for one in tree.values():
            yield from leaves(one)
    else:
        yield tree


def mapped(change: Callable[[Any], Any], tree: Any) -> Any:
    """The same nest with other leaves."""
    kind = type(tree)
    if kind is tuple:
        return tuple([mapped(change, one) for one in tree])
    if kind is list:
        return [mapped(change, one) for one in tree]
    if kind is dict:
        return {name: mapped(change, one) for name, one in tree.items()}
    return change(tree)
