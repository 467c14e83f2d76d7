import torch

x = torch.randn(2, 3, 70000, generator=torch.Generator("cpu").manual_seed(3))
results = {}
for device in ("cpu", "cuda"):
    results[device] = torch.nn.functional.avg_pool1d(x.to(device), 5, stride=1).cpu()
wanted = torch.nn.functional.avg_pool1d(x.to("cpu").double(), 5, stride=1)
print((results["cpu"] - wanted).abs().max(), (results["cuda"] - wanted).abs().max())
# output
import torch

x = torch.randn(2, 3, 70000, generator=torch.Generator("cpu").manual_seed(3))
results = {}
for device in ("cpu", "xpu"):
    results[device] = torch.nn.functional.avg_pool1d(x.to(device), 5, stride=1).cpu()
wanted = torch.nn.functional.avg_pool1d(x.to("cpu").double(), 5, stride=1)
print((results["cpu"] - wanted).abs().max(), (results["xpu"] - wanted).abs().max())
