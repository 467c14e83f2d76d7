"""`torch.cuda.amp.autocast()` and `GradScaler()`: the device is in the name, or is what is left out."""

from collections.abc import Iterable

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import spelled

MODULE = "torch.cuda.amp."
ORDER = ("enabled", "dtype", "cache_enabled")
"""The old autocast's parameters in their order: those of the new one come in another."""
DECORATORS = ("custom_fwd", "custom_bwd")
SCALERS = ("torch.amp.GradScaler", "torch.GradScaler")
"""The source device is what they take where none is given."""


def rule(site: Site) -> Change | Stays | None:
    """The new spelling takes the device as an argument."""
    if site.kind is SiteKind.CALL and site.value in SCALERS:
        given = any("=" not in one or one.replace(" ", "").startswith("device=") for one in site.arguments)
        return None if given else _call(site.callee, [_device(site), *site.arguments])
    name = site.value.removeprefix(MODULE)
    callee = spelled(site, f"torch.amp.{name}") if site.value.startswith(MODULE) else None
    if callee is None:
        return None
    if name in DECORATORS:
        held = site.arguments if site.kind is SiteKind.CALL else ()
        return _call(callee, [*held, f"device_type={_device(site)}"])
    return _made(site, name, callee) if site.kind is SiteKind.CALL else None


def _made(site: Site, name: str, callee: str) -> Change | Stays | None:
    """The call of a class of the old module."""
    if name not in ("autocast", "GradScaler"):
        return None
    if any(one.startswith("*") for one in site.arguments):
        return Stays(why=f"the arguments of {name} can't be told apart")
    order = ORDER if name == "autocast" else ()
    named = [one if "=" in one or not order else f"{order[place]}={one}" for place, one in enumerate(site.arguments)]
    return _call(callee, [_device(site), *named])


def _device(site: Site) -> str:
    return f'"{site.target.name}"'


def _call(callee: str, arguments: Iterable[str]) -> Change:
    return Change(after=f"{callee}({', '.join(arguments)})")
