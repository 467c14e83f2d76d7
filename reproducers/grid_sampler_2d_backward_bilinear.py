# /// reproducer
# operator = "grid_sampler_2d_backward"
# upstream = ["pytorch/pytorch#204496", "pytorch/pytorch#204495"]
# oracle = "The grid gradient is exactly [2048, 0]: each of the 2048 channels has slope 1 along x, 0 along y."
# dtypes = ["float16", "bfloat16", "float32"]
# min_torch = "2.6"
# ///
"""Does the 2-D bilinear backward of grid_sample lose grid gradient in half precision?

What: one output point reads the middle of a 2 x 2 image whose columns are 0 and 1, in 2048 equal
channels. The gradient of the grid is a sum over the channels. A kernel that keeps this sum in float16
or bfloat16 stops growing once the next term is half a unit in the last place of the sum, or less.

Why the expected value is exact: bilinear interpolation is the sum of pixel * hat(x - column) *
hat(y - row) with hat(s) = 1 - |s| for |s| < 1. With align_corners=False the grid value 0 means
position (size - 1) / 2 = 1/2, and one unit of grid is size / 2 = 1 pixel. There hat is 1/2 and its
slope is -1 to the right of a pixel, +1 to the left of one. Along x a channel gives
(1/2 + 1/2) * (1 * 1 - 1 * 0) = 1; along y its two rows are equal and cancel. The terms are halves and
the sum is a power of two, so every step fits into float32 and the result into float16 and bfloat16.
`exact_gradient` computes this in fractions, and the script compares it with the CPU's float64 kernel.

A result can be right by luck: a kernel that adds one whole 1 for each channel stalls in float16 at
2048, the exact answer. `--channels 4096` shows it.

Usage: python grid_sampler_2d_backward_bilinear.py [--device cpu|xpu|cuda|xpu:0] [--channels N]
Exit code: 0 every row is exact, 1 a wrong value, 2 the question could not be asked (usage, no such
device, operator refused, oracle in doubt).
"""

import argparse
import sys
from fractions import Fraction

try:
    import torch
except ImportError:
    print("torch is not installed", file=sys.stderr)
    raise SystemExit(2) from None

DTYPES = (torch.float16, torch.bfloat16, torch.float32)
MASKS = ([False, True], [True, True])
PIXELS = ((0, 1), (0, 1))
BILINEAR, ZEROS, ALIGN_CORNERS = 0, 0, False


def hat(offset: Fraction) -> Fraction:
    """Weight of a pixel at a distance of `offset` pixels."""
    return max(Fraction(0), 1 - abs(offset))


def hat_slope(offset: Fraction) -> Fraction:
    """Derivative of `hat` by the position."""
    return Fraction(0) if abs(offset) >= 1 else Fraction(-1 if offset > 0 else 1)


def exact_gradient(channels: int) -> list[float]:
    """The grid gradient [x, y], in closed form."""
    height, width = len(PIXELS), len(PIXELS[0])
    x, y = Fraction(width - 1, 2), Fraction(height - 1, 2)
    along_x = along_y = Fraction(0)
    for row, pixels in enumerate(PIXELS):
        for column, pixel in enumerate(pixels):
            along_x += pixel * hat_slope(x - column) * hat(y - row)
            along_y += pixel * hat(x - column) * hat_slope(y - row)
    return [float(channels * along_x * width / 2), float(channels * along_y * height / 2)]


def grid_gradient(device: torch.device, dtype: torch.dtype, mask: list[bool], channels: int) -> list[float]:
    """What the device's kernel says. Raises RuntimeError where it has none for this call."""
    image = torch.tensor(PIXELS, dtype=torch.float32).expand(1, channels, 2, 2)
    image = image.to(device=device, dtype=dtype).contiguous()
    grid = torch.zeros(1, 1, 1, 2, device=device, dtype=dtype)
    ones = torch.ones(1, channels, 1, 1, device=device, dtype=dtype)
    backward = torch.ops.aten.grid_sampler_2d_backward
    gradient = backward(ones, image, grid, BILINEAR, ZEROS, ALIGN_CORNERS, mask)[1]
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
    print(f"grid_sampler_2d_backward, bilinear, {channels} channels, {device}, torch {torch.__version__}")
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
    parser = argparse.ArgumentParser(description="Is the 2-D bilinear grid gradient exact in half precision?")
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
