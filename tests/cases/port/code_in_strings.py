import timeit

import torch
from torch.utils import benchmark

exec("y = torch.ones(3).cuda(); torch.cuda.synchronize()")
exec('z = torch.ones(3, device="cuda")')
x = eval("torch.ones(2, device='cuda')")
print(timeit.timeit("x.cumsum(0); torch.cuda.synchronize()", setup="from torch.cuda import synchronize", globals=globals(), number=3))
script = '''
import torch
print(torch.arange(3).cuda().flip(0))
'''
t = benchmark.Timer(stmt="f(x.cuda())", globals={"f": torch.sin, "x": x}, description="cuda")
# output
import timeit

import torch
from torch.utils import benchmark

exec("y = torch.ones(3).to('xpu'); torch.xpu.synchronize()")
exec('z = torch.ones(3, device="xpu")')
x = eval("torch.ones(2, device='xpu')")
print(timeit.timeit("x.cumsum(0); torch.xpu.synchronize()", setup="from torch.xpu import synchronize", globals=globals(), number=3))
script = '''
import torch
print(torch.arange(3).to("xpu").flip(0))
'''
t = benchmark.Timer(stmt="f(x.to('xpu'))", globals={"f": torch.sin, "x": x}, description="xpu")
