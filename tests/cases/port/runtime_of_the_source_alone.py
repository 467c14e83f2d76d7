# leftover: 10: torch.cuda._sleep
# leftover: 11: torch.cuda.memory_summary
# leftover: 12: torch.cuda.memory
# leftover: 13: torch.cuda.ipc_collect
# leftover: 14: torch.cuda.default_stream
# leftover: 15: _cuda_getCompiledVersion
# leftover: 16: torch.cuda.jiterator
import torch

torch.cuda._sleep(10**6)
print(torch.cuda.memory_summary(abbreviated=True))
torch.cuda.memory._record_memory_history()
torch.cuda.ipc_collect()
stream = torch.cuda.default_stream()
print(torch._C._cuda_getCompiledVersion())
kernel = torch.cuda.jiterator._create_jit_fn("template <typename T> T f(T x) { return x; }")
