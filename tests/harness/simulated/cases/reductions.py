"""Reductions."""

import torch

torch.manual_seed(0)
x = torch.tensor([[3.0, float("nan"), 1.0], [2.0, 5.0, 4.0]], device="xpu")
print(x.sum(), x.nansum(), x.mean(1), x[1].std(), x[1].var(unbiased=False), x.amax(0), x.argmax(1), x[1].max(), x.min(1))
print(x[1].sort(descending=True), x[1].topk(2), x[1].median(), x[1].cumsum(0), x[1].prod(), x[1].logsumexp(0), x[1].norm(), x.isnan().any())
print(x[1].unique(), torch.bincount(torch.tensor([0, 1, 1], device="xpu")), x[1].histc(3, 1, 6), torch.quantile(x[1], 0.5), x.nan_to_num().count_nonzero())
print(torch.allclose(x[1], x[1] + 1e-9), torch.equal(x[1], x[1].clone()), torch.isclose(x[1], x[1]).all())
torch.testing.assert_close(x[1], x[1].clone())
