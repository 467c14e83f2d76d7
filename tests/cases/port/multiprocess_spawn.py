import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world):
    torch.cuda.set_device(rank)
    x = torch.ones(1, device=f"cuda:{rank}")
    y = torch.ones(1).cuda(rank)
    print(x + y)


if __name__ == "__main__":
    mp.spawn(worker, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
# output
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world):
    torch.xpu.set_device(rank)
    x = torch.ones(1, device=f"xpu:{rank}")
    y = torch.ones(1).to(rank)
    print(x + y)


if __name__ == "__main__":
    mp.spawn(worker, args=(torch.xpu.device_count(),), nprocs=torch.xpu.device_count())
