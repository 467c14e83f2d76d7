import torch

x = ((torch.ones(3))).cuda()
y = (x  # the values
     # that were moved
     ).cuda(  # again
         )
z = torch.ones(
    3,  # rows, on cuda
    device=(  # here
        "cuda"
    ),
)
w = torch.stack((x.cuda(), (y).cuda(), *(v.cuda() for v in (z,))))
print(w.to(*("cuda",)), torch.ones(1).to((("cuda"))))
# output
import torch

x = ((torch.ones(3))).to("xpu")
y = (x  # the values
     # that were moved
     ).to("xpu")
z = torch.ones(
    3,  # rows, on cuda
    device=(  # here
        "xpu"
    ),
)
w = torch.stack((x.to("xpu"), (y).to("xpu"), *(v.to("xpu") for v in (z,))))
print(w.to(*("xpu",)), torch.ones(1).to((("xpu"))))
