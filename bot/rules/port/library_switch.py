"""Switches of the source device's libraries: `torch.backends.cudnn.enabled = False` has no meaning on the target."""

import re

from bot.model import Change, Site, SiteKind, Stays

LIBRARIES = ("torch.backends.cudnn", "torch.backends.miopen", "torch.backends.cuda", "torch.backends.mps")
ASKED = re.compile(r"enabled\s*=\s*True|\A\s*True\s*\Z")
NAMES = {"cudnn": "cuDNN", "miopen": "MIOpen", "cuda": "CUDA", "mps": "Metal"}


def rule(site: Site) -> Change | Stays | None:
    """Set, it is dropped: off is what the target is anyway. Asked, or switched on by name, it stays and is told."""
    library = next((one for one in LIBRARIES if f"{site.value}.".startswith(f"{one}.")), None)
    if library is None or site.kind is SiteKind.IMPORT:
        return None
    title = NAMES[library.rpartition(".")[2]]
    on = any(map(ASKED.search, site.arguments))
    if on and (site.value.endswith(".enabled") or site.value.endswith("cudnn.flags")):
        return Stays(why=f"it asks for {title} itself")
    if site.kind is SiteKind.STATEMENT:
        return Change(after="pass")
    if site.kind is SiteKind.CALL and site.value == "torch.backends.cudnn.flags":
        return Change(after='__import__("contextlib").nullcontext()')
    if site.kind in (SiteKind.ATTRIBUTE, SiteKind.NAME):
        return Stays(why=f"{site.value} is a switch of another device's library, {title}", harmless=True)
    return None
