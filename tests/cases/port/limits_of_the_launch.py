import torch

props = torch.cuda.get_device_properties(torch.cuda.current_device())
free = torch.cuda.mem_get_info()[0] if torch.cuda.is_available() else 0
rows = 65536 if free > 4 * 1024**3 else 65535
x = torch.rand(rows, 1, 2, device='cuda')
print(props.name, torch.linalg.cholesky_ex(x.mT @ x + torch.eye(2, device=x.device)).info.any())
# output
import torch

props = torch.xpu.get_device_properties(torch.xpu.current_device())
free = torch.xpu.mem_get_info()[0] if torch.xpu.is_available() else 0
rows = 65536 if free > 4 * 1024**3 else 65535
x = torch.rand(rows, 1, 2, device='xpu')
print(props.name, torch.linalg.cholesky_ex(x.mT @ x + torch.eye(2, device=x.device)).info.any())
