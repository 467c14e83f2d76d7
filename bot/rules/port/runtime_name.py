"""`torch.cuda.synchronize` and its like have a counterpart in the target's own module, or none."""

from bot.model import Change, Site, SiteKind, Stays


def rule(site: Site) -> Change | Stays | None:
    """By the target profile's table; what it doesn't list can't be carried over."""
    if site.kind is not SiteKind.ATTRIBUTE:
        return None
    for source in site.sources:
        name = site.value.removeprefix(f"torch.{source}.")
        if site.value == f"torch.{source}":
            return Stays(why=f"what is asked of torch.{source} as a whole can't be seen")
        if name == site.value:
            continue
        if not site.root:
            return Stays(why=f"it is a name of torch.{source} that was imported")
        first, dot, rest = name.partition(".")
        counterpart = site.target.runtime.get(first)
        if counterpart is None:
            return Stays(why=f"{site.target.title} has no counterpart of torch.{source}.{first}")
        dotted = counterpart.removeprefix("torch")
        return Change(after=f"{site.root}{dotted}{dot}{rest}")
    return None
