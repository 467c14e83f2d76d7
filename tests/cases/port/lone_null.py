# refused: Python does not accept it
import torch
x = torch.ones(2).cuda()<U+0000>
