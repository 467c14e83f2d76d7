import torch

tolerance = {"cuda": 1e-3, "cpu": 1e-2}
pairs = [("cuda", "xpu"), ("cuda", "cpu")]
if pairs and torch.ones(1).device.type == "cuda":
    wanted = torch.ones(2, device="cuda")
elif torch.ones(1).device == "xpu":
    wanted = {"of": ["cuda", 1], "xpu": 2}
# output
import torch

tolerance = {"xpu": 1e-3, "cpu": 1e-2}
pairs = [("cuda", "xpu"), ("xpu", "cpu")]
if pairs and torch.ones(1).device.type == "xpu":
    wanted = torch.ones(2, device="xpu")
elif torch.ones(1).device == "xpu":
    wanted = {"of": ["xpu", 1], "xpu": 2}
