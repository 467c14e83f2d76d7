import re
from collections import Counter

LINE = re.compile(r"(?P<device>cuda|cpu):(?P<ms>[\d.]+)")
counts = Counter(m["device"] for m in LINE.finditer("cuda:0.3 cpu:4.0 cuda:0.4"))
print(counts["cuda"], counts.get("cpu"), f"cuda:{counts['cuda']}")
