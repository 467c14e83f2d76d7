"""`patch("torch.cuda.is_available")`, `sys.modules["torch.cuda"]`: a name of torch in a string of its own."""

import re

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import known, of_source

DOTTED = re.compile(r"torch(?:\.\w+)+")
LEGACY = re.compile(r"torch\.\w+\.\w+Tensor")


def rule(site: Site) -> Change | Stays | None:
    """By the same tables as the name in the code."""
    if site.kind is not SiteKind.STRING or not DOTTED.fullmatch(site.value) or not of_source(site.value, site):
        return None
    if LEGACY.fullmatch(site.value):
        return None
    other = known(site.value, site)
    if other is None or site.value not in site.text:
        return Stays(why=f"{site.target.title} has no counterpart of {site.value}")
    return Change(after=site.text.replace(site.value, other))
