"""A fault inside a vendor's library, allocator or toolchain can't stay behind in XPU's kernels."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, code_files, in_file

NAMED = Phrases(
    "cudnn*", "miopen*", "cublas*", "hipblas*", "rocblas*", "cusolver*", "cusparse*", "cufft*", "hipfft*", "nvrtc", "jiterator", "tunableop*", "cutlass*", "magma", "cuda graph*",
    "cudagraph*", "nvml", "caching allocator", "cudacachingallocator", "memory fragmentation", "out of memory", "oom", "cupti", "composable_kernel", "aotriton", "cudamalloc*", "kineto",
    "ptx", "nvcc", "flash attention*", "flash_attention*", "flashattention*", "xformers", "driver", "expandable_segments", "alloc_conf", "pytorch_alloc_conf", "pytorch_cuda_alloc_conf",
    "mem efficient", "memory efficient", "efficient attention", "scaled_dot_product_attention", "sdpa", "nvjitlink", "scaled_mm", "_scaled_mm", "hipblaslt", "cudart", "profiler",
    "pinned memory", "pin_memory", "multiheadattention", "ck", "fbgemm", "cudnn_status*", "nvtx", "allocator", "gemm", "hipsparse*", "rocm hip runtime", "matmul", "nvshmem",
)  # fmt: skip
LABELS = frozenset(("module: cudnn", "module: cublas", "module: miopen", "module: cuda graphs", "module: cudacachingallocator", "module: jiterator", "module: memory usage", "module: sdpa",
                    "module: cusolver", "module: magma", "module: linear algebra", "module: multi-headed-attention", "module: cusparse", "module: fft", "oncall: profiler",
                    "module: flash attention", "module: matrix multiplication"))  # fmt: skip
PROSE = Phrases("cudnn*", "miopen*", "cublas*", "hipblas*", "rocblas*", "cusolver*", "cusparse*", "cufft*", "nvrtc", "jiterator", "tunableop*", "cutlass*", "magma", "cuda graph*", "allocator", "aotriton",
                "flash attention", "efficient attention", "mem efficient", "toolchain", "driver", "gemm", "code objects", "ptx", "nvcc", "cub")  # fmt: skip
CODE = Phrases(
    "cudnn_status*", "cudnn_conv*", "cublas*", "cudnn_batch_norm*", "cudnn v8", "miopen*", "cudnn enabled true",
    "libcudnn*", "libcublas*", "cusolver*", "hipblaslt*",
)  # fmt: skip
PATHS = (
    "cudnn", "miopen", "mkldnn", "flash_attn", "CUDABlas", "CUDACachingAllocator", "cutlass", "hipblas", "magma",
    "CUDAGraph", "jiterator", "tunable",
)  # fmt: skip
SIGNALS = Signals(
    ItemClass.PLATFORM_EXCLUSIVE,
    Signal("title", NAMED, 3.5, "the title names a vendor's library or runtime"),
    Signal("labels", LABELS, 3.0, "a label names a vendor's library or runtime"),
    Signal("lead", PROSE, 2.0, "the text names a vendor's library or runtime"),
    Signal("code", CODE, 1.0, "a log names a vendor's library or runtime"),
)


def rule(item: Item) -> Iterable[Claim]:
    """A library in title, label or path is strong; in the text a hint, for reporters guess."""
    yield from SIGNALS.claims(item)
    touched = in_file(next((path for path in code_files(item) if any(part in path for part in PATHS)), None))
    if touched:
        yield claim("a vendor's files are changed", ItemClass.PLATFORM_EXCLUSIVE, 2.5, touched)
