"""A simulated XPU for machines that have none: scripts that say "xpu" run as they are, computed on the CPU.

A fault plan makes operators go wrong, so that the whole line can be tried where no faulty device is at hand.
"""

from typing import Any

from .placing import install

__all__ = ["install"]

NAME = "simulated XPU"


def name(cpu: str | None) -> str:
    """`simulated XPU (CPU name)`: what every text about such a run shows."""
    return f"{NAME} ({cpu or 'CPU'})"


def facts(simulate: dict[str, Any], cpu: str | None) -> dict[str, Any]:
    """Fields of the environment that mark it: the device's name and the digest of the fault plan."""
    return {"simulated": True, "device_name": name(cpu), "fault_plan": simulate.get("digest") or "none"}
