"""A string that names the source device names the target: `"cuda"`, `"cuda:0"`."""

import re

from bot.model import Change, Site, SiteKind, Stays

DEVICE = re.compile(r"(?P<type>[a-z]+)(?::(?P<index>\d+))?\Z")


def rule(site: Site) -> Change | Stays | None:
    """Only a string that is a device and nothing else; a second device can't be carried over."""
    match = DEVICE.match(site.value) if site.kind is SiteKind.STRING else None
    if match is None or match["type"] not in site.sources:
        return None
    if site.module:
        return Stays(why=f"it is {site.module} that is told the device")
    index = match["index"]
    if index not in (None, "0"):
        return Stays(why=f"it needs a second {site.target.title} device")
    name = site.target.name + (f":{index}" if index and site.target.indexed else "")
    if site.value not in site.text:  # in pieces, or with escapes
        return Change(after=f'"{name}"')
    return Change(after=site.text.replace(site.value, name, 1))
