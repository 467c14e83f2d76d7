import subprocess
import sys

import torch

code = """
import torch
x = torch.ones(3, device="cuda")
x[torch.tensor([9]).cuda()]
torch.cuda.synchronize()
"""
done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
print(done.returncode != 0, "device-side assert" in done.stderr, torch.__version__)
# output
import subprocess
import sys

import torch

code = """
import torch
x = torch.ones(3, device="xpu")
x[torch.tensor([9]).to("xpu")]
torch.xpu.synchronize()
"""
done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
print(done.returncode != 0, "device-side assert" in done.stderr, torch.__version__)
