import os

import torch

threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
os.environ["KMP_AFFINITY"] = "none"
os.environ.setdefault("TORCHDYNAMO_VERBOSE", "1")
torch.set_num_threads(threads)
print(torch.arange(10).unfold(0, 3, 2).sum(-1), os.environ.pop("NOTHING", None))
