"""`torch.get_autocast_gpu_dtype()`, `torch.is_autocast_enabled()`: functions that mean the source device by themselves."""

from bot.model import Change, Site, SiteKind
from bot.rules.renames import spelled

NAMED = {
    "torch.get_autocast_gpu_dtype": ("torch.get_autocast_dtype", 0),
    "torch.set_autocast_gpu_dtype": ("torch.set_autocast_dtype", 1),
    "torch.is_autocast_enabled": ("torch.is_autocast_enabled", 0),
    "torch.set_autocast_enabled": ("torch.set_autocast_enabled", 1),
}
"""Name -> what it is called where the device is its first argument, and how many arguments mean that it is not."""
USE = "use_cuda"


def rule(site: Site) -> Change | None:
    """The device is said."""
    if site.kind is not SiteKind.CALL or "cuda" not in site.sources:
        return None
    if site.value == "torch.autograd.profiler.profile":
        return _profile(site)
    other, count = NAMED.get(site.value, ("", 0))
    callee = spelled(site, other) if other and len(site.arguments) == count else None
    return Change(after=f"{callee}({', '.join([_device(site), *site.arguments])})") if callee else None


def _profile(site: Site) -> Change | None:
    """`use_cuda=True` is `use_device` nowadays."""
    given = [one.replace(" ", "") for one in site.arguments]
    if f"{USE}=True" not in given:
        return None
    use = "" if site.target.stands_in_for else f"use_device={_device(site)}"
    said = [use if one == f"{USE}=True" else old for one, old in zip(given, site.arguments, strict=True)]
    return Change(after=f"{site.callee}({', '.join(filter(None, said))})")


def _device(site: Site) -> str:
    return f'"{site.target.name}"'
