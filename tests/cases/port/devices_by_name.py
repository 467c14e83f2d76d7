import torch

TOLERANCE = {"cpu": 0.0, "cuda": 1e-6, torch.device("cuda"): 1e-6}
MOVES = {"cpu": lambda x: x.cpu(), "cuda": lambda x: x.cuda()}
for name, move in MOVES.items():
    x = move(torch.linspace(0, 1, 5))
    print(name, TOLERANCE[x.device.type], TOLERANCE.get("cuda"))
# output
import torch

TOLERANCE = {"cpu": 0.0, "xpu": 1e-6, torch.device("xpu"): 1e-6}
MOVES = {"cpu": lambda x: x.cpu(), "xpu": lambda x: x.to("xpu")}
for name, move in MOVES.items():
    x = move(torch.linspace(0, 1, 5))
    print(name, TOLERANCE[x.device.type], TOLERANCE.get("xpu"))
