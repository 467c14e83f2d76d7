import torch

index, names = 0, []
names.append(f"cuda:{index}")
names.append("cuda:%d" % index)
names.append("cuda:{}".format(index))
names.append("cuda:" + str(index))
names.append("cu" "da")
print(f"cuda:{index} took longer than cpu", f"{index} cuda", "cuda:%d of %d" % (index, 1))
print("on " f"{torch.ones(1).cuda()}")
# output
import torch

index, names = 0, []
names.append(f"xpu:{index}")
names.append("xpu:%d" % index)
names.append("xpu:{}".format(index))
names.append("xpu:" + str(index))
names.append("xpu")
print(f"cuda:{index} took longer than cpu", f"{index} cuda", "cuda:%d of %d" % (index, 1))
print("on " f"{torch.ones(1).to('xpu')}")
