"""timing: what a benchmark asks as a script, and what its output says beside another device or a stored run."""

import itertools
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from bot.model.timing import MODE, Argument, Baseline, Benchmark, Compared, Operation, Pace, TensorAsked, Timed


def cases(benchmark: Benchmark) -> list[dict[str, Any]]:
    """Every combination, with its tensors' shapes in numbers, as the harness reads them."""
    return [case for operation in benchmark.operation for case in _of(operation)]


def _of(operation: Operation) -> Iterator[dict[str, Any]]:
    modes: Mapping[str, object] = operation.modes or {"-": None}
    for dtype, (mode, value), layout, shape, way in itertools.product(
        operation.dtypes, modes.items(), operation.layouts, operation.shapes, operation.ways
    ):
        sizes = dict(zip(operation.sizes, shape, strict=True))
        yield {
            "call": operation.call,
            "dtype": dtype,
            "mode": mode,
            "layout": layout,
            "shape": list(shape),
            "way": way,
            "arguments": [_argument(one, sizes, value) for one in operation.arguments],
            "keywords": {name: _argument(one, sizes, value) for name, one in operation.keywords.items()},
        }


def _argument(told: Argument, sizes: Mapping[str, int], mode: object) -> Any:
    if isinstance(told, TensorAsked):
        shape = [sizes[size] if isinstance(size, str) else size for size in told.tensor]
        return told.as_json() | {"tensor": shape}
    return mode if told == MODE else told


def script(harness: str, asked: Sequence[Mapping[str, Any]], devices: Sequence[str], seconds: float, most: int) -> str:
    """One script that needs torch and nothing else: the harness's text and the order to time these cases."""
    order = {"cases": asked, "devices": devices, "seconds": seconds, "most": most, "warmup": max(1, most // 10)}
    return f"{harness}\n\nraise SystemExit(main(json.loads({json.dumps(order)!r})))\n"


def rows(outputs: Sequence[str]) -> list[Timed]:
    """What the processes printed, put together: one row for each case and device, in order of the first process.

    What is no row is passed over: a library may print, too.
    """
    found: dict[tuple[str, ...], list[Timed]] = {}
    for output in outputs:
        for line in output.splitlines():
            try:
                row = Timed.model_validate_json(line)
            except ValidationError:
                continue
            found.setdefault((*row.key, row.device), []).append(row)
    return [_together(same) for same in found.values()]


def _together(same: Sequence[Timed]) -> Timed:
    """The median process; its spread is at least the distance between the processes."""
    timed = [row for row in same if row.ms is not None]
    if len(timed) < 2:
        return timed[0] if timed else same[0]
    means = [float(row.ms or 0) for row in timed]
    between = max(means) - min(means)
    return timed[0].model_copy(
        update={
            "ms": statistics.median(means),
            "median_ms": statistics.median(float(row.median_ms or 0) for row in timed),
            "spread_ms": max(between, *(float(row.spread_ms or 0) for row in timed)),
            "count": sum(row.count for row in timed),
        }
    )


def compared(here: Sequence[Timed], there: Sequence[Timed], factor: float) -> list[Compared]:
    """Each case of `here` beside the same of `there`."""
    known = {row.key: row for row in there}
    return [_beside(row, known.get(row.key), factor) for row in here]


def _beside(here: Timed, there: Timed | None, factor: float) -> Compared:
    if there is None or here.ms is None or there.ms is None:
        return Compared(here=here, there=there, ratio=None, fast_enough=Pace.UNKNOWN)
    pace = Pace.OK
    if here.ms > factor * there.ms:
        spread = max(here.spread_ms or 0.0, there.spread_ms or 0.0)
        pace = Pace.UNCLEAR if here.ms - there.ms <= spread else Pace.SLOWER
    return Compared(here=here, there=there, ratio=here.ms / there.ms, fast_enough=pace)


def refusal(stored: Baseline, mine: Baseline) -> str | None:
    """Why a stored run can't be compared with this one, or None. Another torch is no reason: that is what is asked."""
    return None if stored.device == mine.device else f"it is of {stored.device}, this is {mine.device}"


def heading(*, asked: bool) -> str:
    """Over `line`s; `asked`: with a reference."""
    columns = f"{'dtype':<10} {'mode':<10} {'layout':<14} {'shape':<24} {'way':<9} {'ms':>9} {'spread':>9}"
    return columns + (f" {'other':>9} {'ratio':>6}  fast enough" if asked else "")


def line(one: Compared, *, asked: bool) -> str:
    """A case as people see it."""
    here, there = one.here, one.there
    text = f"{here.dtype:<10} {here.mode:<10} {here.layout:<14} {here.shape!s:<24} {here.way:<9}"
    if here.ms is None:
        return f"{text} {here.absent or 'no times'}"
    text += f" {here.ms:9.3f} {here.spread_ms or 0.0:9.3f}"
    if not asked:
        return text
    if there is None or there.ms is None or one.ratio is None:
        return f"{text} {'-':>9} {'-':>6}  {one.fast_enough}"
    return f"{text} {there.ms:9.3f} {one.ratio:6.2f}  {one.fast_enough}"
