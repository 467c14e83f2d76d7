"""Scripts on the simulated device, in plain processes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.conftest import NAME, Observed, alone, observe

HERE = Path(__file__).parent
PATTERN = r"The operator '(?P<op>[\w:.]+) on the XPU backend is falling back to run on the CPU"

Simulated = Callable[..., Observed]


def simulated(script: str, folder: Path, *faults: dict[str, object], **job: object) -> Observed:
    """Run a script on a simulated XPU with these faults, under the harness."""
    return observe(
        script,
        folder,
        device="xpu",
        dispatch_key="XPU",
        simulate={"faults": list(faults), "digest": "none"},
        fallback_pattern=PATTERN,
        **job,
    )


def on_cpu(script: str, folder: Path) -> str:
    """What the same script prints on the CPU, without any harness."""
    ended = alone(script.replace("torch.xpu", "torch.cpu").replace("xpu", "cpu"), folder)
    assert ended.exit_code == 0, ended.stderr
    return ended.stdout.decode()


def cases() -> list[str]:
    """The corpus, by name."""
    return sorted(path.stem for path in (HERE / "cases").glob("*.py"))


__all__ = ["NAME", "PATTERN", "cases", "on_cpu", "pytest", "simulated"]
