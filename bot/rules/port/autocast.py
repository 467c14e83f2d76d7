"""`torch.cuda.amp.autocast()` and `GradScaler()`: the device is in the name, or is what is left out."""

import re
from collections.abc import Iterable

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import spelled

KEYWORD = re.compile(r"(?P<name>\w+)\s*=(?!=)")
MODULE = "torch.cuda.amp."
ORDER = ("enabled", "dtype", "cache_enabled")
"""The old autocast's parameters in their order: those of the new one come in another."""
DECORATORS = ("custom_fwd", "custom_bwd")
SCALERS = ("torch.amp.GradScaler", "torch.GradScaler")
"""The source device is what they take where none is given."""


def rule(site: Site) -> Change | Stays | None:
    """The new spelling takes the device as an argument."""
    if site.kind is SiteKind.CALL and site.value in SCALERS:
        words = [KEYWORD.match(one) for one in site.arguments]
        given = any(word is None or word["name"] == "device" for word in words)
        return None if given else _call(site.callee, [_device(site), *site.arguments])
    if not site.value.startswith(MODULE) or "cuda" not in site.sources:
        return None
    name = site.value.rpartition(".")[2]
    callee = spelled(site, f"torch.{site.value.removeprefix('torch.cuda.')}")
    if callee is None:
        return None
    if name == "autocast" and site.kind in (SiteKind.ATTRIBUTE, SiteKind.NAME):
        return Stays(why="called by that name, its device would be missing")
    if name in DECORATORS:
        held = site.arguments if site.kind is SiteKind.CALL else ()
        return _call(callee, [*held, f"device_type={_device(site)}"])
    return _made(site, name, callee) if site.kind is SiteKind.CALL else None


def _made(site: Site, name: str, callee: str) -> Change | Stays | None:
    """The call of a class of the old module."""
    if name not in ("autocast", "GradScaler"):
        return None
    order = ORDER if name == "autocast" else ()
    known = [KEYWORD.match(one) is not None for one in site.arguments]
    if any(one.startswith("*") for one in site.arguments) or (order and known.count(False) > len(order)):
        return Stays(why=f"the arguments of {name} can't be told apart")
    pairs = enumerate(zip(site.arguments, known, strict=True))
    named = [one if keyword or not order else f"{order[place]}={one}" for place, (one, keyword) in pairs]
    return _call(callee, [_device(site), *named])


def _device(site: Site) -> str:
    return f'"{site.target.name}"'


def _call(callee: str, arguments: Iterable[str]) -> Change:
    return Change(after=f"{callee}({', '.join(arguments)})")
