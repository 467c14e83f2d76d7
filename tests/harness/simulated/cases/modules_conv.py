"""Modules conv."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 4, 3, padding=1), torch.nn.BatchNorm2d(4), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
    torch.nn.ConvTranspose2d(4, 2, 2, stride=2), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(),
).to("xpu")
out = model(torch.randn(2, 3, 8, 8).to("xpu"))
out.sum().backward()
print([round(one, 4) for one in out.flatten().tolist()], model[1].running_mean.device, model[0].weight.grad.sum().item() < 1e9)
model.eval()
print(model(torch.zeros(1, 3, 8, 8, device="xpu")).shape, model[1].num_batches_tracked)
