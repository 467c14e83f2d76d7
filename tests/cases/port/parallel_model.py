# leftover: 4: second XPU device
import torch

model = torch.nn.DataParallel(torch.nn.Linear(2, 2).cuda(), device_ids=[0, 1])
single = torch.nn.DataParallel(torch.nn.Linear(2, 2).cuda(), device_ids=[0])
print(single(torch.ones(1, 2)))
# output
import torch

model = torch.nn.DataParallel(torch.nn.Linear(2, 2).to("xpu"), device_ids=[0, 1])
single = torch.nn.DataParallel(torch.nn.Linear(2, 2).to("xpu"), device_ids=[0])
print(single(torch.ones(1, 2)))
