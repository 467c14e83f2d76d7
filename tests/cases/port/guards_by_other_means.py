# leftover: 9: torch.cuda.get_device_capability
# leftover: 11: asks for a second XPU device
import torch

device = "cuda" if torch.cuda.is_available() and torch.cuda.is_initialized() else "cpu"
if torch.version.cuda is None or not torch.backends.cuda.is_built():
    print("built without cuda")
bf16 = torch.cuda.is_bf16_supported()
if torch.cuda.get_device_capability() < (8, 0):
    raise SystemExit("too old")
if torch.cuda.device_count() >= 2:
    print("several")
print(torch.ones(1, device=device, dtype=torch.bfloat16 if bf16 else torch.float32))
# output
import torch

device = "xpu" if torch.xpu.is_available() and torch.xpu.is_initialized() else "cpu"
if torch.version.xpu is None or not torch.xpu.is_available():
    print("built without cuda")
bf16 = torch.xpu.is_bf16_supported()
if torch.cuda.get_device_capability() < (8, 0):
    raise SystemExit("too old")
if torch.cuda.device_count() >= 2:
    print("several")
print(torch.ones(1, device=device, dtype=torch.bfloat16 if bf16 else torch.float32))
