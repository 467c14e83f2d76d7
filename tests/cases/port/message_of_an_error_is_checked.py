# leftover: 8: compared with: CUDA
# leftover: 9: compared with: cuda
import torch

try:
    torch.ones(2) @ torch.ones(3)
except RuntimeError as error:
    assert "CUDA error" not in str(error), "this ran on cuda after all"
    assert not re.search(r"cuda:\d", str(error)) if "re" in globals() else True
else:
    raise SystemExit("no error, on cuda it says: inconsistent tensor size")
