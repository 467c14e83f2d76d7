# leftover: 3: cupy works on the source device alone
# leftover: 4: pycuda works on the source device alone
import cupy as cp
from pycuda import gpuarray

print(cp.asnumpy(cp.ones(3)), gpuarray)
