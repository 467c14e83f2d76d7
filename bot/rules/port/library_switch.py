"""Switches of the source device's libraries: `torch.backends.cudnn.enabled = False` has no meaning on the target."""

import re

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import known

LIBRARIES = {
    "torch.backends.cudnn": "cuda", "torch.backends.miopen": "cuda", "torch.backends.cuda": "cuda", "torch.backends.mps": "mps",
}  # fmt: skip
"""Library -> the device that it is of."""
ENABLED = re.compile(r"enabled\s*=\s*(?P<value>.*)", re.DOTALL)
KEYWORD = re.compile(r"\w+\s*=(?!=)")
OFF, ON = ("False", "0", "None"), ("True", "1")
NAMES = {"cudnn": "cuDNN", "miopen": "MIOpen", "cuda": "CUDA", "mps": "Metal"}


def rule(site: Site) -> Change | Stays | None:
    """Set, it is dropped: off is what the target is anyway. Asked, or switched on by name, it stays and is told."""
    library = next((one for one in LIBRARIES if f"{site.value}.".startswith(f"{one}.")), None)
    if library is None or LIBRARIES[library] not in site.sources or known(site.value, site):
        return None
    title = NAMES[library.rpartition(".")[2]]
    switched = site.value.endswith((".enabled", "cudnn.flags")) and site.kind in (SiteKind.STATEMENT, SiteKind.CALL)
    value = _enabled(site) if switched else "False"
    if value not in OFF:
        unseen = "" if value in ON else f" if {value} says so"
        return Stays(why=f"it asks for {title} itself{unseen}")
    if site.kind in (SiteKind.ATTRIBUTE, SiteKind.NAME, SiteKind.MODULE):
        return Stays(why=f"{site.value} is a switch of another device's library, {title}", harmless=True)
    flags = site.kind is SiteKind.CALL and site.value == "torch.backends.cudnn.flags"
    after = '__import__("contextlib").nullcontext()' if flags else "pass"
    return Change(after=after) if flags or site.kind is SiteKind.STATEMENT else None


def _enabled(site: Site) -> str:
    """To what the library's own switch is set; off is what `flags` takes where none is given."""
    if site.kind is SiteKind.STATEMENT:
        return (*site.arguments, "")[0].strip("()")
    named = [match["value"] for one in site.arguments if (match := ENABLED.fullmatch(one))]
    unseen = [one for one in site.arguments if one.startswith("*")]
    return (*named, *unseen, *(one for one in site.arguments[:1] if not KEYWORD.match(one)), "False")[0]
