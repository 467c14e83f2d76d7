"""Which items of a larger archive belong to a window."""

from collections.abc import Iterable

from bot.model.upstream import Item, Window


def within(items: Iterable[Item], window: Window) -> frozenset[str]:
    """Keys of the items created or landed in the window, of those without any date, and of those that one of these
    links to. Of two with the same key the later counts. The items aren't kept.
    """
    links: dict[str, frozenset[str] | None] = {}
    for item in items:
        linked = frozenset(link.key for link in item.links)
        links[item.key] = linked if _belongs(item, window) else None
    chosen = {key for key, linked in links.items() if linked is not None}
    return frozenset(links.keys() & chosen.union(*(linked for linked in links.values() if linked)))


def _belongs(item: Item, window: Window) -> bool:
    moments = [item.created_at]
    if item.landed_sha:
        moments += [item.merged_at, item.closed_at]
    known = [moment for moment in moments if moment is not None]
    return not known or any(moment in window for moment in known)
