import torch

def check(device):
    i = torch.tensor([[0, 1, 1], [2, 0, 2]], device=device)
    v = torch.tensor([3.0, 4.0, 5.0], device=device)
    s = torch.sparse_coo_tensor(i, v, (2, 3), device=device)
    d = torch.ones(3, 2, device=device)
    return torch.sparse.mm(s, d).cpu()

results = {d: check(d) for d in ("cpu", "cuda")}
torch.testing.assert_close(results["cuda"], results["cpu"])
print(results["cpu"].tolist(), results['cuda'].tolist())
# output
import torch

def check(device):
    i = torch.tensor([[0, 1, 1], [2, 0, 2]], device=device)
    v = torch.tensor([3.0, 4.0, 5.0], device=device)
    s = torch.sparse_coo_tensor(i, v, (2, 3), device=device)
    d = torch.ones(3, 2, device=device)
    return torch.sparse.mm(s, d).cpu()

results = {d: check(d) for d in ("cpu", "xpu")}
torch.testing.assert_close(results["xpu"], results["cpu"])
print(results["cpu"].tolist(), results['xpu'].tolist())
