import torch

torch.manual_seed(3)
x = torch.randn(2, 5, dtype=torch.float64, device="cuda", requires_grad=True)
w = torch.randn(5, dtype=torch.float64).cuda().requires_grad_()
assert torch.autograd.gradcheck(lambda a, b: torch.nn.functional.layer_norm(a, (5,), b), (x, w))
cpu = x.detach().cpu().requires_grad_()
torch.nn.functional.layer_norm(cpu, (5,)).sum().backward()
torch.cuda.synchronize(device=x.device)
print(cpu.grad)
# output
import torch

torch.manual_seed(3)
x = torch.randn(2, 5, dtype=torch.float64, device="xpu", requires_grad=True)
w = torch.randn(5, dtype=torch.float64).to("xpu").requires_grad_()
assert torch.autograd.gradcheck(lambda a, b: torch.nn.functional.layer_norm(a, (5,), b), (x, w))
cpu = x.detach().cpu().requires_grad_()
torch.nn.functional.layer_norm(cpu, (5,)).sum().backward()
torch.xpu.synchronize(device=x.device)
print(cpu.grad)
