import torch

tolerance = {"cuda": 1e-3, "xpu": 1e-2}
order = {"cpu": 0, "cuda": 1, "xpu": 2}
known = ("cuda", "mps", "xpu", "cpu")
pairs = [("cuda", torch.float16), ("xpu", torch.bfloat16)]
sets = {"cuda:0", "xpu:0"} | {torch.device("cuda"), torch.device("xpu")}
kind = torch.ones(2).device.type
if kind == "cuda":
    wanted = 3
elif kind == "xpu":
    wanted = 4
else:
    wanted = 5
match kind:
    case "cuda":
        pass
    case "xpu" | "cpu":
        pass
x = torch.ones(wanted)
print(1 if x.is_cuda else 2 if x.is_xpu else 3, tolerance, order, known, pairs, sets)
