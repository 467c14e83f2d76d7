# /// reproducer
# operator = "reduction"
# kind = "sweep"
# upstream = ["pytorch/pytorch#204496"]
# oracle = "Sums of 4096 equal terms, whose exact value is stated and is a power of two: it fits into every dtype."
# dtypes = ["float16", "bfloat16", "float32"]
# min_torch = "2.6"
# ///
"""Which sums stop growing before 4096 terms, forward and backward?

What: every operator here adds 4096 ones into one element. A kernel that keeps the sum in bfloat16 stops at 256, in
float16 at 2048, where the next one is half a unit in the last place of the sum.

Why the stated value is exact: it is counted, and the script compares it with float64 on the CPU. Partial sums of
ones up to 4096 fit into float32, and 4096 into float16 and bfloat16.

Usage: python reduction_sweep.py [--device cpu|xpu|cuda|xpu:0] [--only index_add bfloat16 ...]
Exit code: 0 no row is wrong, 1 a wrong value, 2 the question could not be asked. `absent` rows are not offered.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

try:
    import torch
except ImportError:
    print("torch is not installed", file=sys.stderr)
    raise SystemExit(2) from None

Seen = tuple[str, str]
TITLE = "Sums of 4096 equal terms"
COLUMNS = ("operator", "way", "layout", "dtype")
N, FEW = 4096, 1024  # terms; fewer where each takes a row of its own
F, ones, AT_0 = torch.nn.functional, torch.ones, torch.zeros(N, dtype=torch.long)
Asked = dict[str, tuple[Callable[..., torch.Tensor], list[torch.Tensor], list[float]]]


def forward() -> Asked:
    """Operators that sum: call, inputs, result."""
    into, tile = [torch.zeros(1), AT_0, ones(N)], ones(1, 1, 64, 64)
    return {
        "sum": (torch.sum, [ones(N)], [N]),
        "mean": (lambda x: x.mean(0), [ones(N, 2)], [1, 1]),
        "cumsum": (lambda x: x.cumsum(0)[-1:], [ones(N)], [N]),
        "addbmm": (torch.addbmm, [torch.zeros(1, 1), ones(N, 1, 1), ones(N, 1, 1)], [N]),
        "index_add": (lambda x, i, y: x.index_add(0, i, y), into, [N]),
        "scatter_add": (lambda x, i, y: x.scatter_add(0, i, y), into, [N]),
        "index_put": (lambda x, i, y: x.index_put((i,), y, accumulate=True), into, [N]),
        "segment_reduce": (lambda x, n: torch.segment_reduce(x, "sum", lengths=n), [ones(N), AT_0[:1] + N], [N]),
        "avg_pool2d": (lambda x: F.avg_pool2d(x, 64), [tile], [1]),
        "conv_transpose2d": (lambda x, w: F.conv_transpose2d(x, w)[..., 63, 63], [tile, tile], [N]),
        "fold": (lambda x: F.fold(x, (1, 2 * FEW - 1), (1, FEW))[..., FEW - 1], [ones(1, FEW, FEW)], [FEW]),
        "histc": (lambda x: torch.histc(x, 1, 0, 2), [ones(N)], [N]),
    }


def backward() -> Asked:
    """Operators whose gradient for the first input sums: call, inputs, that gradient where the result's is ones."""
    one, square = ones(1), ones(1, 1, 1, 1)
    wide = (63,) * 4  # in the middle of zeros the element lies in every window
    return {
        "index_select": (lambda x, i: x.index_select(0, i), [one, AT_0], [N]),
        "embedding": (lambda w, i: F.embedding(i, w), [ones(1, 1), AT_0], [N]),
        "embedding_bag": (lambda w, i: F.embedding_bag(i, w, mode="sum"), [ones(1, 1), AT_0[:, None]], [N]),
        "unfold": (lambda x: F.pad(x, (FEW - 1,) * 2).unfold(0, FEW, 1), [one], [FEW]),
        "replication_pad2d": (lambda x: F.pad(x, (63, 0) * 2, "replicate"), [square], [N]),
        "avg_pool2d": (lambda x: F.avg_pool2d(F.pad(x, wide), 64, 1, divisor_override=1), [square], [N]),
        "max_pool2d": (lambda x: F.max_pool2d(F.pad(x, wide), 64, 1), [square], [N]),
        "adaptive_avg_pool2d": (lambda x: F.adaptive_avg_pool2d(x, 64), [square], [N]),
        "adaptive_max_pool2d": (lambda x: F.adaptive_max_pool2d(x, 64), [square], [N]),
        "layer_norm": (lambda b, x: F.layer_norm(x, (1,), None, b), [one, ones(N, 1)], [N]),
    }


def called(call: Callable[..., torch.Tensor], way: str) -> Callable[..., dict[str, torch.Tensor]]:
    """The operator, or its gradient for the first input where the result's gradient is ones."""

    def once(first: torch.Tensor, *others: torch.Tensor) -> dict[str, torch.Tensor]:
        if way == "forward":
            return {"output": call(first, *others)}
        first = first.detach().requires_grad_()
        out = call(first, *others)
        return {"grad": torch.autograd.grad(out, first, torch.ones_like(out))[0]}

    return once


def cases() -> Iterator[Case]:
    """Every combination."""
    torch.set_num_threads(1)  # on the CPU each thread adds up a part of its own: with two, 4096 may be two right halves
    dtypes, layouts = (torch.float16, torch.bfloat16, torch.float32), ("contiguous", "strided")
    for way, asked in (("forward", forward()), ("backward", backward())):
        for operator, (call, inputs, right) in asked.items():
            laid = tuple(place for place, one in enumerate(inputs) if one.is_floating_point() and one.numel() > 1)
            exact = {"output" if way == "forward" else "grad": torch.tensor(right, dtype=torch.float64)}
            for layout, dtype in itertools.product(layouts if laid else layouts[:1], dtypes):
                labels = (operator, way, layout, str(dtype).removeprefix("torch."))
                yield Case(labels, dtype, layout, tuple(inputs), laid, called(call, way), exact)


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
