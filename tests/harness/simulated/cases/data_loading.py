"""Data loading."""

import torch

torch.manual_seed(0)
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.arange(8.0).reshape(8, 1), torch.arange(8))
for x, y in DataLoader(data, batch_size=4):
    x, y = x.to("xpu", non_blocking=True), y.to("xpu")
    print(x.sum(), y, x.flatten()[y % 4])
loader = DataLoader(data, batch_size=4, collate_fn=lambda rows: torch.stack([row[0] for row in rows]).to("xpu"))
print([batch.device.type for batch in loader], sum(batch.sum().item() for batch in loader))
