# /// reproducer
# operator = "grid_sampler_2d_backward"
# upstream = ["pytorch/pytorch#204496", "pytorch/pytorch#204495"]
# oracle = "The grid gradient is exactly [3072, 0]: each of the 2048 channels gives 3/2 along x and 0 along y."
# dtypes = ["float16", "bfloat16", "float32"]
# min_torch = "2.6"
# ///
"""Does the 2-D bicubic backward of grid_sample lose grid gradient in half precision?

What: one output point reads a 4 x 3 image (width x height) whose columns are 0, 1, 2 and 3, between the
two middle columns and on the middle row, in 2048 equal channels. The gradient of the grid is a sum over
the channels. A kernel that keeps this sum in float16 or bfloat16 stops growing once the next term is half
a unit in the last place of the sum, or less. This is the same fault as in the bilinear kernel, in a kernel
of its own.

Why the expected value is exact: bicubic interpolation is the sum of pixel * cubic(x - column) *
cubic(y - row), where cubic is Keys' piecewise polynomial with a = -3/4 and pixels outside count as 0. With
align_corners=False the grid value 0 means position (size - 1) / 2, so x = 3/2 and y = 1, and one unit of
grid is size / 2 = 2 pixels along x. On y = 1 only row 1 has weight, and that weight is 1: the slope of
cubic there is 0 at distance 0, and -3/4 and 3/4 at distance 1, which cancel between the equal rows. Along
x the slopes of cubic at 3/2, 1/2, -1/2 and -3/2 are 3/16, -21/16, 21/16 and -3/16, so a channel gives
2 * (-21/16 * 1 + 21/16 * 2 - 3/16 * 3) = 3/2. All terms are sixteenths with at most five significant bits
and 2048 * 3/2 = 3072 has two, so every step fits into float32 and the result into float16 and bfloat16.
`exact_gradient` computes this in fractions, and the script compares it with the CPU's float64 kernel.

Usage: python grid_sampler_2d_backward_bicubic.py [--device cpu|xpu|cuda|xpu:0] [--channels N]
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
PIXELS = ((0, 1, 2, 3),) * 3
A = Fraction(-3, 4)
BICUBIC, ZEROS, ALIGN_CORNERS = 2, 0, False


def cubic(offset: Fraction) -> Fraction:
    """Weight of a pixel at a distance of `offset` pixels (Keys 1981, with a = -3/4)."""
    s = abs(offset)
    if s <= 1:
        return (A + 2) * s**3 - (A + 3) * s**2 + 1
    return A * (s**3 - 5 * s**2 + 8 * s - 4) if s < 2 else Fraction(0)


def cubic_slope(offset: Fraction) -> Fraction:
    """Derivative of `cubic` by the position."""
    s, sign = abs(offset), -1 if offset < 0 else 1
    if s <= 1:
        return sign * (3 * (A + 2) * s**2 - 2 * (A + 3) * s)
    return sign * A * (3 * s**2 - 10 * s + 8) if s < 2 else Fraction(0)


def exact_gradient(channels: int) -> list[float]:
    """The grid gradient [x, y], in closed form."""
    height, width = len(PIXELS), len(PIXELS[0])
    x, y = Fraction(width - 1, 2), Fraction(height - 1, 2)
    along_x = along_y = Fraction(0)
    for row, pixels in enumerate(PIXELS):
        for column, pixel in enumerate(pixels):
            along_x += pixel * cubic_slope(x - column) * cubic(y - row)
            along_y += pixel * cubic(x - column) * cubic_slope(y - row)
    return [float(channels * along_x * width / 2), float(channels * along_y * height / 2)]


def grid_gradient(device: torch.device, dtype: torch.dtype, mask: list[bool], channels: int) -> list[float]:
    """What the device's kernel says. Raises RuntimeError where it has none for this call."""
    image = torch.tensor(PIXELS, dtype=torch.float32).expand(1, channels, 3, 4)
    image = image.to(device=device, dtype=dtype).contiguous()
    grid = torch.zeros(1, 1, 1, 2, device=device, dtype=dtype)
    ones = torch.ones(1, channels, 1, 1, device=device, dtype=dtype)
    backward = torch.ops.aten.grid_sampler_2d_backward
    gradient = backward(ones, image, grid, BICUBIC, ZEROS, ALIGN_CORNERS, mask)[1]
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
    print(f"grid_sampler_2d_backward, bicubic, {channels} channels, {device}, torch {torch.__version__}")
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
    parser = argparse.ArgumentParser(description="Is the 2-D bicubic grid gradient exact in half precision?")
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
