import torch

x = torch.zeros(4, 3).to(torch.int64)
index = 1
print(x.sum(1), x.repeat(2, 1).narrow(0, 1, 2), x.roll(1), torch.full((2,), 0), range(1)[0])
print({"device_index": 1, "map": 0}, x.unsqueeze(0).to(x), x.expand(2, 4, 3).size(index))
