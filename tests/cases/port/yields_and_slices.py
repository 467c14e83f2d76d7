import itertools

import torch


def batches(n):
    for i in itertools.islice(itertools.count(), n):
        yield torch.full((4,), float(i), device="cuda")[1:3]


moved = [*map(lambda b: b.cpu(), batches(2))]
print(torch.stack(moved).cuda()[..., -1].tolist(), torch.stack(moved)[0].cuda()[0])
# output
import itertools

import torch


def batches(n):
    for i in itertools.islice(itertools.count(), n):
        yield torch.full((4,), float(i), device="xpu")[1:3]


moved = [*map(lambda b: b.cpu(), batches(2))]
print(torch.stack(moved).to("xpu")[..., -1].tolist(), torch.stack(moved)[0].to("xpu")[0])
