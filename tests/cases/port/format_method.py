import torch

where = ["cuda:{}", "cuda:{0}", "cuda:{index}"]
for pattern in where:
    print(torch.ones(1, device=pattern.format(0, index=0)))
print("{}:{}".format("cuda", 0), "ran on cuda: {}".format(True), "cuda {}".format(0))
# output
import torch

where = ["xpu:{}", "xpu:{0}", "xpu:{index}"]
for pattern in where:
    print(torch.ones(1, device=pattern.format(0, index=0)))
print("{}:{}".format("xpu", 0), "ran on cuda: {}".format(True), "cuda {}".format(0))
