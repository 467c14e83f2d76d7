"""A simulated XPU for machines that have none: scripts that say "xpu" run as they are, computed on the CPU.

A fault plan makes operators go wrong, so that the whole line can be tried where no faulty device is at hand.
"""

from .placing import install

__all__ = ["install"]
