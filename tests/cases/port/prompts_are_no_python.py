# refused: Python does not accept it
>>> import torch
>>> torch.ones(2).cuda()
tensor([1., 1.], device='cuda:0')
