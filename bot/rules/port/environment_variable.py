"""`os.environ["CUDA_LAUNCH_BLOCKING"] = "1"`: variables of the source device's runtime."""

import re

from bot.model import Change, Site, SiteKind, Stays

SET = re.compile(r"os\.environ\[(?P<name>\w+)\]")
DEVICES = "_VISIBLE_DEVICES"
NO_DEVICE = ("", "-1")


def rule(site: Site) -> Change | Stays | None:
    """By the profile's table: renamed, or, where the target has none, no longer set."""
    if site.kind is SiteKind.ENTRY:
        return _assigned(site, site.value, "")
    if site.kind is SiteKind.STATEMENT:
        match = SET.fullmatch(site.value)
        return _assigned(site, match["name"], "pass") if match else None
    other = site.target.variables.get(site.value) if site.kind is SiteKind.STRING else None
    if other is None:
        return None
    if not other:
        return Stays(why=f"{site.target.title} has no counterpart of the variable {site.value}", harmless=True)
    return Change(after=site.text.replace(site.value, other))


def _assigned(site: Site, name: str, instead: str) -> Change | Stays | None:
    if site.target.variables.get(name) != "":
        return None
    value = site.arguments[0].strip("\"'") if site.arguments else None
    if name.endswith(DEVICES) and value in NO_DEVICE:  # hides the source device, which is none of the target's
        return Change(after=site.text)
    if name.endswith(DEVICES) and value and value.count(",") and value.replace(",", "").isdigit():
        return Stays(why=f"it needs several {site.target.title} devices")
    return Change(after=instead)
