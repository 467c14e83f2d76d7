"""Names of a device's kernels out of what a profiler tells."""

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from bot.harness.kernels import MOST, kernels_of, names_on_device  # noqa: E402

pytestmark = pytest.mark.torch
CPU, XPU = torch.autograd.DeviceType.CPU, torch.autograd.DeviceType.XPU


def event(name: str, device: object = XPU) -> SimpleNamespace:
    """What the profiler calls an event, as far as it is read."""
    return SimpleNamespace(name=name, device_type=device)


def test_only_the_device_s_kernels_are_named() -> None:
    """Each once, in order; operators on the CPU, copies and fills are none."""
    events = [event("aten::add", CPU), event("AddKernel"), event("Memcpy DtoH"), event("memset"), event("AddKernel")]
    assert names_on_device([*events, event("SumKernel")]) == ["AddKernel", "SumKernel"]
    assert len(names_on_device(event(f"Kernel{n}") for n in range(99))) == MOST


@pytest.mark.parametrize("device", ["cpu", "xpu", "meta"])
def test_where_no_profiler_tells_there_is_none(device: str) -> None:
    """On a machine without that device the call is not even made."""
    if device == "xpu" and torch.xpu.is_available():
        pytest.skip("there is an XPU here")
    made: list[int] = []
    assert kernels_of(lambda: made.append(1), device) == []
    assert made == []
