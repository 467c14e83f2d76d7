import torch as T
import torch.cuda
import torch.cuda as tc
import torch.nn as nn, numpy as np
from torch import cuda, randn, float16 as half
from torch.cuda import (
    synchronize,
    current_stream as stream_now,
)

x = randn(2, 2, device="cuda", dtype=half) + T.ones(2, 2).cuda()
cuda.synchronize(), tc.synchronize(), T.cuda.synchronize(), torch.cuda.synchronize(), synchronize()
print(np.asarray(x.cpu()), stream_now(), nn.Linear(2, 2).cuda())
# output
import torch as T
import torch.xpu
import torch.xpu as tc
import torch.nn as nn, numpy as np
from torch import xpu, randn, float16 as half
from torch.xpu import (
    synchronize,
    current_stream as stream_now,
)

x = randn(2, 2, device="xpu", dtype=half) + T.ones(2, 2).to("xpu")
xpu.synchronize(), tc.synchronize(), T.xpu.synchronize(), torch.xpu.synchronize(), synchronize()
print(np.asarray(x.cpu()), stream_now(), nn.Linear(2, 2).to("xpu"))
