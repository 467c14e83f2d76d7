# stdout: only those on the list
# never: SECRET
import os

known = {
    "PATH",
    "LANG",
    "HOME",
    "TMPDIR",
    "USER",
    "PWD",
    "ALIGNBOT_TEST_MARK",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_VERBOSE",
}
print("only those on the list" if set(os.environ) <= known else set(os.environ) - known)
