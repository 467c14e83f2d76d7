# No end: the process is gone before anybody can tell. The channel's descriptor is closed and belongs to a file now.
import contextlib
import os

import torch

for descriptor in range(3, 64):
    with contextlib.suppress(OSError):
        os.close(descriptor)
mine = os.open("mine.txt", os.O_RDWR | os.O_CREAT)
kept = [os.dup(mine) for _ in range(16)]
torch.zeros(1, dtype=torch.bfloat16).index_add_(0, torch.zeros(600).long(), torch.ones(600).bfloat16())
print(torch.ones(2).bfloat16() + 1, len(kept), os.fstat(mine).st_size, flush=True)
os._exit(7)
