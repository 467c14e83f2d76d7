# /// reproducer
# operator = "grid_sample"
# kind = "benchmark"
# upstream = ["pytorch/pytorch#179756"]
# oracle = "No value is judged: a row is right where it is no slower than the reference by the factor given."
# dtypes = ["float32", "float16", "bfloat16"]
# min_torch = "2.6"
# ///
"""How long does grid_sample take, forward and backward, and is that slower than elsewhere or before?

Method: that of the upstream pull request. 10 calls to warm up, then 100 calls, the device idle before and after
each; the fastest and the slowest tenth are left out, the rest is averaged. `spread` is the distance between the
fastest and the slowest call that were kept. A row ends early when its seconds are spent, never before three calls;
of fewer than ten none is left out.

With `--against DEVICE` the same is measured there, with `--baseline FILE` compared with what `--save FILE` stored on a
device of the same name. A row says `no` where it is slower by more than the factor, `yes` where it is not, `unclear`
where it is slower by no more than the spread of either: one run can't tell then. `absent` rows are not offered.

Usage: python grid_sample_benchmark.py [--device D] [--against D | --baseline FILE] [--slower-than 1.5]
       [--save FILE] [--only backward float16 ...] [--seconds 10] [--quick]
Exit code: 0 no row is slower, 1 one is, 2 the question could not be asked, or is left open by an unclear row.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

try:
    import torch
except ImportError:
    print("torch is not installed", file=sys.stderr)
    raise SystemExit(2) from None

TITLE = "grid_sampler_2d, zeros, align_corners"
COLUMNS = f"{'dtype':<10} {'interp':<10} {'layout':<14} {'(N,C,H,W)':<24} {'way':<10}"
SHAPES = ((1, 32, 64, 64), (1, 16, 256, 256), (8, 64, 128, 128), (16, 128, 256, 256))
DTYPES = (torch.float32, torch.float16, torch.bfloat16)
INTERPS = {"bilinear": 0, "bicubic": 2}
FORMATS = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}


class Row(NamedTuple):
    """What is timed."""

    dtype: torch.dtype
    interp: str
    layout: str
    shape: tuple[int, ...]
    way: str

    @property
    def labels(self) -> tuple[str, ...]:
        """What it is called, in the table and in a file."""
        return (str(self.dtype).removeprefix("torch."), self.interp, self.layout, str(self.shape), self.way)


def rows(quick: bool) -> Iterator[Row]:
    """Every combination."""
    shapes = ((1, 2, 8, 8), (1, 4, 8, 8)) if quick else SHAPES
    yield from map(Row._make, itertools.product(DTYPES, INTERPS, FORMATS, shapes, ("forward", "backward")))


def prepared(row: Row, device: torch.device) -> Callable[[], object]:
    """The call, with its inputs on the device."""
    n, _, height, width = row.shape
    draw = torch.Generator().manual_seed(0)
    image = torch.randn(row.shape, generator=draw).to(device, row.dtype).to(memory_format=FORMATS[row.layout])
    grid = torch.randn(n, height, width, 2, generator=draw).to(device, row.dtype)
    how = (INTERPS[row.interp], 0, True)
    if row.way == "forward":
        return lambda: torch.grid_sampler_2d(image, grid, *how)
    grad = torch.randn_like(torch.grid_sampler_2d(image, grid, *how))
    return lambda: torch.ops.aten.grid_sampler_2d_backward(grad, image, grid, *how, [True, True])


# ---- the same in every benchmark -------------------------------------------------------------------------------------
def timed(work: Callable[[], object], device: torch.device, repeat: int, seconds: float) -> dict[str, float]:
    """Trimmed mean, spread (both in ms) and number of calls."""
    end = time.perf_counter() + seconds
    times: list[float] = []
    for number in range(-(repeat // 10), repeat):
        wait_for(device)
        began = time.perf_counter()
        work()
        wait_for(device)
        now = time.perf_counter()
        if number >= 0 or now > end:  # a warm-up that spends all the time is a time, too
            times.append((now - began) * 1000)
        if now > end and len(times) >= 3:
            break
    times.sort()
    tenth = len(times) // 10
    kept = times[tenth : len(times) - tenth]
    return {"ms": sum(kept) / len(kept), "spread": kept[-1] - kept[0], "count": len(times)}


def wait_for(device: torch.device) -> None:
    """Wait until the device is idle."""
    if device.type != "cpu":
        torch.accelerator.synchronize(device)


def answer(here: dict[str, float], there: dict[str, float], factor: float) -> str:
    """`no` where it is slower by more than the factor, `unclear` where the spread is as large as the difference."""
    if here["ms"] <= factor * there["ms"]:
        return "yes"
    return "unclear" if here["ms"] - there["ms"] <= max(here["spread"], there["spread"]) else "no"


def measured(row: Row, device: torch.device, options: argparse.Namespace) -> dict[str, float] | None:
    """Its times, or None where the device does not offer the call."""
    try:
        return timed(prepared(row, device), device, 10 if options.quick else 100, options.seconds)
    except torch.OutOfMemoryError:
        raise
    except RuntimeError:
        return None


def name_of(device: torch.device) -> str:
    """The device's own name; a CPU has only its architecture and number of threads."""
    named = getattr(getattr(torch, device.type, None), "get_device_name", None)
    return named(device) if named else f"{device.type} {platform.machine()}, {torch.get_num_threads()} threads"


