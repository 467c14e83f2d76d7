import torch

SNIPPET = """
values = torch.arange(5).cuda()
print(values.flip(0), values.device.type == "cuda")
"""
exec(SNIPPET)
exec('print(torch.ones(1, device="cuda"))')
print("to move it, call x.cuda() first, or pass device='cuda' to it")
# output
import torch

SNIPPET = """
values = torch.arange(5).to("xpu")
print(values.flip(0), values.device.type == "xpu")
"""
exec(SNIPPET)
exec('print(torch.ones(1, device="xpu"))')
print("to move it, call x.cuda() first, or pass device='cuda' to it")
