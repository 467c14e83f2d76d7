import torch
import torch.backends.cudnn as cudnn

torch.backends.cudnn.enabled = False
cudnn.benchmark = True
torch.backends.cudnn.deterministic, torch.backends.cudnn.allow_tf32 = True, False
torch.backends.cuda.matmul.allow_tf32 = False
torch.use_deterministic_algorithms(True)
layer = torch.nn.Conv1d(1, 1, 3)
with torch.backends.cudnn.flags(enabled=False):
    print(layer(torch.ones(1, 1, 9)))
# output
import torch
import torch.backends.cudnn as cudnn

pass
pass
pass
pass
torch.use_deterministic_algorithms(True)
layer = torch.nn.Conv1d(1, 1, 3)
with __import__("contextlib").nullcontext():
    print(layer(torch.ones(1, 1, 9)))
