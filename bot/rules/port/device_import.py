"""`from torch.cuda import synchronize`, `import torch.cuda.amp as amp`: names of the source device that come in."""

from bot.model import Change, Site, SiteKind, Stays
from bot.rules.renames import known, of_source

ELSEWHERE = frozenset({"cupy", "cupyx", "pycuda", "pynvml", "tensorrt", "apex", "nvtx"})
"""Packages that work on the source device alone."""
SWITCHES = "torch.backends."
"""Modules of switches are in every build of torch."""


def rule(site: Site) -> Change | Stays | None:
    """Each name comes from its counterpart's module; one without a counterpart keeps the whole import as it is."""
    if site.kind is not SiteKind.IMPORT:
        return None
    names = [f"{site.value}.{one}" if site.value else one for one in (_parts(each)[0] for each in site.arguments)]
    why = next((why for name in names if (why := _obstacle(name, site))), None)
    if why:
        return Stays(why=why)
    others = [_counterpart(name, site) or name for name in names]
    if others == names:
        return None
    before = f"from {site.value} import"
    if site.value and site.text.startswith(before) and [_last(one) for one in others] == [_last(one) for one in names]:
        homes = {one.rpartition(".")[0] for one in others}
        if len(homes) == 1:  # the names are the same, and stay as they are listed
            return Change(after=site.text.replace(before, f"from {homes.pop()} import", 1))
    modules: dict[str, list[str]] = {}
    for other, each in zip(others, site.arguments, strict=True):
        module, last = (other.rpartition(".")[0], _last(other)) if site.value else ("", other)
        alias = _parts(each)[1]
        modules.setdefault(module, []).append(f"{last} as {alias}" if alias else last)
    return Change(after="; ".join(_statement(*one) for one in modules.items()))


def _obstacle(name: str, site: Site) -> str:
    """Why a name can't be imported on the target; empty where it can."""
    package = name.partition(".")[0]
    if package in ELSEWHERE or name.startswith("numba.cuda"):
        return f"{package} works on the source device alone"
    if name.endswith(".*"):
        return f"it imports all names of {site.value}" if of_source(site.value, site) else ""
    if _counterpart(name, site) is None:
        return f"it imports {name}, of which {site.target.title} has no counterpart"
    return ""


def _counterpart(name: str, site: Site) -> str | None:
    other = known(name, site) if of_source(name, site) else name
    return other or (name if name.startswith(SWITCHES) else None)


def _statement(module: str, names: list[str]) -> str:
    listed = ", ".join(dict.fromkeys(names))
    return f"from {module} import {listed}" if module else f"import {listed}"


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _parts(one: str) -> tuple[str, str]:
    """The name and its alias, if it has one."""
    name, _, alias = " ".join(one.split()).partition(" as ")
    return name, alias
