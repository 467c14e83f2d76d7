# leftover: 6: switch of another device's library
# leftover: 7: switch of another device's library
import torch
import torch.backends.cudnn as cudnn

torch.backends.cudnn.enabled = False
cudnn.benchmark = True
torch.use_deterministic_algorithms(True)
layer = torch.nn.Conv1d(1, 1, 3)
print(layer(torch.ones(1, 1, 9)))
