"""Figures that a reader can make again: `make bench`. Machines differ, so each stands beside one of this machine."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bot import targets
from bot.model import Item, ItemKind
from bot.registry import rules
from bot.stages.classify import classify
from bot.stages.extract import extract_text
from bot.stages.port import port

ROUNDS = 7
LINES = 100


def best(work: Callable[[], object]) -> float:
    """Seconds of the quickest of ROUNDS: what the machine can do when nobody disturbs it."""
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def starting(*arguments: str) -> Callable[[], object]:
    """A process of this interpreter from start to end."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def startup() -> None:
    """The command line's door, beside the bare interpreter."""
    bare = best(starting("-c", "pass"))
    print(f"{'bare interpreter':<34}{bare * 1e3:9.0f} ms")
    for command in ("--help", "version"):
        taken = best(starting("-m", "bot", command))
        print(f"{f'alignbot {command}':<34}{taken * 1e3:9.0f} ms{taken / bare:9.1f} x bare")


def stages() -> None:
    """The pure stages on one core, on texts of the usual size."""
    script = Path(__file__).with_name("script.py.txt").read_text("utf-8")
    code = "\n".join((script * 10).splitlines()[:LINES]) + "\n"
    prose = "The gradient of the grid is wrong on CUDA for bfloat16, see `F.grid_sample`. " * 52
    body = f"{prose}\n```python\n{script}```\n"
    items = [
        Item(repo="a/b", number=n, kind=ItemKind.ISSUE, title="grid_sampler_2d wrong on CUDA", body=body)
        for n in range(1, 201)
    ]
    taken = best(lambda: classify(items, rules("classify"))) / len(items)
    print(f"{f'classify, {len(body) / 1000:.1f} kB a body':<34}{taken * 1e3:9.2f} ms{1 / taken:9.0f} items/s")
    taken = best(lambda: extract_text(body, rules("extract")))
    print(f"{'extract, the same':<34}{taken * 1e3:9.2f} ms")
    taken = best(lambda: port(code, targets.load("xpu"), rules("port")))
    print(f"{f'port, {LINES} lines':<34}{taken * 1e3:9.2f} ms")


if __name__ == "__main__":
    startup()
    stages()
