"""`torch.cuda.synchronize` and its like have a counterpart in the target's own module, or none."""

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import known, of_source, spelled


def rule(site: Site) -> Change | Stays | None:
    """By the tables of the target's profile; what they don't list can't be carried over."""
    if site.kind not in (SiteKind.ATTRIBUTE, SiteKind.NAME) or not of_source(site.value, site):
        return None
    if site.value.startswith("torch.cuda.amp.") and site.value.endswith(".autocast"):
        return None  # its counterpart takes the device
    title = site.target.title
    if site.value.removeprefix("torch.") in site.sources:
        return Stays(why=f"what is asked of {site.value} as a whole can't be seen")
    counterpart = known(site.value, site)
    if counterpart is None:
        told = site.value.startswith("torch.version.")
        return Stays(why=f"{title} has no counterpart of {_short(site.value)}", harmless=told)
    name = spelled(site, counterpart)
    if name is None:
        return Stays(why=f"its counterpart {counterpart} is not in the module that was imported as {site.root}")
    return Change(after=name)


def _short(qualified: str) -> str:
    """The first three parts say which it is; the rest is what is done with it."""
    parts = qualified.split(".")
    return ".".join(parts[: 3 if parts[1] in ("cuda", "mps") else None])
