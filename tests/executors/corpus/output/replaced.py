# status: error
# exit_code: 120
# observed: false
# stdout: before
# cold: the interpreter's own last flush fails, with its own exit code
import sys


class Broken:
    def __getattr__(self, name):
        raise ValueError(name)


print("before", flush=True)
sys.stdout = Broken()
