"""What a launch costs: an interpreter alone against one in the sandbox, and a run that loads torch against a warm one.

Run from the top of a checkout: python tests/benchmarks/launch.py [--rounds N]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bot import targets
from bot.edges.executors.local import LocalExecutor
from bot.model import Job

SCRIPT = "import torch\ntorch.ones(2).sum()\n"
WARM = 8


def median_ms(work: Callable[[], object], rounds: int) -> float:
    """Milliseconds of the middle round."""
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1e3


def bare(script: str) -> None:
    """The same interpreter, as this user, without anything around it."""
    subprocess.run([sys.executable, "-I", "-u", "-c", script], check=True)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    python, target = Path(sys.executable), targets.load("cpu")
    local = LocalExecutor(python=python, target=target)
    job = Job(script=SCRIPT, device="cpu", repeats=1)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "observe.py").touch()
        empty = LocalExecutor(python=python, target=target, harness=Path(folder), package="json")
        nothing = Job(script="", device="cpu", repeats=1)
        empty.run(nothing)
        alone, sandboxed = median_ms(lambda: bare("pass"), rounds), median_ms(lambda: empty.run(nothing), rounds)
    loading = median_ms(lambda: bare(SCRIPT), rounds)
    cold = median_ms(lambda: local.run(job), rounds)
    warm = statistics.median(run.duration_s for run, _ in local.warm_runs(job, WARM)) * 1e3
    print(f"an interpreter alone        {alone:8.0f} ms")
    print(f"the same in the sandbox     {sandboxed:8.0f} ms   {sandboxed - alone:+.0f} ms a launch")
    print(f"a script that loads torch   {loading:8.0f} ms")
    print(f"the same, cold and watched  {cold:8.0f} ms   {cold / loading:.2f} of it")
    print(f"the same, warm and watched  {warm:8.0f} ms   {warm / loading:.2f} of it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
