"""Embeddings."""

import torch

torch.manual_seed(0)
table = torch.nn.Embedding(5, 3, padding_idx=0).to("xpu")
torch.nn.init.constant_(table.weight, 0.5)
index = torch.tensor([[0, 1, 1], [4, 2, 0]], device="xpu")
table(index).sum().backward()
print(table.weight.grad, torch.nn.functional.one_hot(index, 5).sum(), torch.nn.EmbeddingBag(5, 2, mode="sum").to("xpu")(index).shape)
try:
    torch.nn.functional.embedding(torch.tensor([9], device="xpu"), table.weight)
except IndexError as error:
    print(error)
