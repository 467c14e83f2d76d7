# device: cpu
import torch

with torch.random.fork_rng(devices=[0]), torch.random.fork_rng(devices=[]):
    torch.manual_seed(1)
with torch.random.fork_rng([torch.cuda.current_device()], True), torch.random.fork_rng(device_type="cuda"):
    print(torch.rand(1))
# output
import torch

with torch.random.fork_rng(devices=[]), torch.random.fork_rng(devices=[]):
    torch.manual_seed(1)
with torch.random.fork_rng([], True), torch.random.fork_rng(devices=[]):
    print(torch.rand(1))
