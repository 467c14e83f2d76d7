"""What it costs to be watched: the same work alone and under the shadow oracle, medians and their ratio.

Run from the top of a checkout: python tests/benchmarks/overhead.py
"""

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from bot.harness.shadow import Shadow

JOB: dict[str, Any] = {"device": "cpu", "dispatch_key": "CPU", "name": "overhead", "check_seconds": 3600}
ROUNDS = 15


class Nowhere:
    """Takes events and keeps none."""

    def emit(self, event: str, **fields: Any) -> None:
        """Nothing."""


def small() -> None:
    """The least that a call can be."""
    torch.add(SMALL, SMALL)


def step() -> None:
    """One step of a small network in bfloat16, forward, backward and optimiser."""
    loss = MODEL(INPUT).square().mean()
    loss.backward()
    OPTIMISER.step()
    OPTIMISER.zero_grad()


def product() -> None:
    """A product that is mostly arithmetic."""
    torch.mm(SQUARE, SQUARE)


torch.manual_seed(0)
torch.set_num_threads(1)
SMALL, SQUARE = torch.ones(4), torch.randn(1024, 1024)
MODEL = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 64)).to(torch.bfloat16)
INPUT = torch.randn(64, 256, dtype=torch.bfloat16)
OPTIMISER = torch.optim.SGD(MODEL.parameters(), lr=1e-6)


def median_ms(work: Callable[[], None]) -> float:
    """Milliseconds of the middle round; the first two don't count."""
    taken = []
    for _ in range(ROUNDS + 2):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken[2:]) * 1e3


def main() -> int:
    """Print the table."""
    print(f"{'':28}{'alone':>10}{'watched':>10}{'ratio':>8}")
    for name, work in (
        ("add of 4 numbers", small),
        ("step of a small network", step),
        ("product 1024 x 1024", product),
    ):
        alone = median_ms(work)
        with Shadow(JOB, Nowhere()):
            watched = median_ms(work)
        print(f"{name:28}{alone:7.3f} ms{watched:7.3f} ms{watched / alone:8.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
