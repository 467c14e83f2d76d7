"""`torch.cuda.FloatTensor(2, 3)`, `x.type(torch.cuda.HalfTensor)`: types that carry their device in the name."""

import re

from bot.model import Around, Change, Site, SiteKind, Stays
from bot.rules.renames import spelled

DTYPES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8", "Char": "int8",
    "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip
TYPE = re.compile(r"(?P<open>[\"']?)(?P<root>\w+)\.(?P<device>\w+)\.(?P<type>\w+)Tensor(?P=open)")
NAMED = re.compile(r"torch\.(?P<device>\w+)\.(?P<type>\w+)Tensor")


def rule(site: Site) -> Change | Stays | None:
    """A factory of the CPU's type and a move; a conversion becomes a move with a dtype; a type's name follows."""
    if site.kind in (SiteKind.STRING, SiteKind.ANNOTATION):
        return _text(site) if site.kind is SiteKind.STRING else _annotated(site)
    if site.kind is SiteKind.METHOD and site.value == "type" and len(site.arguments) == 1:
        match = _type(site)
        if match:
            root = "torch" if match["open"] else match["root"]
            return Change(after=f'.to("{site.target.name}", {root}.{DTYPES[match["type"]]})', whole=True)
    if site.kind is not SiteKind.CALL:
        return None
    if site.value == "torch.set_default_tensor_type" and len(site.arguments) == 1:
        return _default(site)
    match = NAMED.fullmatch(site.value)
    if match is None or match["device"] not in site.sources or match["type"] not in DTYPES:
        return None
    callee = spelled(site, f"torch.{match['type']}Tensor")
    return Change(after=f'{callee}({", ".join(site.arguments)}).to("{site.target.name}")') if callee else None


def _annotated(site: Site) -> Change | None:
    """Which device a tensor is on can't be said in an annotation any more."""
    match = NAMED.fullmatch(site.value)
    plain = spelled(site, "torch.Tensor") if match and match["device"] in site.sources else None
    return Change(after=plain) if plain else None


def _text(site: Site) -> Change | None:
    """`x.type()` answers with a text."""
    match = NAMED.fullmatch(site.value)
    if match is None or match["device"] not in site.sources or match["type"] not in DTYPES:
        return None
    device = f"{site.target.name}." if site.target.indexed else ""
    return Change(after=site.text.replace(site.value, f"torch.{device}{match['type']}Tensor"))


def _type(site: Site) -> re.Match[str] | None:
    """The one argument, as it was written, if it is such a type."""
    match = TYPE.search(site.text)
    ours = match is not None and match["device"] in site.sources and match["type"] in DTYPES
    return match if ours and site.text.count("ensor") <= 1 + site.text.count("_tensor_type") else None


def _default(site: Site) -> Change | Stays | None:
    """The default type says both the device and the dtype."""
    match = _type(site)
    if match is None:
        return None
    device = spelled(site, "torch.set_default_device")
    dtype = spelled(site, "torch.set_default_dtype")
    if device is None or dtype is None or site.module != "torch":
        return None
    if Around.TENSORS in site.around:
        return Stays(why="a default device is not that of tensors that are made by their type's name", whole=True)
    first = f'{device}("{site.target.name}")'
    return Change(after=f"({first}, {dtype}({site.root}.{DTYPES[match['type']]}))", whole=True)
