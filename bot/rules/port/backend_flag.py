"""Switches of the source device's libraries have no meaning on the target."""

from bot.model import Site, SiteKind, Stays

LIBRARIES = ("torch.backends.cudnn", "torch.backends.cuda", "torch.backends.mps")


def rule(site: Site) -> Stays | None:
    """Told, not dropped: a switch may be what selects the faulty kernel."""
    if site.kind is SiteKind.ATTRIBUTE and site.value.startswith(LIBRARIES):
        return Stays(why=f"{site.value} is a switch of another device's library")
    return None
