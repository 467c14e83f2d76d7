"""A fault seen in a CUDA or ROCm kernel is what XPU may have kept."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, code_files, in_body, in_file, in_title

TAG = re.compile(r"\[(?:CUDA|ROCm|HIP|GPU|AMD)\b[^]]*\]|\b(?:CUDA|GPUs?|ROCm|HIP)\b", re.IGNORECASE)
CODE = re.compile(r"""device\s*=\s*["']cuda|\.cuda\(|\.to\(["']cuda|torch\.device\(["']cuda""")
KERNEL = re.compile(r"aten/src/ATen/(?:native/)?(?:\w+/)*(?:cuda|hip)/[^/]+\.(?:cuh?|h|cpp)$")
CLAIM = ItemClass.CANDIDATE


def rule(item: Item) -> Iterable[Claim]:
    """Changed kernels weigh most, then the title, labels, and code that runs on a GPU."""
    kernel = next((path for path in code_files(item) if KERNEL.search(path)), None)
    for why, span, weight in (
        ("a GPU kernel is changed", in_file(kernel), 2.5),
        ("the title names a GPU", in_title(item, TAG), 1.5),
        ("a label names a GPU", among_labels(item, ("module: cuda", "module: rocm")), 1.5),
        ("a script runs on a GPU", in_body(item, CODE), 1.0),
        ("the text names a GPU", in_body(item, TAG), 0.75),
    ):
        if span:
            yield Claim(why=why, item_class=CLAIM, weight=weight, span=span)
