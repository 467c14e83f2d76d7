"""A string that holds code: `Timer("x.cuda()")`, `exec("torch.cuda.synchronize()")`."""

import re

from bot.model import Site, SiteKind, Stays
from bot.syntax import parses

CODE = re.compile(r"torch\.(?P<module>[a-z]+)\.\w|\.(?P<method>[a-z]+)\(|device=[\"'](?P<device>[a-z]+)")


def rule(site: Site) -> Stays | None:
    """Told: what is in it runs on the source device."""
    if site.kind not in (SiteKind.STRING, SiteKind.FORMAT) or not set("(=") & set(site.value):
        return None
    if any(set(match.groups()) & set(site.sources) for match in CODE.finditer(site.value)) and parses(site.value):
        return Stays(why="it is a string that holds code")
    return None
