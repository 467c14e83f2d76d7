# refused: nested too deeply
import torch
x = <U+007E*400>torch.ones(1, dtype=torch.int8).cuda()
