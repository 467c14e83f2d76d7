"""`x.cuda()` becomes `x.to(device)`: every tensor and module has `to`, the named method only its own device."""

import re

from bot.model import Change, Site, SiteKind, Stays

KEYWORD = re.compile(r"(?P<name>\w+)\s*=(?!=)\s*(?P<value>.*)", re.DOTALL)
FIRST = ("device", "non_blocking")
"""The method's parameters in their order: `to` has another one at the second place."""


def rule(site: Site) -> Change | Stays | None:
    """Further arguments are kept, by name; an index other than 0 asks for a second device."""
    if site.kind is not SiteKind.METHOD or site.value not in site.sources:
        return None
    named: dict[str, str] = {}
    for position, argument in enumerate(site.arguments):
        keyword = KEYWORD.match(argument)
        if argument.startswith("*") or (not keyword and position >= len(FIRST)):
            return Stays(why=f"the arguments of {site.value} can't be told apart")
        named |= {keyword["name"]: keyword["value"]} if keyword else {FIRST[position]: argument}
    device = named.pop("device", "None")
    if re.fullmatch(r"[1-9]\d*", device):
        return Stays(why=f"it needs a second {site.target.title} device")
    if device in ("0", "None"):
        device = f'"{site.target.name}"'
    further = [f"{name}={value}" for name, value in named.items()]
    return Change(after=f".to({', '.join([device, *further])})")
