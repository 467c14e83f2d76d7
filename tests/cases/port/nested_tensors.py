import torch

nt = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], device="cuda", layout=torch.jagged)
offsets = nt.offsets()
padded = torch.nested.to_padded_tensor(nt, 0.0)
assert padded.is_cuda and offsets.device.type == "cuda"
print(torch.nested.narrow(padded, 1, torch.tensor([0, 0]).cuda(), 2, layout=torch.jagged).shape)
# output
import torch

nt = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], device="xpu", layout=torch.jagged)
offsets = nt.offsets()
padded = torch.nested.to_padded_tensor(nt, 0.0)
assert padded.is_xpu and offsets.device.type == "xpu"
print(torch.nested.narrow(padded, 1, torch.tensor([0, 0]).to("xpu"), 2, layout=torch.jagged).shape)