def reference(options: argparse.Namespace, device: torch.device) -> Callable[[Row], dict[str, float] | None] | None:
    """Where the other time of a row comes from. Raises ValueError when it can't be compared."""
    if options.against:
        other = named_device(options.against)
        return lambda row: measured(row, other, options)
    if options.baseline is None:
        return None
    try:
        stored = json.loads(options.baseline.read_text("utf-8"))
        known = {tuple(one["labels"]): {name: float(one[name]) for name in ("ms", "spread")} for one in stored["rows"]}
        name, version = stored["device"], stored["torch"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{options.baseline} holds no baseline: {error!r}") from error
    if name != name_of(device):
        raise ValueError(f"{options.baseline} is of {name}, this is {name_of(device)}")
    if version != torch.__version__:
        print(f"baseline of torch {version}")
    return lambda row: known.get(row.labels)


def named_device(name: str) -> torch.device:
    """A device that is there. Raises ValueError."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).item()
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"no device '{name}' here: {str(error).strip().partition(chr(10))[0]}") from error
    return device


def report(options: argparse.Namespace) -> int:
    """Print the table, store it if asked to; the exit code."""
    device = named_device(options.device)
    chosen = [row for row in rows(options.quick) if set(options.only) <= set(row.labels)]
    other = reference(options, device)
    print(f"{TITLE}, {device}, torch {torch.__version__}")
    print(f"{COLUMNS} {'ms':>8} {'spread':>8}" + (f" {'other':>8} {'ratio':>6} fast enough" if other else ""))
    stored, answers = [], []
    for row in chosen:
        here, there = measured(row, device, options), other(row) if other else None
        line = f"{row.labels[0]:<10} {row.interp:<10} {row.layout:<14} {row.labels[3]:<24} {row.way:<10}"
        answers.append(answer(here, there, options.slower_than) if here and there else "absent")
        if here is not None:
            stored.append({"labels": row.labels, **here})
            line += f" {here['ms']:8.3f} {here['spread']:8.3f}"
            line += f" {there['ms']:8.3f} {here['ms'] / there['ms']:6.2f}" if there else ""
        print(f"{line} {answers[-1]}" if other or here is None else line, flush=True)
    if options.save:
        content = {"device": name_of(device), "torch": torch.__version__, "rows": stored}
        options.save.write_text(json.dumps(content, indent=1), "utf-8")
    slower, unclear = answers.count("no"), answers.count("unclear")
    print(f"{len(stored)} of {len(chosen)} rows timed" + (f", {slower} slower, {unclear} unclear" if other else ""))
    asked = stored and (not other or {"yes", "no"} & set(answers))
    return 1 if slower else 0 if asked and not unclear else 2


def main() -> int:
    """Read the options and report."""
    parser = argparse.ArgumentParser(description=TITLE)
    present = (kind for kind in ("xpu", "cuda") if hasattr(torch, kind) and getattr(torch, kind).is_available())
    parser.add_argument("--device", default=next(present, "cpu"), help="cpu, xpu, cuda, xpu:0 (default: %(default)s)")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--against", metavar="DEVICE", help="measure there, too")
    other.add_argument("--baseline", type=Path, metavar="FILE", help="what --save stored")
    parser.add_argument("--save", type=Path, metavar="FILE", help="store the times")
    parser.add_argument("--slower-than", type=float, default=1.5, metavar="FACTOR", help="default: %(default)s")
    parser.add_argument("--only", nargs="+", default=[], metavar="LABEL", help="rows that have all of these labels")
    parser.add_argument("--seconds", type=float, default=10.0, help="for one row (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="small shapes and few calls: to see that it runs")
    options = parser.parse_args()
    try:
        return report(options)
    except (ValueError, OSError, torch.OutOfMemoryError) as error:
        print(str(error).strip().partition("\n")[0], file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
