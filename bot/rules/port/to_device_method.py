"""`x.cuda()` becomes `x.to(device)`: every tensor and module has `to`, the named method only its own device."""

import re
from collections.abc import Sequence

from bot.model import Around, Change, Site, SiteKind, Stays

KEYWORD = re.compile(r"(?P<name>\w+)\s*=(?!=)\s*(?P<value>.*)", re.DOTALL)
FIRST = ("device", "non_blocking")
"""The method's parameters in their order: `to` has another one at the second place."""
NAME = re.compile(r"\w+(?:\.\w+)*")
UNBOUND = ("torch.Tensor", "torch.nn.Module", "torch.nn.modules.module.Module")


def rule(site: Site) -> Change | Stays | None:
    """Further arguments are kept, by name; an index other than 0 asks for a second device."""
    owner, _, method = site.value.rpartition(".")
    if method not in site.sources:
        return None
    if site.kind is SiteKind.METHOD:
        # a storage takes the device by name alone
        return _moved(site, site.arguments, ".to(", "device=" if "storage" in site.callee.lower() else "")
    if site.kind is SiteKind.CALL and owner in UNBOUND and site.arguments and "=" not in site.arguments[0]:
        start = f"{site.callee.rpartition('.')[0]}.to({site.arguments[0]}, "
        return _moved(site, site.arguments[1:], start, "") if "." in site.callee else None
    return None


def _moved(site: Site, arguments: Sequence[str], start: str, by: str) -> Change | Stays:
    """`start` opens the call, `by` comes before the device."""
    named: dict[str, str] = {}
    for position, argument in enumerate(arguments):
        keyword = KEYWORD.match(argument)
        if argument.startswith("*") or (not keyword and position >= len(FIRST)):
            return Stays(why=f"the arguments of {site.value.rpartition('.')[2]} can't be told apart")
        named |= {keyword["name"]: keyword["value"]} if keyword else {FIRST[position]: argument}
    device = named.pop("device", "None")
    if re.fullmatch(r"[1-9]\d*", device):
        return Stays(why=f"it needs a second {site.target.title} device")
    if device in ("0", "None"):
        device = f'"{site.target.name}"'
    if Around.MAYBE_NONE in site.around:  # `to` then moves nothing, the method did
        if not NAME.fullmatch(device):
            return Stays(why=f"{device} may be None, which is no device for `to`")
        device = f'{device} if {device} is not None else "{site.target.name}"'
    further = [f"{name}={value}" for name, value in named.items()]
    return Change(after=f"{start}{by}{', '.join([device, *further])})")
