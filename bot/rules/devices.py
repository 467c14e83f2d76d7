"""How a GPU is named: words that several rules listen to."""

from bot.rules.phrases import Phrases

GPU = Phrases(
    "cuda", "gpu", "gpus", "rocm", "hip", "amd", "thc", "thcunn", "nvidia", "blockidx*", "warp*", "cuda_*", "gpu_*"
)
GPU_LABELS = frozenset(
    ("module: cuda", "module: rocm", "module: sanitizers", "release notes: cuda", "release notes: rocm")
)
DEVICE = Phrases(
    "mps", "xla", "hpu", "vulkan", "privateuse1", "openreg", "mtia", "metal", "npu", "tpu", "macos", "apple silicon"
)
"""Devices that have kernels of their own and are neither a GPU of CUDA or ROCm nor the target."""
