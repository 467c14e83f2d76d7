"""Switches of the source device's libraries: `torch.backends.cudnn.enabled = False` has no meaning on the target."""

import re

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import known

LIBRARIES = {
    "torch.backends.cudnn": "cuda", "torch.backends.miopen": "cuda", "torch.backends.cuda": "cuda", "torch.backends.mps": "mps",
}  # fmt: skip
"""Library -> the device that it is of."""
ASKED = re.compile(r"enabled\s*=\s*True|\A\s*True\s*\Z")
NAMES = {"cudnn": "cuDNN", "miopen": "MIOpen", "cuda": "CUDA", "mps": "Metal"}


def rule(site: Site) -> Change | Stays | None:
    """Set, it is dropped: off is what the target is anyway. Asked, or switched on by name, it stays and is told."""
    library = next((one for one in LIBRARIES if f"{site.value}.".startswith(f"{one}.")), None)
    if library is None or LIBRARIES[library] not in site.sources or known(site.value, site):
        return None
    title = NAMES[library.rpartition(".")[2]]
    on = any(map(ASKED.search, site.arguments)) and site.kind is not SiteKind.IMPORT
    if on and (site.value.endswith(".enabled") or site.value.endswith("cudnn.flags")):
        return Stays(why=f"it asks for {title} itself")
    if site.kind in (SiteKind.ATTRIBUTE, SiteKind.NAME, SiteKind.MODULE):
        return Stays(why=f"{site.value} is a switch of another device's library, {title}", harmless=True)
    flags = site.kind is SiteKind.CALL and site.value == "torch.backends.cudnn.flags"
    after = '__import__("contextlib").nullcontext()' if flags else "pass"
    return Change(after=after) if flags or site.kind is SiteKind.STATEMENT else None
