import torch

match torch.ones(2).device.type:
    case "cpu":
        answer = "host"
    case cuda:
        answer = cuda
print(answer)
