"""What the script runs on: the device and the build, as they say themselves."""

import platform
from pathlib import Path
from typing import Any

import torch

from . import build


def simulated(simulate: dict[str, Any], device: str) -> dict[str, Any]:
    """Put a simulated device in place; the fields of the environment that tell of it, empty where there can be none."""
    if device.partition(":")[0] != "xpu":
        return {}
    from .simulated import install

    install(simulate, f"simulated XPU ({_cpu_name()})")
    return {"simulated": True, "fault_plan": simulate.get("digest", "unnamed")}


def missing_device(device: str) -> str | None:
    """Why a device can't be used here, or None when it can."""
    kind = device.partition(":")[0]
    module = getattr(torch, kind, None)
    if module is None or not hasattr(module, "is_available"):
        return f"torch {torch.__version__} knows no device '{kind}'"
    if not module.is_available():
        return f"torch {torch.__version__} finds no {kind} device on this machine"
    return None


def device_facts(device: str) -> dict[str, Any]:
    """`type` and `name` of the device under test."""
    kind = device.partition(":")[0]
    return {"type": kind, "name": _device_name(kind)}


def _device_name(kind: str) -> str | None:
    if kind == "cpu":
        return _cpu_name()
    named = getattr(getattr(torch, kind), "get_device_name", None)
    return str(named()) if named else None


def _cpu_name() -> str | None:
    """The processor's model name as the kernel gives it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        field, _, content = line.partition(":")
        if field.strip() == "model name" and content.strip():
            return content.strip()
    return platform.machine() or None


def environment(device: str) -> dict[str, Any]:
    """The build and what it stands on, see `build`."""
    return build.environment(device, _device_name(device.partition(":")[0]))


def probe(device: str) -> str | None:
    """Why the device can't be trusted now, or None: a copy there and back, and a product whose result is known."""
    numbers = torch.arange(64, dtype=torch.float32).reshape(8, 8)
    there = numbers.to(device)
    if not torch.equal(there.to("cpu"), numbers):
        return f"what is copied to {device} and back is not what it was"
    if not torch.equal((there @ there.t()).to("cpu"), numbers @ numbers.t()):
        return f"a product of small whole numbers is wrong on {device}"
    return None
