"""A fault of the CPU's kernels alone has no counterpart on a GPU."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass, Span
from bot.rules.spans import among_labels, code_files, in_body, in_file, in_title, words

CPU = re.compile(
    r"\[CPU\]|\bon (?:the )?CPU\b|\bCPU[- ]only\b|^\s*CPU\b|\bMKL(?:-?DNN)?\b|\boneDNN\b|\bAVX\w*", re.IGNORECASE
)
GPU = re.compile(r"\b(?:CUDA|GPUs?|ROCm|HIP)\b|\.cuda\(|[\"']cuda", re.IGNORECASE)
PATHS = ("aten/src/ATen/native/cpu/", "aten/src/ATen/native/mkldnn/", "aten/src/ATen/cpu/")
SANITIZER = words(r"heap-buffer-overflow", r"AddressSanitizer", r"segmentation fault", r"segfaults?")


def rule(item: Item) -> Iterable[Claim]:
    """Only where no GPU is named: a GPU report often quotes the CPU as the right answer."""
    if in_title(item, GPU) or among_labels(item, ("module: cuda", "module: rocm")):
        return
    paths = list(code_files(item))
    if paths and all(path.startswith(PATHS) for path in paths):
        yield _claim("only CPU kernels are changed", in_file(paths[0]), 4.0)
    elsewhere = in_body(item, GPU) is None
    for why, span, weight in (
        ("the title names the CPU", in_title(item, CPU), 3.0 if elsewhere else 1.5),
        ("a label names the CPU", among_labels(item, ("module: cpu", "module: mkldnn", "module: intel")), 2.0),
        ("a crash without a word of a GPU", in_body(item, SANITIZER) if elsewhere else None, 2.0),
    ):
        if span:
            yield _claim(why, span, weight)


def _claim(why: str, span: Span | None, weight: float) -> Claim:
    return Claim(why=why, item_class=ItemClass.CPU_ONLY, weight=weight, span=span)
