# leftover: 9: cuda is an attribute
# leftover: 10: __cuda_array_interface__ is an attribute
# leftover: 10: __cuda_array_interface__ is an attribute
# leftover: 11: cuda_stream is an attribute
# leftover: 11: to_cuda is an attribute
import torch

x = torch.ones(2)
moved = list(map(x.cuda, [0]))
shared = x.__cuda_array_interface__ if hasattr(x, "__cuda_array_interface__") else None
print(torch.xpu.current_stream().cuda_stream, batch.to_cuda())
