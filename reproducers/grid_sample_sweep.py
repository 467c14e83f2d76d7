# /// reproducer
# operator = "grid_sample"
# kind = "sweep"
# upstream = ["pytorch/pytorch#179756", "pytorch/pytorch#204496"]
# oracle = "Float64 on the CPU within what rounding explains, and sums of equal terms whose exact value is stated."
# dtypes = ["float16", "bfloat16", "float32"]
# min_torch = "2.6"
# ///
"""Is grid_sample right in every mode, padding, corner convention, dtype and layout, forward and backward?

What: `forward` and `backward` sample a small random image, also outside of it. `points` sums the gradient of one
pixel over 4096 points, `channels` that of the grid over 2048 channels: sums that a 16-bit accumulator can't hold.
`far` and `far-read` are of the last of 256 * 256 pixels, more than 15 bits can count, in the second image of a batch.

Why it may be judged: sampled positions keep a quarter of a pixel away from pixels and from the middle between them,
where nearest rounds, bilinear bends and the paddings turn, so that rounding a coordinate changes no branch. All
points lie on the middle pixel, which has the weight 1 in each mode: its gradient is 4096 and all others are 0. The
columns of the image are 0, 1 and 2: the slope at column 1 is 1 for bilinear, and for bicubic (Keys, a = -3/4) 3/4 of
the difference of its neighbours, 3/2. One unit of grid is size / 2 pixels, with align_corners (size - 1) / 2. Each
channel gives slope * unit, along y (and z) nothing. Of `far` each image has one point, on its first or last pixel.

Usage: python grid_sample_sweep.py [--device cpu|xpu|cuda|xpu:0] [--only bicubic float16 ...]
Exit code: 0 no row is wrong, 1 a wrong value, 2 the question could not be asked. `absent` rows are not offered.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

try:
    import torch
except ImportError:
    print("torch is not installed", file=sys.stderr)
    raise SystemExit(2) from None

Seen = tuple[str, str]
TITLE = "grid_sample, every combination"
COLUMNS = ("rank", "mode", "padding", "corners", "layout", "dtype", "what")
SIZES = {"4-D": (6, 8), "5-D": (4, 6, 8)}
OUT, POINTS, CHANNELS, FAR = {"4-D": (5, 21), "5-D": (3, 4, 7)}, 4096, 2048, (1, 256, 256)


def sampled(image: torch.Tensor, grid: torch.Tensor, grad: torch.Tensor, **how: object) -> dict[str, torch.Tensor]:
    """The backward of grid_sample for a given gradient of its result."""
    image, grid = image.detach().requires_grad_(), grid.detach().requires_grad_()
    out = torch.nn.functional.grid_sample(image, grid, **how)
    grads = torch.autograd.grad(out, (image, grid), grad)
    return dict(zip(("grad_input", "grad_grid"), grads, strict=True))


def positions(sizes: Sequence[int], out: Sequence[int], aligned: bool, draw: torch.Generator) -> torch.Tensor:
    """A grid whose positions are whole pixels plus about 1/4 or 3/4, up to one pixel outside."""
    # Further out bicubic sees the border alone: a gradient of 0 by cancellation, which no float32 kernel keeps.
    axes = []
    for size in reversed(sizes):
        whole = torch.randint(-1, size, (2, *out), generator=draw, dtype=torch.float64)
        part = torch.randint(0, 2, (2, *out), generator=draw) / 2 + 0.25
        at = whole + part + (torch.rand(2, *out, generator=draw, dtype=torch.float64) - 0.5) / 10
        axes.append(2 * at / (size - 1) - 1 if aligned else (2 * at + 1) / size - 1)
    return torch.stack(axes, dim=-1)


def rows(rank: str, mode: str, aligned: bool, how: dict[str, object]) -> Iterator[tuple]:
    """What is asked of one combination: name, inputs, those that take the layout, call, exact values."""
    draw, sizes, out = torch.Generator().manual_seed(0), SIZES[rank], OUT[rank]
    axes, threes = len(sizes), (3,) * len(sizes)
    image = torch.randn(2, 5, *sizes, generator=draw, dtype=torch.float64)
    grad = torch.randn(2, 5, *out, generator=draw, dtype=torch.float64)
    grid = positions(sizes, out, aligned, draw)

    def forward(*given: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"output": torch.nn.functional.grid_sample(*given, **how)}

    def backward(*given: torch.Tensor) -> dict[str, torch.Tensor]:
        return sampled(*given, **how)

    yield "forward", (image, grid), (0,), forward, {}
    yield "backward", (image, grid, grad), (0, 2), backward, {}
    far = torch.tensor([1.0 if aligned else 1 - 1 / size for size in reversed(FAR[-axes:])])
    ends = torch.stack((-far, far)).view(2, *(1,) * axes, axes)
    last = torch.eye(1, 2 * math.prod(FAR[-axes:])).flip(1).view(2, 1, *FAR[-axes:])
    both = last.flatten() + last.flatten().flip(0)
    yield "far", (last, ends, torch.ones(2, 1, *(1,) * axes)), (0, 2), backward, {"grad_input": both}
    yield "far-read", (last, ends), (0,), forward, {"output": torch.arange(2.0)}
    side = round(POINTS ** (1 / axes))
    many = (torch.ones(1, 1, *threes), torch.zeros(1, *(side,) * axes, axes), torch.ones(1, 1, *(side,) * axes))
    one_pixel = POINTS * (torch.arange(3**axes) == 3**axes // 2)
    yield "points", many, (0, 2), backward, {"grad_input": one_pixel}
    if mode != "nearest":
        slope, unit, columns = (1.5 if mode == "bicubic" else 1.0), (1.0 if aligned else 1.5), torch.arange(3.0)
        deep = (
            columns.expand(1, CHANNELS, *threes),
            torch.zeros(1, *(1,) * axes, axes),
            torch.ones(1, CHANNELS, *(1,) * axes),
        )
        yield "channels", deep, (0, 2), backward, {"grad_grid": torch.eye(1, axes)[0] * CHANNELS * slope * unit}


def cases() -> Iterator[Case]:
    """Every combination."""
    modes, paddings = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
    for rank, mode, padding, aligned in itertools.product(SIZES, modes, paddings, (False, True)):
        how = {"mode": mode, "padding_mode": padding, "align_corners": aligned}
        asked = list(rows(rank, mode, aligned, how))
        dtypes, layouts = (torch.float16, torch.bfloat16, torch.float32), ("contiguous", "channels_last")
        for layout, dtype, (what, inputs, laid, call, exact) in itertools.product(layouts, dtypes, asked):
            corners, name = "aligned" if aligned else "outer", str(dtype).removeprefix("torch.")
            yield Case((rank, mode, padding, corners, layout, name, what), dtype, layout, inputs, laid, call, exact)


# ---- the same in every sweep -----------------------------------------------------------------------------------------
# An element with exact value r may be off by 8 u |r| + 8 s + 1e-5 min(1, R), u being half an epsilon of the dtype. A
# kernel that computes in float32 and rounds once is off by u |r|; 8 leaves room for values of that size rounded on the
# way. s is how far r moves when each input moves by u of itself, which rounding the inputs could explain; in float32 by
# 8 u, since there all that a kernel computes inside is rounded as its inputs are. The last term (R: the largest exact
# value of that output) is for what float32 kernels cancel inside. Stated values are exact in every step: no allowance.
ROUNDINGS, SENSITIVITY, BESIDE, REFUSALS = 8, 8, 1e-5, ("not implemented", "not supported", "unsupported")


class Case(NamedTuple):
    """One row: what it is called, the inputs on the CPU, which of them take the layout, values stated by output."""

    labels: tuple[str, ...]
    dtype: torch.dtype
    layout: str
    inputs: tuple[torch.Tensor, ...]
    laid: tuple[int, ...]
    call: Callable[..., dict[str, torch.Tensor]]
    exact: dict[str, torch.Tensor]


def placed(tensor: torch.Tensor, layout: str) -> torch.Tensor:
    """The same values, laid out otherwise."""
    if layout == "channels_last":
        return tensor.contiguous(memory_format=torch.channels_last if tensor.dim() == 4 else torch.channels_last_3d)
    if layout == "strided":
        return torch.stack((tensor, torch.zeros_like(tensor)), dim=-1)[..., 0]
    return tensor.contiguous()


def moved(case: Case, wide: list[torch.Tensor], want: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """How far each exact value moves when the inputs do, in pairs of directions."""
    unit = torch.finfo(case.dtype).eps / 2 * (8 if case.dtype is torch.float32 else 1)
    draw = torch.Generator().manual_seed(1)
    most = {name: torch.zeros_like(exact) for name, exact in want.items()}
    for _ in range(3):
        pairs = [(one, torch.randint(0, 2, one.shape, generator=draw) * 2 - 1) for one in wide]
        for way in (unit, -unit):
            near = [one * (1 + way * sign) if one.is_floating_point() else one for one, sign in pairs]
            for name, value in case.call(*near).items():
                most[name] = torch.maximum(most[name], (value - want[name]).abs())
    return most


def compared(case: Case, got: dict[str, torch.Tensor], want: dict[str, torch.Tensor], wide: list[torch.Tensor]) -> Seen:
    """The worst output, in what the budget explains, and whether all of it is explained."""
    unit, moves, offs = torch.finfo(case.dtype).eps / 2, moved(case, wide, want), {}
    for output, exact in want.items():
        beside = BESIDE * min(1.0, float(exact.abs().max()))
        budget = ROUNDINGS * unit * exact.abs() + SENSITIVITY * moves[output] + beside
        off = (got[output].double() - exact).abs() / budget.clamp(min=torch.finfo(torch.float32).tiny)
        offs[output] = float(off.nan_to_num(nan=float("inf")).max())
    name = max(offs, key=offs.__getitem__)
    return f"{name} {offs[name]:.2g}", "yes" if offs[name] <= 1 else "no"


def stated(case: Case, got: dict[str, torch.Tensor], want: dict[str, torch.Tensor]) -> Seen:
    """The first value that is not the one stated, and whether there is none. Raises ValueError for a false one."""
    for output, exact in case.exact.items():
        right, observed = exact.double(), got[output].double().flatten()
        if not torch.equal(right, want[output].flatten()) or not torch.equal(right.to(case.dtype).double(), right):
            raise ValueError(f"{' '.join(case.labels)}: {exact} is not float64's value, or none of {case.dtype}")
        wrong = (observed != right).nonzero().flatten()[:1]
        if wrong.numel():
            return f"{output} {observed[wrong].item():g} for {right[wrong].item():g}", "no"
    return f"{output} {observed.max():g}", "yes"


def judged(case: Case, device: torch.device) -> Seen:
    """What was seen, and `yes`, `no`, or `absent` where the call is not offered."""
    narrow = [one.to(case.dtype) if one.is_floating_point() else one for one in case.inputs]
    wide = [one.double() if one.is_floating_point() else one for one in narrow]
    try:
        want = case.call(*wide)
    except RuntimeError:
        return "not on the CPU either", "absent"
    given = [placed(one.to(device), case.layout if place in case.laid else "") for place, one in enumerate(narrow)]
    try:
        got = {name: output.cpu() for name, output in case.call(*given).items()}
    except RuntimeError as error:
        refused = isinstance(error, NotImplementedError) or any(word in str(error) for word in REFUSALS)
        return str(error).partition("\n")[0][:40], "absent" if refused else "no"
    for output, exact in want.items():
        if got[output].shape != exact.shape or got[output].dtype != case.dtype:
            return f"{output} is {got[output].dtype} {list(got[output].shape)}", "no"
    return stated(case, got, want) if case.exact else compared(case, got, want, wide)


def report(chosen: list[Case], device: torch.device) -> int:
    """Print the table, a row as soon as it is known; the exit code."""
    table = [COLUMNS, *(case.labels for case in chosen)]
    widths = [max(map(len, column)) + 2 for column in zip(*table, strict=True)]

    def line(labels: Sequence[str], seen: str, answer: str) -> str:
        return "".join(map(str.ljust, labels, widths)) + f"{seen:<42}{answer}"

    print(f"{TITLE}, {device}, torch {torch.__version__}")
    print(line(COLUMNS, "worst (1: all that rounding explains)", "right"))
    answers = []
    for case in chosen:
        seen, answer = judged(case, device)
        answers.append(answer)
        print(line(case.labels, seen, answer), flush=True)
    wrong, absent = answers.count("no"), answers.count("absent")
    print(f"{wrong} of {len(answers) - absent} rows are wrong, {absent} absent")
    return 1 if wrong else 2 if absent == len(answers) else 0


def main() -> int:
    """Read the options and report."""
    parser = argparse.ArgumentParser(description=TITLE)
    present = (kind for kind in ("xpu", "cuda") if hasattr(torch, kind) and getattr(torch, kind).is_available())
    parser.add_argument("--device", default=next(present, "cpu"), help="cpu, xpu, cuda, xpu:0 (default: %(default)s)")
    parser.add_argument("--only", nargs="+", default=[], metavar="LABEL", help="rows that have all of these labels")
    options = parser.parse_args()
    try:
        device = torch.device(options.device)
        torch.zeros(1, device=device).item()
    except (RuntimeError, AssertionError) as error:
        print(f"no device '{options.device}' here: {str(error).splitlines()[0]}", file=sys.stderr)
        return 2
    chosen = [case for case in cases() if set(options.only) <= set(case.labels)]
    if not chosen:
        print(f"no row has all of the labels {' '.join(options.only)}", file=sys.stderr)
        return 2
    try:
        return report(chosen, device)
    except (ValueError, torch.OutOfMemoryError) as error:
        print(str(error).splitlines()[0], file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
