# No end: the process is gone before anybody can tell. The channel's descriptor is closed and belongs to a file now.
import os

import torch

for descriptor in range(3, 64):
    try:
        os.close(descriptor)
    except OSError:
        pass
mine = os.open("/tmp/alignbot-mine" if os.getpid() < 0 else os.devnull, os.O_RDWR)
print(torch.ones(2).bfloat16() + 1, mine > 0, flush=True)
os._exit(7)
