"""`from torch.cuda import ...` brings in names of the source device."""

from bot.model import Site, SiteKind, Stays


def rule(site: Site) -> Stays | None:
    """Told: the names may be used anywhere under any alias."""
    for source in site.sources:
        if site.kind is SiteKind.IMPORT and f"{site.value}.".startswith(f"torch.{source}."):
            return Stays(why=f"it imports from torch.{source}")
    return None
