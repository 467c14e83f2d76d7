# /// reproducer
# operator = "grid_sampler_3d_backward"
# upstream = ["pytorch/pytorch#204496", "pytorch/pytorch#204495"]
# oracle = "The grid gradient is exactly [2048, 0, 0]: each of the 2048 channels has slope 1 along x, 0 elsewhere."
# dtypes = ["float16", "bfloat16", "float32"]
# min_torch = "2.6"
# ///
"""Does the 3-D bilinear backward of grid_sample lose grid gradient in half precision?

What: one output point reads the middle of a 2 x 2 x 2 volume whose columns are 0 and 1, in 2048 equal
channels. The gradient of the grid is a sum over the channels. A kernel that keeps this sum in float16 or
bfloat16 stops growing once the next term is half a unit in the last place of the sum, or less. This is the
same fault as in the 2-D kernel, in a kernel of its own; with terms of 1/4 it stalls four times earlier
than a kernel that adds whole ones.

Why the expected value is exact: bilinear interpolation in three dimensions is the sum of voxel *
hat(x - column) * hat(y - row) * hat(z - slice) with hat(s) = 1 - |s| for |s| < 1. With align_corners=False
the grid value 0 means position (size - 1) / 2 = 1/2, and one unit of grid is size / 2 = 1 voxel. There hat
is 1/2 and its slope is -1 to the right of a voxel, +1 to the left of one. Along x a channel gives four rows
of 1/2 * 1/2 * (1 * 1 - 1 * 0), together 1; along y and z its equal halves cancel. The terms are quarters
and the sum is a power of two, so every step fits into float32 and the result into float16 and bfloat16.
`exact_gradient` computes this in fractions, and the script compares it with the CPU's float64 kernel.

Usage: python grid_sampler_3d_backward_bilinear.py [--device cpu|xpu|cuda|xpu:0] [--channels N]
Exit code: 0 every row is exact, 1 a wrong value, 2 the question could not be asked (usage, no such
device, operator refused, oracle in doubt).
"""

import argparse
import sys
from fractions import Fraction
from itertools import product
from math import prod

try:
    import torch
except ImportError:
    print("torch is not installed", file=sys.stderr)
    raise SystemExit(2) from None

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
MASKS = ([False, True], [True, True])
ROW = (0, 1)
SIZE = 2
BILINEAR, ZEROS, ALIGN_CORNERS = 0, 0, False


def hat(offset: Fraction) -> Fraction:
    """Weight of a voxel at a distance of `offset` voxels."""
    return max(Fraction(0), 1 - abs(offset))


def hat_slope(offset: Fraction) -> Fraction:
    """Derivative of `hat` by the position."""
    return Fraction(0) if abs(offset) >= 1 else Fraction(-1 if offset > 0 else 1)


def exact_gradient(channels: int) -> list[float]:
    """The grid gradient [x, y, z], in closed form."""
    middle = Fraction(SIZE - 1, 2)
    along = [Fraction(0)] * 3
    for z, y, x in product(range(SIZE), repeat=3):
        offsets = (middle - x, middle - y, middle - z)
        for axis in range(3):
            weights = (hat_slope(s) if other == axis else hat(s) for other, s in enumerate(offsets))
            along[axis] += ROW[x] * prod(weights)
    return [float(channels * slope * SIZE / 2) for slope in along]


def grid_gradient(device: torch.device, dtype: torch.dtype, mask: list[bool], channels: int) -> list[float]:
    """What the device's kernel says. Raises RuntimeError where it has none for this call."""
    volume = torch.tensor(ROW, dtype=torch.float32).expand(1, channels, SIZE, SIZE, SIZE)
    volume = volume.to(device=device, dtype=dtype).contiguous()
    grid = torch.zeros(1, 1, 1, 1, 3, device=device, dtype=dtype)
    ones = torch.ones(1, channels, 1, 1, 1, device=device, dtype=dtype)
    backward = torch.ops.aten.grid_sampler_3d_backward
    gradient = backward(ones, volume, grid, BILINEAR, ZEROS, ALIGN_CORNERS, mask)[1]
    return gradient.cpu().double().flatten().tolist()


def default_device() -> str:
    """The accelerator to look at where none is named."""
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        return "xpu"
    return "cuda" if torch.cuda.is_available() else "cpu"


def doubt(expected: list[float], channels: int) -> str | None:
    """Why the expected value must not be used, or None."""
    reference = grid_gradient(torch.device("cpu"), torch.float64, [False, True], channels)
    if reference != expected:
        return f"the closed form gives {expected}, float64 on the CPU {reference}: trust neither"
    for dtype in DTYPES:
        if torch.tensor(expected, dtype=torch.float64).to(dtype).double().tolist() != expected:
            return f"{expected} is not representable in {dtype}: choose another number of channels"
    return None


def report(device: torch.device, channels: int) -> int:
    """Print the table; the exit code."""
    expected = exact_gradient(channels)
    problem = doubt(expected, channels)
    if problem:
        print(problem, file=sys.stderr)
        return 2
    print(f"grid_sampler_3d_backward, bilinear, {channels} channels, {device}, torch {torch.__version__}")
    print(f"{'dtype':<10}{'mask':<16}{'observed':<22}{'expected':<22}exact")
    wrong = 0
    for dtype in DTYPES:
        for mask in MASKS:
            observed = grid_gradient(device, dtype, mask, channels)
            wrong += observed != expected
            name, exact = str(dtype).removeprefix("torch."), "yes" if observed == expected else "no"
            print(f"{name:<10}{mask!s:<16}{observed!s:<22}{expected!s:<22}{exact}")
    print("every row is exact" if not wrong else f"{wrong} of {len(DTYPES) * len(MASKS)} rows are wrong")
    return 1 if wrong else 0


def first_line(error: Exception) -> str:
    """What torch says before it explains itself at length."""
    return str(error).strip().partition("\n")[0]


def main() -> int:
    """Read the options and report."""
    parser = argparse.ArgumentParser(description="Is the 3-D bilinear grid gradient exact in half precision?")
    parser.add_argument("--device", default=default_device(), help="cpu, xpu, cuda, xpu:0 (default: %(default)s)")
    parser.add_argument("--channels", type=int, default=2048, help="default: %(default)s")
    options = parser.parse_args()
    if options.channels < 1:
        parser.error("--channels must be positive")
    try:
        device = torch.device(options.device)
        torch.zeros(1, device=device).item()
    except (RuntimeError, AssertionError) as error:
        print(f"no device '{options.device}' here: {first_line(error)}", file=sys.stderr)
        return 2
    try:
        return report(device, options.channels)
    except RuntimeError as error:
        print(f"{device} refused the call: {first_line(error)}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
