"""`tensor.is_cuda` asks for the source device; the target has its own attribute."""

from bot.model import Change, Site, SiteKind


def rule(site: Site) -> Change | None:
    """The question stays, the device is the target's."""
    if site.kind is SiteKind.MEMBER and site.value.removeprefix("is_") in site.sources and site.value.startswith("is_"):
        return Change(after=f"is_{site.target.name}")
    return None
