# A child with an end of its own, and a parent that is hard to miss. The child must not speak for its parent.
import os

import torch

child = os.fork()
if child:
    os.waitpid(child, 0)
    torch.zeros(1, dtype=torch.bfloat16).index_add_(0, torch.zeros(600).long(), torch.ones(600).bfloat16())
print("parent" if child else "child")
