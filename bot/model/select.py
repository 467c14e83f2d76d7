"""Which items of a larger archive belong to a window."""

from collections.abc import Iterable, Iterator

from bot.model.upstream import Item, Window


def within(items: Iterable[Item], window: Window) -> Iterator[Item]:
    """Items created or landed in the window, those without any date, and those that one of these links to."""
    every = list(items)
    chosen = {item.key for item in every if _belongs(item, window)}
    linked = {f"{link.repo}#{link.number}" for item in every if item.key in chosen for link in item.links}
    yield from (item for item in every if item.key in chosen | linked)


def _belongs(item: Item, window: Window) -> bool:
    moments = [item.created_at]
    if item.landed_sha:
        moments += [item.merged_at, item.closed_at]
    known = [moment for moment in moments if moment is not None]
    return not known or any(moment in window for moment in known)
