import io

import torch

buffer = io.BytesIO()
torch.save({"w": torch.eye(3)}, buffer)
for where in ("cuda:0", torch.device("cuda"), "cpu", {"cuda:0": "cpu"}):
    buffer.seek(0)
    print(torch.load(buffer, map_location=where)["w"].device)
buffer.seek(0)
state = torch.load(buffer, map_location=lambda storage, location: storage.cuda(0))
print(state["w"].sum())
# output
import io

import torch

buffer = io.BytesIO()
torch.save({"w": torch.eye(3)}, buffer)
for where in ("xpu:0", torch.device("xpu"), "cpu", {"xpu:0": "cpu"}):
    buffer.seek(0)
    print(torch.load(buffer, map_location=where)["w"].device)
buffer.seek(0)
state = torch.load(buffer, map_location=lambda storage, location: storage.to(device="xpu"))
print(state["w"].sum())
