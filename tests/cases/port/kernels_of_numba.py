# leftover: 3: numba works on the source device alone
import numpy as np
from numba import cuda


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


values = np.zeros(8)
add_one[1, 8](cuda.to_device(values))
cuda.synchronize()
