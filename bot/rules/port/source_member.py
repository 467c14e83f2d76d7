"""`list(map(x.cuda, n))`, `x.__cuda_array_interface__`, `stream.cuda_stream`: attributes of the source device."""

from bot.model import Around, Site, SiteKind, Stays


def rule(site: Site) -> Stays | None:
    """Told, where nothing else is known of it and the script doesn't make an attribute of that name itself."""
    if site.kind not in (SiteKind.MEMBER, SiteKind.METHOD) or Around.OWN in site.around:
        return None
    if site.kind is SiteKind.METHOD and site.value in site.sources:
        return None  # it can be carried over
    if set(site.value.split("_")) & set(site.sources):
        return Stays(why=f"{site.value} is an attribute of the source device")
    return None
