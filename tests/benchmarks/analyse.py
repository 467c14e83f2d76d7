"""How long reading a kernel tree takes, and how much memory: `python tests/benchmarks/analyse.py TREE [UPSTREAM]`.

Cold is without anything remembered, warm with everything, each as a person would call it: a process of its own.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
REPEATS = 3
OP = "grid_sampler_2d_backward"


def timed(arguments: list[str], state: str) -> tuple[float, int]:
    """Seconds on the wall, and findings."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "bot", "analyze", *arguments, "--json"],
        capture_output=True, text=True, cwd=ROOT, env=os.environ | {"ALIGNBOT_STATE": state, "PYTHONPATH": str(ROOT)},
        check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    return time.perf_counter() - started, len(json.loads(done.stdout))


def main() -> None:
    """Print the figures."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    arguments = ["--target-source", sys.argv[1], *(["--upstream-source", sys.argv[2]] if len(sys.argv) > 2 else [])]
    with tempfile.TemporaryDirectory() as state:
        seconds, found = timed(arguments, state)
        print(f"whole tree, cold   {seconds:6.2f} s   {found} findings")
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"  processor        {spent.ru_utime + spent.ru_stime:6.2f} s   on {len(os.sched_getaffinity(0))} cores")
        print(f"  largest process  {spent.ru_maxrss / 1024:6.0f} MB")
        for title, more in (("whole tree, warm", []), (f"{OP}, warm", ["--op", OP])):
            runs = [timed([*arguments, *more], state) for _ in range(REPEATS)]
            print(f"{title:40.40} {min(runs)[0]:6.2f} s (best of {REPEATS})   {runs[0][1]} findings")
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import typer, pydantic"], check=True)
    print(f"of that, Python, typer and pydantic alone {time.perf_counter() - started:6.2f} s")
    print("load", *os.getloadavg())


if __name__ == "__main__":
    main()
