"""alignbot: finds PyTorch's CUDA kernel faults that Intel's XPU kernels still have."""

__version__ = "0.1.0"
