"""`assert "CUDA error" in str(error)`, `match="cuDNN"`: a text of the source device that another is compared with."""

import re

from bot.model import Around, Site, SiteKind, Stays

SPEAKS = {
    "cuda": re.compile(
        r"(?<![a-z])(?:cuda|cudnn|cublas|cusolver|cusparse|cufft|nvrtc|nccl|nvidia|rocm|rocblas|miopen|(?:hip|hip(?:blas|error))(?![a-z]))",
        re.IGNORECASE,
    ),
    "mps": re.compile(r"(?<![a-z])(?:mps|metal)(?![a-z])", re.IGNORECASE),
}  # fmt: skip
LABEL = re.compile(r"[\w.:/+-]*")


def rule(site: Site) -> Stays | None:
    """Told: the target words its errors otherwise. A label in small letters may be the script's own."""
    if site.kind not in (SiteKind.STRING, SiteKind.FORMAT) or Around.CHECKED not in site.around:
        return None
    for source in site.sources:
        for match in SPEAKS[source].finditer(site.value):
            label = LABEL.fullmatch(site.value) and not re.search("[A-Z]", site.value[match.start() : match.end() + 1])
            if not label:
                return Stays(why=f"it is a text of another device that a text is compared with: {match[0]}")
    return None
