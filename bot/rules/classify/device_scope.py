"""A fault seen in a CUDA or ROCm kernel is what XPU may have kept."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.devices import GPU, GPU_LABELS
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, code_files, in_file

KERNEL_NAMED = Phrases("kernel", "kernels", "cuh", "cu", "blockidx", "threadidx", "warp*", "atomicadd", "shared memory", "gpu_kernel", "__shared__", "__global__",
                       "grid limit*", "launch*", "thread block*", "sub group*", "functor*")  # fmt: skip
CODE = Phrases("device cuda", "cuda", "to cuda", "device gpu")
LOG = Phrases("compute sanitizer", "illegal memory access", "device side assert*", "invalid configuration argument", "cuda error", "invalid __global__ read|write|atomic",
              "invalid __shared__ read|write", "an illegal memory access was encountered", "cuda_launch_blocking", "hip error")  # fmt: skip
KERNEL = re.compile(r"aten/src/(?:ATen/(?:native/)?(?:\w+/)*(?:cuda|hip)/|THC/|THCUNN/)[^/]+\.(?:cuh?|hip|h|cpp)$")
EACH_BUILDS = re.compile(r"aten/src/ATen/native/[A-Z]\w+\.(?:h|cpp)$")
OPERATOR_LABELS = frozenset((
    "module: reductions", "module: sorting and selection", "module: scatter & gather ops", "module: pooling", "module: embedding",
    "module: norms and normalization", "module: loss", "module: interpolation", "module: convolution", "module: padding",
    "topic: advanced indexing", "module: advanced indexing", "module: operators", "module: nn", "module: edge cases", "module: empty tensor", "topic: memory format",
    "module: memory format", "module: 64-bit", "module: int overflow", "module: sanitizers", "topic: fuzzer", "module: special", "module: distributions",
    "module: indexing", "module: unary", "module: activation", "module: mta", "module: trigonometry",
))  # fmt: skip
SIGNALS = Signals(
    ItemClass.CANDIDATE,
    Signal("tags", GPU, 0.5, "the title carries a GPU's tag"),
    Signal("title", GPU, 1.75, "the title names a GPU"),
    Signal("title", KERNEL_NAMED, 0.75, "the title names a kernel"),
    Signal("lead", KERNEL_NAMED, 0.75, "the text names a kernel"),
    Signal("labels", GPU_LABELS, 1.5, "a label names a GPU"),
    Signal("labels", OPERATOR_LABELS, 0.75, "a label names a family of operators"),
    Signal("code", CODE, 0.75, "a script runs on a GPU"),
    Signal("code", LOG, 1.0, "a log shows a fault on a GPU"),
    Signal("lead", GPU, 0.75, "the text names a GPU"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Changed kernels weigh most, then the title, labels, and code that runs on a GPU."""
    yield from SIGNALS.claims(item)
    paths = list(code_files(item))
    kernel = in_file(next((path for path in paths if KERNEL.search(path)), None))
    host = in_file(next((path for path in paths if EACH_BUILDS.search(path)), None))
    if kernel:
        yield claim("a GPU kernel is changed", ItemClass.CANDIDATE, 2.5, kernel)
    if host:
        yield claim("an operator's host code is changed", ItemClass.CANDIDATE, 1.0, host)
