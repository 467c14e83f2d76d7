import os
import subprocess
import sys

os.environ['CUDA_LAUNCH_BLOCKING'] = '1'
os.environ["CUDA_VISIBLE_DEVICES"] = str(0)
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"
os.environ["PYTHONHASHSEED"] = "0"
del os.environ["TORCH_USE_CUDA_DSA"]
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
os.environ.pop("CUDA_VISIBLE_DEVICES", None)
os.environ.update({"CUDA_LAUNCH_BLOCKING": "1", "OMP_NUM_THREADS": "1"})
os.environ.update({
    "TZ": "UTC",
    "TORCH_USE_CUDA_DSA": "1",
})
subprocess.run([sys.executable, "-c", "pass"], env={**os.environ, "CUDA_LAUNCH_BLOCKING": "1"}, check=True)
import torch
# output
import os
import subprocess
import sys

pass
pass
os.environ["PYTORCH_ALLOC_CONF"] = "max_split_size_mb:64"
os.environ["PYTHONHASHSEED"] = "0"
pass
pass
pass
os.environ.update({"OMP_NUM_THREADS": "1"})
os.environ.update({
    "TZ": "UTC",
    })
subprocess.run([sys.executable, "-c", "pass"], env={**os.environ, }, check=True)
import torch
