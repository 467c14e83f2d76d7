# stdout: nothing else
import os
import sys

known = {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "tmp", "usr"}
ours = {path.split("/")[1] for path in (*sys.path, sys.prefix, sys.base_prefix, sys.executable) if path.count("/") > 1}
told = {
    "/": set(os.listdir("/")) - known - ours,
    "/etc": set(os.listdir("/etc")) - {"alternatives", "ld.so.cache"},
    "/run": set(os.listdir("/run")) - {"alignbot"},
    "/run/alignbot": set(os.listdir("/run/alignbot")) - {"script.py", "job.json", "harness"},
}
print("nothing else" if not any(told.values()) else told)
