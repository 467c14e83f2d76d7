import re

import numpy as np

pattern = re.compile(r"cuda:\d+")
log = ["cuda:0 ok", "cpu ok"]
hits = np.array([bool(pattern.match(line)) for line in log])
print(hits.sum(), {"cuda_version": "12.4", "backend": "cudart"})
note = """Install with cuda, then run on cuda:0."""
raise SystemExit(f"{hits.sum()} of {len(log)} lines speak of cuda, torch.cuda.is_available() was not asked")
