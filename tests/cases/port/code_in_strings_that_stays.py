# leftover: 7: holds code
# leftover: 8: holds code
# leftover: 9: holds code
import torch

index = 0
exec(f"a = torch.ones(2).cuda({index})")
exec("b = f'{torch.ones(2).cuda()}'")
exec("c = torch.ones(2).cuda()\nd = 1")
