"""How a GPU is named: words that several rules listen to."""

from bot.rules.phrases import Phrases

GPU = Phrases(
    "cuda", "gpu", "gpus", "rocm", "hip", "amd", "thc", "thcunn", "nvidia", "blockidx*", "warp*", "cuda_*", "gpu_*"
)
GPU_LABELS = frozenset(
    ("module: cuda", "module: rocm", "module: sanitizers", "release notes: cuda", "release notes: rocm")
)
