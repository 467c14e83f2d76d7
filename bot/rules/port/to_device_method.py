"""`x.cuda()` becomes `x.to(device)`: every tensor and module has `to`, the named method only its own device."""

import re

from bot.model import Change, Site, SiteKind, Stays


def rule(site: Site) -> Change | Stays | None:
    """Further arguments are kept; an index other than 0 asks for a second device."""
    if site.kind is not SiteKind.METHOD or site.value not in site.sources:
        return None
    arguments = list(site.arguments)
    device = f'"{site.target.name}"'
    first = arguments[0].removeprefix("device=").strip() if arguments else ""
    if arguments and ("=" not in arguments[0] or arguments[0].startswith("device")):
        if re.fullmatch(r"[1-9]\d*", first):
            return Stays(why=f"it needs a second {site.target.title} device")
        arguments = arguments[1:]
        if first not in ("0", "None"):
            device = first
    return Change(after=f".to({', '.join([device, *arguments])})")
