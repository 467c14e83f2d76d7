"""Linear algebra."""

import torch

torch.manual_seed(0)
a = torch.tensor([[4.0, 1.0], [1.0, 3.0]], device="xpu")
b = torch.tensor([1.0, 2.0], device="xpu")
torch.set_printoptions(precision=3)
print(torch.linalg.solve(a, b), torch.linalg.inv(a), torch.linalg.det(a), torch.linalg.cholesky(a), torch.linalg.eigvalsh(a))
print(a @ b, a.mm(a), torch.einsum("ij,jk->ik", a, a), torch.outer(b, b), torch.kron(a, a).shape, torch.linalg.norm(a), a.trace())
print(torch.linalg.svdvals(a), torch.linalg.qr(a)[1].abs(), torch.linalg.lstsq(a, b[:, None]).solution.flatten(), a.matrix_exp().shape)
