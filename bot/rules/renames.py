"""Renames: what a name of the source device is called on the target, and how a script spells it."""

import re

from bot.model import Site

VENDOR = re.compile(r"(?:^|[._])(?:cudnn|miopen|cublas|cusparse|cusolver|cufft|nccl|mkldnn_cuda|nvtx)(?:$|[._])")
"""Parts of torch that call a library of the source device's vendor."""

DEVICES = ("cuda", "mps")
INNER = frozenset({"event", "memory", "random", "streams"})
"""Modules of a runtime whose names the runtime has as well."""


def of_source(qualified: str, site: Site) -> bool:
    """Is a name of torch one of the source device?"""
    if not qualified.startswith("torch.") or _of_another(qualified, site):
        return False
    low = qualified.lower()
    named = any(source in re.split(r"[._]", low) for source in site.sources)
    vendor = "cuda" in site.sources and VENDOR.search(low) is not None
    return named or vendor or known(qualified, site) is not None


def known(qualified: str, site: Site) -> str | None:
    """The target's counterpart of a name, by the tables of its profile; None where there is none."""
    target = site.target
    names = qualified.split(".")
    if _of_another(qualified, site):
        return None
    for length in range(len(names), 1, -1):
        head = target.names.get(".".join(names[:length]))
        if head is not None:
            return ".".join([head, *names[length:]])
    if len(names) > 3 and names[2] in INNER:
        names.pop(2)
    if names[1] in site.sources and names[0] == "torch" and len(names) > 2:
        head = target.runtime.get(names[2])
        return ".".join([head, *names[3:]]) if head else None
    return target.module if names[1:] in [[source] for source in site.sources] else None


def _of_another(qualified: str, site: Site) -> bool:
    """Is it a name of a device whose arm stays as it is?"""
    parts = qualified.split(".")
    return any(one in parts for one in DEVICES if one not in site.sources)


def spelled(site: Site, qualified: str) -> str | None:
    """A qualified name under the name that the script has imported; None where that leads elsewhere."""
    if site.module == "torch":
        return f"{site.root}{qualified.removeprefix('torch')}"
    module = known(site.module, site) or site.module
    if not f"{qualified}.".startswith(f"{module}."):
        return None
    same = site.module.rpartition(".")[2] == site.root
    return f"{module.rpartition('.')[2] if same else site.root}{qualified.removeprefix(module)}"
