import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.arange(12.0).reshape(6, 2), torch.arange(6))
loader = DataLoader(data, batch_size=2, pin_memory=True, pin_memory_device="cuda")
for features, labels in loader:
    features = features.cuda(non_blocking=True)
    labels = labels.to(device="cuda", non_blocking=True)
    print(torch.bincount(labels, minlength=6).tolist(), features.sum().item())
# output
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.arange(12.0).reshape(6, 2), torch.arange(6))
loader = DataLoader(data, batch_size=2, pin_memory=True, pin_memory_device="xpu")
for features, labels in loader:
    features = features.to("xpu", non_blocking=True)
    labels = labels.to(device="xpu", non_blocking=True)
    print(torch.bincount(labels, minlength=6).tolist(), features.sum().item())
