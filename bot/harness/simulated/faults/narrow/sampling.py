"""The gradient of a sampling grid: for each channel the pixels around are added one after the other, and what one unit
of the grid is in pixels is multiplied at the end.
"""

import itertools
import math
from typing import Any

import torch

from ..call import Call

Outputs = list[Any]
Fresh = list[torch.Tensor | None]
AROUND = {0: 2, 2: 4}
"""Pixels in a row that a mode looks at: bilinear, bicubic. The nearest pixel has no gradient."""


def _grid_gradient(call: Call, outputs: Outputs) -> Fresh:
    """The grid's gradient; the image's gradient is another sum and stays right.

    The exact share of one channel and one pixel comes from the operator itself in float64: channels are taken apart
    by making each a batch, the pixels around a point by keeping only every second (fourth) one of each row.
    """
    around = AROUND.get(call.get("interpolation_mode"))
    image, grid, gradient = call.get("input"), call.get("grid"), call.get("grad_output")
    if around is None or outputs[1].numel() == 0:
        return [None, None]
    batch, channels, *sizes = image.shape
    wide_image = image.double().reshape(batch * channels, 1, *sizes)
    wide_gradient = gradient.double().reshape(batch * channels, 1, *gradient.shape[2:])
    wide_grid = grid.double().repeat_interleave(channels, 0)
    rest = (call.get("interpolation_mode"), call.get("padding_mode"), call.get("align_corners"), [False, True])
    corner = 1 if call.get("align_corners") else 0
    pixels = torch.tensor([(size - corner) / 2 for size in reversed(sizes)], dtype=torch.float64)
    terms = []
    for start in itertools.product(range(around), repeat=len(sizes)):
        seen = torch.zeros_like(wide_image)
        every = (..., *(slice(at, None, around) for at in start))
        seen[every] = wide_image[every]
        share = call.func(wide_gradient, seen, wide_grid, *rest)[1]
        terms.append(
            (share / pixels.clamp(min=math.ulp(1.0))).reshape(batch, channels, *share.shape[1:]).to(outputs[1].dtype)
        )
    total = torch.zeros_like(outputs[1])
    for channel in range(channels):
        for term in terms:
            total = total + term[:, channel]
    return [None, total * pixels.to(total.dtype)]


RECIPES = {"grid_sampler_2d_backward": _grid_gradient, "grid_sampler_3d_backward": _grid_gradient}
