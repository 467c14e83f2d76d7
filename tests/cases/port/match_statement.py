import torch

match torch.ones(1).cuda():
    case torch.Tensor(device=torch.device(type="cuda")) as x:
        print("there", x)
    case torch.Tensor(is_sparse=False):
        print("not there")
match {"device": "cuda"}:
    case {"device": "cuda" | "cuda:0" as device}:
        print(torch.ones(1, device=device))
    case {"device": "cpu"}:
        pass
# output
import torch

match torch.ones(1).to("xpu"):
    case torch.Tensor(device=torch.device(type="xpu")) as x:
        print("there", x)
    case torch.Tensor(is_sparse=False):
        print("not there")
match {"device": "xpu"}:
    case {"device": "xpu" | "xpu:0" as device}:
        print(torch.ones(1, device=device))
    case {"device": "cpu"}:
        pass
