"""Scans windows of 1,000, 4,000 and 12,000 items and says how much memory and time each took: a month must fit.

Each window is an archive that is scanned by a process of its own, from its lines to the written report. The items
have bodies of 4 kB; some share a chain, one in fifty is a candidate without a script. Run from the top of a checkout:
    python -m tests.benchmarks.window_memory [ITEMS ...]
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bot.edges.archive import Archive
from bot.edges.outputs import write_all
from bot.pipeline import scan
from bot.stages.report import files_of, report_facts
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line

SIZES = (1_000, 4_000, 12_000)
BODY = 4_000
TITLES = (
    "[inductor] a graph with {} nodes is compiled twice",
    "DISABLED test_conv_{} (__main__.TestNN)",
    "[docs] say what argument {} does",
    "[c10d] rank {} waits for ever",
    "Question: how do I use stream {}?",
)
CANDIDATE = "[CUDA] grid_sampler_2d_backward gives a wrong result, case {}"


def write(path: Path, count: int) -> None:
    """An archive of made items."""
    filler = "The quick brown fox runs on a graphics card that has no name. " * (BODY // 62)
    with path.open("w", encoding="utf-8") as lines:
        for number in range(1, count + 1):
            title = CANDIDATE if number % 50 == 0 else TITLES[number % len(TITLES)]
            pull = number % 3 == 0
            item = {
                "repo": "pytorch/pytorch",
                "number": number,
                "kind": "pull" if pull else "issue",
                "title": title.format(number),
                "body": f"{f'Fixes #{number - 1}. ' if pull else ''}{filler}",
                "labels": ["module: cuda", "triaged"],
                "author": f"person{number % 500}",
                "created_at": "2026-11-11T12:00:00Z",
                "updated_at": "2026-11-11T18:00:00Z",
                "url": f"https://github.com/pytorch/pytorch/{'pull' if pull else 'issues'}/{number}",
            }
            lines.write(json.dumps(item) + "\n")


def measure(path: Path) -> None:
    """Scan in this process and print what it took, as JSON."""
    began, folder = time.monotonic(), path.parent
    store = open_store(folder)
    line = recorded_line(store, folder)
    done = scan(Archive(path, WINDOW), WINDOW, line, Silent())
    facts = report_facts(done)
    write_all(folder / "out", files_of(facts, done.cases, line.templates))
    store.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({**facts["counts"], "peak_mb": peak, "seconds": time.monotonic() - began}))


def main(sizes: list[int]) -> None:
    print(f"{'items':>8}{'cases':>8}{'candidates':>12}{'peak':>9}{'time':>9}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "items.jsonl"
            write(path, size)
            command = [sys.executable, "-m", "tests.benchmarks.window_memory", "--measure", str(path)]
            done = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        print(
            f"{done['items']:8d}{done['cases']:8d}{done['candidates']:12d}"
            f"{done['peak_mb']:6.0f} MB{done['seconds']:7.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]))
    else:
        main([int(size) for size in sys.argv[1:]] or list(SIZES))
