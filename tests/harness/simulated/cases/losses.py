"""Losses."""

import torch

torch.manual_seed(0)
F = torch.nn.functional
x = torch.linspace(-1, 1, 12).reshape(4, 3).to("xpu")
y = torch.tensor([0, 2, 1, 1]).to("xpu")
p = x.sigmoid()
for name, loss in {
    "cross": F.cross_entropy(x, y), "smoothed": F.cross_entropy(x, y, label_smoothing=0.1), "nll": F.nll_loss(x, y, ignore_index=1),
    "mse": F.mse_loss(x, p), "l1": F.l1_loss(x, p), "huber": F.huber_loss(x, p), "bce": F.binary_cross_entropy(p, p),
    "logits": F.binary_cross_entropy_with_logits(x, p), "kl": F.kl_div(p.log(), p, reduction="batchmean"),
    "triplet": F.triplet_margin_loss(x, p, -x), "hinge": F.multi_margin_loss(x, y), "gauss": F.gaussian_nll_loss(x, p, p),
    "ctc": F.ctc_loss(torch.zeros(5, 1, 4, device="xpu").log_softmax(2), torch.tensor([[1, 2]], device="xpu"), torch.tensor([5]), torch.tensor([2])),
}.items():
    print(name, f"{loss.item():.5f}", loss.device)
