import shlex
import subprocess

command = "CUDA_VISIBLE_DEVICES=0 python run.py --device cuda --cudnn off"
print(shlex.split(command)[1:], subprocess.run(["echo", "on cuda"], check=True, capture_output=True).stdout)
