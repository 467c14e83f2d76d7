"""`device=0`, `.to(1)`: a bare number is the current accelerator's."""

import re

from bot.model import Change, Site, SiteKind, Stays

DEVICE_FIRST = frozenset(
    ("set_device", "device", "synchronize", "get_device_name", "get_device_properties", "current_stream",
     "memory_allocated", "max_memory_allocated", "mem_get_info", "memory_stats", "get_device_capability")
)  # fmt: skip
"""Runtime calls whose first parameter is a device."""
SEVERAL = re.compile(r"(?:>|<=|[!=]=)\s*[1-9]\d*|(?:>=|<)\s*(?:[2-9]|[1-9]\d+)")


def rule(site: Site) -> Change | Stays | None:
    """The first device is the target's; another one is not there."""
    if site.kind is SiteKind.INTEGER:
        if site.value != "0":
            return Stays(why=f"it needs a second {site.target.title} device")
        return Change(after=f'"{site.target.name}:0"' if site.target.indexed else f'"{site.target.name}"')
    if site.kind is SiteKind.COMPARISON and site.value in [f"torch.{source}.device_count" for source in site.sources]:
        asks = SEVERAL.fullmatch(site.arguments[0])
        return Stays(why=f"it asks for a second {site.target.title} device") if asks else None
    if site.kind is not SiteKind.CALL or not site.arguments:
        return None
    parts = site.value.split(".")
    runtime = len(parts) == 3 and parts[1] in site.sources and parts[2] in DEVICE_FIRST
    index = site.arguments[0] if runtime else _index(site)
    other = index.removeprefix("device=").removeprefix("index=")
    if not other.isdigit() or other == "0":
        return None
    return Stays(why=f"it needs a second {site.target.title} device", whole=not runtime)


def _index(site: Site) -> str:
    """`torch.device("cuda", 1)`; empty for other calls."""
    if site.value != "torch.device":
        return ""
    named = [one.replace(" ", "") for one in site.arguments if one.replace(" ", "").startswith("index=")]
    return (*named, *site.arguments[1:2], "")[0]
