# leftover: 5: numba works on the source device alone
# leftover: 7: jax that is told
import jax
import numba
from numba import cuda

gpu = jax.devices("cuda")[0]


@cuda.jit
def double(x):
    i = cuda.grid(1)
    x[i] *= 2


print(gpu, cuda.is_available())
