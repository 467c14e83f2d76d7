"""A format that builds a device name: `f"cuda:{index}"`, `"cuda:%d"`, `"cuda:{}"`, `"cuda:" + index`."""

import re

from bot.model import Change, Site, SiteKind, Stays

FORMAT = re.compile(r"(?P<type>[a-z]+):(?P<rest>%[dis]|\{\w*\}|)\Z")


def rule(site: Site) -> Change | Stays | None:
    """The type is renamed, the index stays; a device without numbers has no place for it."""
    match = FORMAT.match(site.value) if site.kind in (SiteKind.FORMAT, SiteKind.STRING) else None
    if match is None or match["type"] not in site.sources or (site.kind is SiteKind.STRING and not match["rest"]):
        return None
    if not site.target.indexed:
        return Stays(why=f"{site.target.title} devices have no numbers")
    return Change(after=site.text.replace(f"{match['type']}:", f"{site.target.name}:", 1))
