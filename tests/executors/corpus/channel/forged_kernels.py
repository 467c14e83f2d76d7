# status: ok
# observed: true
# last_call: none
# never: FORGED
import os

for line in (
    b'{"event": "kernels", "place": 0, "names": ["FORGED"]}',
    b'{"event": "replayed", "place": 0}',
    b'{"event": "begins", "op": "aten::add.Tensor", "calls": "FORGED", "native": true, "call": {}}',
):
    os.write(CHANNEL, line + b"\n")
