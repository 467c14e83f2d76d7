import pytest
import torch

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no cuda"))]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("device", DEVICES)
def test_logsumexp_of_infinities(device, dtype):
    x = torch.full((3, 2), float("-inf"), dtype=dtype, device=device)
    assert torch.logsumexp(x, 0).eq(float("-inf")).all()
    if device.startswith("cuda"):
        torch.cuda.synchronize()
# output
import pytest
import torch

DEVICES = ["cpu", pytest.param("xpu", marks=pytest.mark.skipif(not torch.xpu.is_available(), reason="no cuda"))]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("device", DEVICES)
def test_logsumexp_of_infinities(device, dtype):
    x = torch.full((3, 2), float("-inf"), dtype=dtype, device=device)
    assert torch.logsumexp(x, 0).eq(float("-inf")).all()
    if device.startswith("xpu"):
        torch.xpu.synchronize()
