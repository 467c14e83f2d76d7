"""Scripts on the simulated device, in plain processes."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.harness.conftest import Observed, alone, observe

HERE = Path(__file__).parent
PATTERN = r"The operator '(?P<op>[\w:.]+) on the XPU backend is falling back to run on the CPU"

Simulated = Callable[..., Observed]


def simulated(script: str, folder: Path, *faults: dict[str, object], **job: object) -> Observed:
    """Run a script on a simulated XPU with these faults, under the harness."""
    plan = {"faults": list(faults), "digest": "0123"}
    return observe(script, folder, device="xpu", dispatch_key="XPU", simulate=plan, fallback_pattern=PATTERN, **job)


def on_cpu(script: str, folder: Path) -> str:
    """What the same script prints on the CPU, without any harness."""
    ended = alone(script.replace("torch.xpu", "torch.cpu").replace("xpu", "cpu"), folder)
    assert ended.exit_code == 0, ended.stderr
    return ended.stdout.decode()


def cases() -> dict[str, str]:
    """The corpus: name -> script."""
    return {path.name.partition(".")[0]: path.read_text("utf-8") for path in sorted((HERE / "cases").glob("*.py.txt"))}


def without_device(printed: str) -> str:
    """What was printed, without the device's name and without line breaks, which depend on it."""
    printed = re.sub(r",\s+device='xpu:0'", "", printed)
    return re.sub(r"\s+", " ", printed.replace("xpu:0", "cpu").replace("xpu", "cpu")).strip()
