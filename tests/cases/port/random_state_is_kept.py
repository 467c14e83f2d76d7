# leftover: 10: second XPU device
import torch
from torch.random import fork_rng

with torch.random.fork_rng(devices=[0]):
    torch.manual_seed(1)
with fork_rng(enabled=True), torch.random.fork_rng([0], device_type="cuda"), torch.random.fork_rng():
    torch.manual_seed(2)

with torch.random.fork_rng([0, 1]):
    pass
# output
import torch
from torch.random import fork_rng

with torch.random.fork_rng(devices=[0], device_type="xpu"):
    torch.manual_seed(1)
with fork_rng(enabled=True, device_type="xpu"), torch.random.fork_rng([0], device_type="xpu"), torch.random.fork_rng(device_type="xpu"):
    torch.manual_seed(2)

with torch.random.fork_rng([0, 1]):
    pass
