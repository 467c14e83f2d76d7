# leftover: 4: torch.cuda as a whole
import torch

RUNTIMES = {"gpu": torch.cuda, "cpu": torch.cpu}
for name, runtime in RUNTIMES.items():
    print(name, runtime.is_available())
