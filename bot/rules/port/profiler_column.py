"""`sort_by="cuda_time_total"`, `event.self_cuda_time_total`: the profiler's columns."""

import re

from bot.model import Change, Site, SiteKind

COLUMN = re.compile(r"(?P<own>self_)?cuda_(?P<what>time|time_total|memory_usage)")


def rule(site: Site) -> Change | None:
    """They are called after no device nowadays."""
    if site.kind not in (SiteKind.STRING, SiteKind.MEMBER) or "cuda" not in site.sources:
        return None
    match = COLUMN.fullmatch(site.value)
    if match is None:
        return None
    return Change(after=site.text.replace(site.value, f"{match['own'] or ''}device_{match['what']}"))
