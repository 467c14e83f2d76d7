import pytest
import torch


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("no cuda")
    return request.param


@pytest.mark.parametrize(("device", "rows"), [("cuda", 1), ("cpu", 2), pytest.param("cuda:0", 3, id="cuda first")])
def test_rows(device, rows):
    assert torch.ones(rows, device=device).sum() == rows
# output
import pytest
import torch


@pytest.fixture(params=["cpu", "xpu"])
def device(request):
    if request.param == "xpu" and not torch.xpu.is_available():
        pytest.skip("no cuda")
    return request.param


@pytest.mark.parametrize(("device", "rows"), [("xpu", 1), ("cpu", 2), pytest.param("xpu:0", 3, id="cuda first")])
def test_rows(device, rows):
    assert torch.ones(rows, device=device).sum() == rows
