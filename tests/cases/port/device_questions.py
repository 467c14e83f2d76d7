import torch

x = torch.ones(2).cuda()
assert x.is_cuda and not x.cpu().is_cuda
assert x.device.type == "cuda" != "cpu"
assert x.device == torch.device("cuda:0") or str(x.device) == 'cuda:0'
assert "cuda" in str(x.device) and str(x.device).startswith("cuda")
assert x.device.type in ("cuda", "meta") and x.device.type not in {"cpu"}
assert getattr(x, "is_cuda")
print(x.is_mps, x.is_meta, x.is_cpu, x.device.index)
# output
import torch

x = torch.ones(2).to("xpu")
assert x.is_xpu and not x.cpu().is_xpu
assert x.device.type == "xpu" != "cpu"
assert x.device == torch.device("xpu:0") or str(x.device) == 'xpu:0'
assert "xpu" in str(x.device) and str(x.device).startswith("xpu")
assert x.device.type in ("xpu", "meta") and x.device.type not in {"cpu"}
assert getattr(x, "is_xpu")
print(x.is_mps, x.is_meta, x.is_cpu, x.device.index)
