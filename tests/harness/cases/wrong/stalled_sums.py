# off: _adaptive_avg_pool2d_backward bfloat16 value 0
# off: _adaptive_avg_pool2d_backward float16 value 0
# off: _embedding_bag_backward bfloat16 value 0
# off: _embedding_bag_backward float16 value 0
# off: col2im bfloat16 value 0
# off: embedding_dense_backward bfloat16 value 0
# off: embedding_dense_backward float16 value 0
# off: index_add_ bfloat16 value 0
# off: index_add_ float16 value 0
# off: index_put_ bfloat16 value 0
# off: index_put_ float16 value 0
# off: put_ bfloat16 value 0
# off: put_ float16 value 0
# off: replication_pad2d_backward bfloat16 value 0
# off: replication_pad2d_backward float16 value 0
# off: segment_reduce bfloat16 value 0
# off: segment_reduce float16 value 0
# Sums of 4,096 ones. A sum that is kept in bfloat16 stops at 256, in float16 at 2,048; 4,096 is a number of both.
import torch
from torch.nn import functional

N = 4096
HERE = torch.zeros(N, dtype=torch.long)

for dtype in (torch.bfloat16, torch.float16, torch.float32):
    ones = torch.ones(N, dtype=dtype)
    torch.zeros(1, dtype=dtype).index_add_(0, HERE, ones)
    torch.zeros(1, dtype=dtype).index_put_((HERE,), ones, accumulate=True)
    torch.zeros(1, dtype=dtype).put_(HERE, ones, accumulate=True)
    torch.segment_reduce(ones, "sum", lengths=torch.tensor([N]))
    functional.fold(torch.ones(1, 16, 33 * 33, dtype=dtype), (36, 36), (4, 4))  # up to 16: right in all
    functional.fold(torch.ones(1, 1024, 33 * 33, dtype=dtype), (64, 64), (32, 32))  # up to 1,024: right in float16
    weight = torch.ones(2, 3, dtype=dtype, requires_grad=True)
    functional.embedding(HERE, weight).sum().backward()
    functional.embedding_bag(HERE.view(1, -1), weight, mode="sum").sum().backward()
    pixel = torch.ones(1, 1, 1, 1, dtype=dtype, requires_grad=True)
    functional.adaptive_avg_pool2d(pixel, 64).sum().backward()
    functional.pad(pixel, (32, 31, 32, 31), mode="replicate").sum().backward()
