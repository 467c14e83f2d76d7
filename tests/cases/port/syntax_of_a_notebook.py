# refused: Python does not accept it
%matplotlib inline
import torch
!pip list
x = torch.ones(2).cuda()
