import torch


def kind(x):
    match x.device.type:
        case "cuda":
            return "accelerator"
        case "cpu":
            return "host"
        case other:
            return other


for device in ["cuda", "cpu"]:
    print(kind(torch.empty(0, device=device)), device)
# output
import torch


def kind(x):
    match x.device.type:
        case "xpu":
            return "accelerator"
        case "cpu":
            return "host"
        case other:
            return other


for device in ["xpu", "cpu"]:
    print(kind(torch.empty(0, device=device)), device)
