# refused: Python does not accept it
import torch
print torch.ones(2).cuda()
