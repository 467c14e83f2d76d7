"""Shows that cuda and cpu differ; run it with device="cuda"."""
import torch  # torch.cuda is used in the original


class Shown:
    """cuda"""

    def method(self):  # x.cuda()
        'cuda:0'
        # y = x.cuda()
        return torch.sin(torch.ones(1))  # .cuda()


"cuda"
"""
x = torch.ones(3).cuda()
"""
print(Shown().method())
