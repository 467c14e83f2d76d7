"""A fault inside a vendor's library, allocator or toolchain can't stay behind in XPU's kernels."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, code_files, in_body, in_file, in_title, words

VENDOR = words(
    r"cuDNN\w*", r"MIOpen\w*", r"cuBLAS\w*", r"hipBLAS\w*", r"rocBLAS", r"cuSOLVER\w*", r"cuSPARSE\w*", r"cuFFT\w*",
    r"hipFFT", r"NVRTC", r"jiterator", r"TunableOp\w*", r"CUTLASS", r"MAGMA", r"CUDA graphs?", r"cudagraphs?", r"NVML",
    r"caching allocator", r"memory fragmentation", r"out of memory", r"OOM", r"CUPTI", r"composable_kernel", r"AOTriton",
    r"cudaMalloc\w*", r"kineto", r"PTX", r"nvcc", r"flash[- _]?attention", r"xformers", r"driver",
)  # fmt: skip
LABELS = ("module: cudnn", "module: cublas", "module: miopen", "module: cuda graphs", "module: CUDACachingAllocator",
          "module: jiterator", "module: memory usage", "module: xla", "module: vulkan")  # fmt: skip
OTHER_DEVICE = re.compile(r"\[(?:MPS|XLA|HPU|Vulkan|privateuse1|OpenReg|MTIA|Metal)\b[^]]*\]|\b(?:MPS|Metal|Vulkan)\b")
OTHER_LABELS = ("module: mps", "module: xla", "module: vulkan", "module: mtia", "module: PrivateUse1")
GPU = words(r"CUDA", r"ROCm", r"HIP", r"XPU")


def rule(item: Item) -> Iterable[Claim]:
    """Another device's tag is a veto; a vendor's library in title, label or path is strong."""
    other = in_title(item, OTHER_DEVICE) or among_labels(item, OTHER_LABELS)
    if other and not in_title(item, GPU):
        yield Claim(
            why="it concerns another device", item_class=ItemClass.PLATFORM_EXCLUSIVE, veto=True, weight=4, span=other
        )
    touched = next((path for path in code_files(item) if re.search(r"cudnn|miopen|/mps/|/metal/|mkldnn", path)), None)
    for why, span, weight in (
        ("the title names a vendor's library or runtime", in_title(item, VENDOR), 3.5),
        ("a label names a vendor's library or runtime", among_labels(item, LABELS), 3.0),
        ("a vendor's files are changed", in_file(touched), 2.5),
        ("the text names a vendor's library or runtime", in_body(item, VENDOR), 1.0),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.PLATFORM_EXCLUSIVE, weight=weight, span=span)
