"""Runs PyTorch's own operator samples under the shadow oracle and counts what it says.

Almost every finding on these small samples is either a fault of a CPU kernel or a false alarm of the oracle, so the
figures say how far to trust it. On the simulated device without faults (`--simulate`) errors, forms and devices are
judged too, and every finding of those is a false alarm of the oracle or a fault of the simulation. Each
operator runs in a process of its own with a deadline, one at a time.

Needs `pip install expecttest` (torch's test library imports it). Run from the top of a checkout:
    python tests/benchmarks/opinfo_sweep.py --ops REGEX --dtypes bfloat16,float16,float32 --seconds N --json FILE
"""

import argparse
import json
import os
import re
import select
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch.utils._pytree import tree_flatten

from bot.harness import surroundings
from bot.harness.shadow import Shadow

JOB: dict[str, Any] = {"device": "cpu", "dispatch_key": "CPU", "name": "sweep", "check_seconds": 3600}
SIMULATED = JOB | {"device": "xpu", "dispatch_key": "XPU", "simulate": {"faults": [], "digest": "none"}}


class Collector:
    """Stands where the harness's channel is, and keeps what is told."""

    def __init__(self) -> None:
        self.divergences: list[dict[str, Any]] = []

    def emit(self, event: str, **fields: Any) -> None:
        """Keep divergences."""
        if event == "divergence":
            self.divergences.append(fields["divergence"])


def sweep_one(op: Any, dtype: torch.dtype, job: dict[str, Any]) -> dict[str, Any]:
    """Counts and findings of one operator in one dtype, forward and backward over all its samples."""
    collector = Collector()
    shadow = Shadow(job, collector)
    samples, errors = 0, []
    backward = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")
    torch.manual_seed(0)
    for sample in op.sample_inputs(job["device"], dtype, requires_grad=backward):
        samples += 1
        try:
            with shadow:
                outputs = op(sample.input, *sample.args, **sample.kwargs)
                if backward:
                    _backward(outputs, sample)
        except Exception as error:  # noqa: BLE001  samples that a device refuses are counted, not judged
            errors.append(f"{type(error).__name__}: {error}"[:200])
    account = shadow.account()
    calls = sum(one["count"] for one in account["ops"])
    repeated = account["unchecked"].pop("divergence like one told", 0)
    return {
        "opinfo": op.formatted_name,
        "dtype": str(dtype).removeprefix("torch."),
        "samples": samples,
        "errors": errors,
        "calls": calls,
        "checked": account["checked"],
        "unchecked": account["unchecked"],
        "repeated": repeated,
        "divergences": collector.divergences,
    }


def _backward(outputs: Any, sample: Any) -> None:
    """Gradients for every input that asks for one, from random gradients of the outputs."""
    made = [leaf for leaf in tree_flatten(outputs)[0] if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    given = tree_flatten((sample.input, sample.args, sample.kwargs))[0]
    wanted = [leaf for leaf in given if isinstance(leaf, torch.Tensor) and leaf.requires_grad]
    if made and wanted:
        torch.autograd.grad(made, wanted, [torch.randn_like(one) for one in made], allow_unused=True)


def in_child(op: Any, dtypes: list[torch.dtype], deadline_s: float, job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fork, sweep in the child, read a line for each dtype; a child past its deadline is ended."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        os.close(reader)
        _in_this_process(op, dtypes, writer, job)
    os.close(writer)
    until, buffer, done = time.monotonic() + deadline_s, b"", False
    while not done and select.select([reader], [], [], max(0.0, until - time.monotonic()))[0]:
        chunk = os.read(reader, 1 << 16)
        done = not chunk
        *lines, buffer = (buffer + chunk).split(b"\n")
        yield from (json.loads(line) for line in lines)
    os.close(reader)
    if not done:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if status:
        yield {"opinfo": op.formatted_name, "ended": "deadline" if not done else f"status {status}"}


def _in_this_process(op: Any, dtypes: list[torch.dtype], writer: int, job: dict[str, Any]) -> None:
    """Sweep and leave without the parent's endings."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    status = 1
    try:
        if "simulate" in job:
            surroundings.simulated(job["simulate"], job["device"])
        for dtype in dtypes:
            if dtype in op.supported_dtypes("cpu"):
                line = json.dumps(sweep_one(op, dtype, job)).encode() + b"\n"
                while line:
                    line = line[os.write(writer, line) :]
        status = 0
    finally:
        os._exit(status)


def summary(rows: list[dict[str, Any]]) -> str:
    """The figures, as text."""
    done = [row for row in rows if "ended" not in row]
    checked = sum(row["checked"] for row in done)
    unchecked: Counter[str] = Counter()
    findings: Counter[tuple[str, str, str]] = Counter()
    worst: dict[tuple[str, str, str], float] = {}
    for row in done:
        unchecked.update(row["unchecked"])
        for one in row["divergences"]:
            key = (one["op"], one["dtype"], one["kind"])
            findings[key] += 1
            worst[key] = max(worst.get(key, 0.0), one.get("ulps") or 0.0)
    total = sum(findings.values()) + sum(row["repeated"] for row in done)
    lines = [
        f"operators {len({row['opinfo'] for row in rows})}  (operator, dtype) pairs {len(done)}",
        f"samples {sum(row['samples'] for row in done)}  refused {sum(len(row['errors']) for row in done)}",
        f"calls {sum(row['calls'] for row in done)}  checked {checked}",
        *(f"  unchecked {count:8d}  {reason}" for reason, count in unchecked.most_common()),
        *(f"  not finished  {row['opinfo']}: {row['ended']}" for row in rows if "ended" in row),
        f"findings {total}, {total / max(checked, 1) * 10_000:.2f} in 10,000 checked calls",
        f"  {'told':>5} {'worst ulps':>12}  operator, dtype, kind",
        *(f"  {count:5d} {worst[key]:12.1f}  {' '.join(key)}" for key, count in findings.most_common()),
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", default="", help="regular expression, searched for in the operator's name")
    parser.add_argument("--dtypes", default="bfloat16,float16,float32")
    parser.add_argument("--seconds", type=float, default=600.0, help="no operator is started after this time")
    parser.add_argument("--deadline", type=float, default=20.0, help="seconds for one operator")
    parser.add_argument("--simulate", action="store_true", help="on the simulated device, without faults")
    parser.add_argument("--json", type=Path, help="file for the rows behind the figures")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    try:
        from torch.testing._internal.common_methods_invocations import op_db  # noqa: PLC0415
    except ImportError as error:
        print(f"{error}: type `pip install expecttest`", file=sys.stderr)
        return 2
    dtypes = [getattr(torch, name) for name in chosen.dtypes.split(",")]
    ops = [op for op in op_db if re.search(chosen.ops, op.formatted_name)]
    until, rows, left_out = time.monotonic() + chosen.seconds, [], 0
    for op in ops:
        if time.monotonic() > until:
            left_out += 1
            continue
        rows += in_child(op, dtypes, chosen.deadline, SIMULATED if chosen.simulate else JOB)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows), "utf-8")
    print(summary(rows))
    print(f"operators left out for lack of time: {left_out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
