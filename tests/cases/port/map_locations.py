import io

import torch

file = io.BytesIO()
torch.save(torch.arange(3), file)
for where in ["cuda", {"cuda:0": "cpu"}, {"cpu": "cuda:0"}, torch.device("cuda"), "cpu", None]:
    file.seek(0)
    print(torch.load(file, map_location=where))
file.seek(0)
print(torch.load(file, map_location=lambda storage, loc: storage))
file.seek(0)
torch.load(file, map_location=lambda storage, loc: storage.cuda())
file.seek(0)
torch.load(file, map_location=lambda s, _: s.to(device="cuda"))
file.seek(0)
torch.load(file, map_location=torch.device("cpu"))
torch.ones(2).untyped_storage().cuda(non_blocking=True)
# output
import io

import torch

file = io.BytesIO()
torch.save(torch.arange(3), file)
for where in ["xpu", {"xpu:0": "cpu"}, {"cpu": "xpu:0"}, torch.device("xpu"), "cpu", None]:
    file.seek(0)
    print(torch.load(file, map_location=where))
file.seek(0)
print(torch.load(file, map_location=lambda storage, loc: storage))
file.seek(0)
torch.load(file, map_location=lambda storage, loc: storage.to(device="xpu"))
file.seek(0)
torch.load(file, map_location=lambda s, _: s.to(device="xpu"))
file.seek(0)
torch.load(file, map_location=torch.device("cpu"))
torch.ones(2).untyped_storage().to(device="xpu", non_blocking=True)
