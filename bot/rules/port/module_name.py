"""`runtime = torch.cuda`, `hasattr(torch.cuda, "mem_get_info")`: the source device's module itself."""

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import known, of_source, spelled


def rule(site: Site) -> Change | Stays | None:
    """What it is called from then on is looked up like an import; what a string asks of it must have the same name."""
    if site.kind is not SiteKind.MODULE or not of_source(site.value, site):
        return None
    module, _, asked = site.value.rpartition(".")
    by_string = module.removeprefix("torch.") in site.sources and not site.text.endswith(asked)
    counterpart = known(site.value, site)
    if by_string and counterpart is not None:
        module, _, same = counterpart.rpartition(".")
        counterpart = module if same == asked else None
    name = counterpart and spelled(site, counterpart)
    if name is None:
        return Stays(why=f"{site.target.title} has no counterpart of {site.value}")
    return Change(after=name)
