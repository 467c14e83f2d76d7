"""`torch.random.fork_rng(devices=[0])`: the random state of the source device is what it keeps by default."""

import re

from bot.model import Change, Site, SiteKind, Stays

KEYWORD = re.compile(r"(?P<name>\w+)\s*=(?!=)\s*(?P<value>.*)", re.DOTALL)
NUMBERS = re.compile(r"[\[(][\d\s,]*[\])]")


def rule(site: Site) -> Change | Stays | None:
    """The device is said; the CPU's own state is kept anyway."""
    if site.kind is not SiteKind.CALL or site.value != "torch.random.fork_rng" or "cuda" not in site.sources:
        return None
    named = {match["name"]: match["value"] for one in site.arguments if (match := KEYWORD.match(one))}
    first = site.arguments[:1] if site.arguments and not KEYWORD.match(site.arguments[0]) else ()
    devices = named.get("devices", *first) if "devices" in named or first else "None"
    if any(one.startswith("*") for one in site.arguments):
        return Stays(why="the arguments of fork_rng can't be told apart")
    if NUMBERS.fullmatch(devices) and re.search("[1-9]", devices):
        return Stays(why=f"it needs a second {site.target.title} device")
    if site.target.stands_in_for:
        rest = [one for one in site.arguments[len(first) :] if not re.match(r"(?:devices|device_type)\s*=", one)]
        after = f"{site.callee}({', '.join(['[]' if first else 'devices=[]', *rest])})"
        return None if devices == "[]" else Change(after=after, whole=True)
    if "device_type" in named or len(site.arguments) - len(named) > 4:
        return None
    told = f'device_type="{site.target.name}"'
    return Change(after=f"{site.callee}({', '.join([*site.arguments, told])})")
