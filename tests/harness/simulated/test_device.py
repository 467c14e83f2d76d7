"""What is said of the simulated device, and what it refuses: as a real one, or with a reason."""

from pathlib import Path

import pytest

from .conftest import simulated

pytestmark = pytest.mark.torch

CLAIMS = (Path(__file__).parent / "claims.py.txt").read_text("utf-8")
MIXED = "RuntimeError: Expected all tensors to be on the same device, but"
EXPECTED = {
    "names": "('xpu:0', True, False, False, False, 0, 'torch.xpu.FloatTensor')",
    "repr": "tensor([0., 1., 2.], device='xpu:0')",
    "type": "(\"<class 'torch.Tensor'>\", True, True)",
    "parameter": "Parameter containing:\ntensor([0., 1., 2.], device='xpu:0', requires_grad=True)",
    "same device is the same tensor": "True",
    "to the CPU": "(True, 'cpu', False)",
    "mixed": f"{MIXED} found at least two devices, xpu:0 and cpu!",
    "mixed product": f"{MIXED} got mat2 is on cpu, different from other tensors on xpu:0 "
    "(when checking argument in method wrapper_XPU_mm)",
    "mixed with a number": "accepted",
    "numpy": "TypeError: can't convert xpu:0 device type tensor to numpy. "
    "Use Tensor.cpu() to copy the tensor to host memory first.",
    "sparse": "NotImplementedError: the simulated XPU has dense tensors only, not torch.sparse_coo",
    "nested": "NotImplementedError: the simulated XPU has dense tensors only, not nested",
    "second device": "RuntimeError: device index 1 is out of range: the simulated XPU is the only one, xpu:0",
    "accelerator": "('xpu', True, 1)",
    "runtime": "(True, 1, 0, True)",
    "named": "True",
    "synchronise": "(None, None, None)",
    "gradient elsewhere": "RuntimeError: attempting to assign a gradient with device type 'cpu' to a tensor with "
    "device type 'xpu'. Please ensure that the gradient and the tensor are on the same device",
    "events": "(True, True)",
    "memory": "(4000, 0)",
    "autocast": "('torch.bfloat16', 'torch.bfloat16', 'torch.float32')",
    "autocast gradient": "torch.float32",
    "scaler": "(None, None)",
    "thread": "['xpu:0']",
    "pinned": "[True]",
    "seed": "True",
    "own sequence": "True",
    "compiled": "xpu:0",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the script of claims printed."""
    ended = simulated(CLAIMS, tmp_path_factory.mktemp("claims"))
    assert ended.exit_code == 0, ended.stderr
    return ended.stdout.decode()


@pytest.mark.parametrize("claim", EXPECTED)
def test_claim(claim: str, told: str) -> None:
    """The device says and refuses what a real one would."""
    assert f"\n{claim}: {EXPECTED[claim]}\n" in f"\n{told}"


def test_marked(tmp_path: Path) -> None:
    """The environment says that the device is simulated, by which plan, and on which processor."""
    (environment, end) = simulated("", tmp_path).events
    assert environment["device"]["simulated"] is True
    assert environment["device"]["name"].startswith("simulated XPU (")
    told = environment["environment"]
    assert (told["simulated"], told["fault_plan"]) == (True, "0123")
    assert told["device_name"] == environment["device"]["name"]
    assert end["exit_code"] == 0


def test_shadow_sees_the_device(tmp_path: Path) -> None:
    """Calls are booked on xpu:0 as native, compared, and written down with the device's own name."""
    script = "import torch\nx = torch.ones(3, device='xpu', dtype=torch.half)\nx.to('cpu')\ny = x + x.to(torch.float)\n"
    end = simulated(script, tmp_path).end
    added = next(one for one in end["ops"] if one["op"] == "add")
    assert added == {"op": "add", "dtype": "float16", "device": "xpu:0", "count": 1, "checked": 1, "native": True}
    assert {one["device"] for one in end["ops"]} == {"xpu:0"}


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_only_an_xpu(device: str, tmp_path: Path) -> None:
    """The harness itself simulates nothing but an xpu: it runs nothing then."""
    from tests.harness.conftest import observe  # noqa: PLC0415

    (first, *_) = observe("", tmp_path, device=device, simulate={"faults": []}).events
    assert first == {"event": "refused", "why": f"only an xpu can be simulated, not {device}"}
