import torch

größe, 数 = 3, "数: cuda"
тензор = torch.ones(größe).cuda() * 2; λ = lambda ξ: ξ.cuda()
print("→ 数", λ(тензор).sum(), f"größe={größe} Ω {тензор.cuda()}", "é".encode(), 数, torch.zeros(1, device="cuda"))
# output
import torch

größe, 数 = 3, "数: cuda"
тензор = torch.ones(größe).to("xpu") * 2; λ = lambda ξ: ξ.to("xpu")
print("→ 数", λ(тензор).sum(), f"größe={größe} Ω {тензор.to('xpu')}", "é".encode(), 数, torch.zeros(1, device="xpu"))
