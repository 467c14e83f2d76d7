"""How many injected faults the observer finds: each kind in at least 30 operators of the simulated XPU.

    python -m tests.benchmarks.injected_faults [KIND…]

Found is what the kind must lead to: a divergence of the right kind, `native` false for a fallback, a process that dies
of SIGSEGV or hangs. Beside it stand the false alarms: divergences of operators that have no fault.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.harness.conftest import Observed
from tests.harness.simulated.conftest import simulated
from tests.harness.simulated.operators import CHECKS, FORKED, GENERAL, NARROW, calls_script

TIMES = 3
"""How often each call is made: some faults show only in a repeat."""


class Row(NamedTuple):
    """One kind of fault in one dtype."""

    kind: str
    dtype: str
    calls: dict[str, str]
    expected: str
    """Kind of the divergence; `native` and `ended` are told otherwise."""
    nan: bool = False


ROWS = (
    Row("narrow-accumulator", "float16", NARROW, "value"),
    Row("narrow-accumulator", "bfloat16", NARROW, "value"),
    Row("int32-wrap", "float32", GENERAL, "value"),
    Row("nan-dropped", "float32", GENERAL, "nan-inf", nan=True),
    Row("cpu-fallback", "float32", GENERAL, "native"),
    Row("wrong-stride", "float32", GENERAL, "stride"),
    Row("missing-check", "float32", CHECKS, "error-missing"),
    Row("nondeterminism", "float32", GENERAL, "nondeterministic"),
    Row("crash", "float32", GENERAL, "ended"),
    Row("hang", "float32", GENERAL, "ended"),
)


def run(row: Row, script: str) -> Observed:
    """The script with the fault in every operator of the row."""
    faults = [{"op": op, "kind": row.kind, "dtypes": [row.dtype]} for op in row.calls]
    with tempfile.TemporaryDirectory() as folder:
        return simulated(script, Path(folder), *faults)


def divergent(row: Row) -> tuple[set[str], set[str]]:
    """Operators found, and operators without a fault that diverged."""
    script = calls_script(row.calls, row.dtype, nan=row.nan)
    ended = run(row, f"{script}\nfor _ in range({TIMES - 1}):\n" + "\n".join(_again(row.calls)))
    found = {one["op"] for one in ended.divergences if one["kind"] == row.expected}
    return found & row.calls.keys(), {one["op"] for one in ended.divergences} - row.calls.keys()


def _again(calls: dict[str, str]) -> list[str]:
    return [f"    try: {expression}\n    except Exception: 0" for expression in calls.values()]


def not_native(row: Row) -> tuple[set[str], set[str]]:
    """Operators that were told to have run on the CPU."""
    told = {one["op"] for one in run(row, calls_script(row.calls, row.dtype)).end["ops"] if one["native"] is False}
    return told & row.calls.keys(), told - row.calls.keys()


def ended(row: Row) -> tuple[set[str], set[str]]:
    """Operators whose process died of SIGSEGV, or did not return."""
    ask, sign = {"crash": ("ended", "-11"), "hang": ("blocked", "True")}[row.kind]
    lines = [f"print('{op}', {ask}(child(lambda: {expression})))" for op, expression in row.calls.items()]
    printed = run(row, calls_script({}, row.dtype) + FORKED + "\n".join(lines)).stdout.decode().splitlines()
    return {line.split()[0] for line in printed if line.split()[1] == sign}, set()


HOW: dict[str, Callable[[Row], tuple[set[str], set[str]]]] = {"native": not_native, "ended": ended}


def main(kinds: list[str]) -> int:
    """Print the table; 1 when under 99 % were found."""
    total = found = 0
    print(f"{'kind':<20}{'dtype':<10}{'must show':<18}{'found':>11}  missed; false alarms")
    for row in ROWS:
        if kinds and row.kind not in kinds:
            continue
        seen, false = HOW.get(row.expected, divergent)(row)
        missed = sorted(row.calls.keys() - seen)
        total, found = total + len(row.calls), found + len(seen)
        listed = f"{', '.join(missed) or 'none'}; {', '.join(sorted(false)) or 'none'}"
        print(
            f"{row.kind:<20}{row.dtype:<10}{row.expected:<18}{len(seen):>4} of {len(row.calls):<4} {listed}", flush=True
        )
    print(f"{found} of {total} found, {found / max(total, 1):.1%}")
    return 0 if found >= 0.99 * total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
