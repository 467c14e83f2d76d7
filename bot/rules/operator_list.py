"""Makes `classify/operators.txt` from the two files of torch that list its operators.

    python -m bot.rules.operator_list .venv/lib/python3.*/site-packages/torchgen/packaged

Beside each base name stands who computes it: `gpu` (a kernel for CUDA, or one source for all devices that each builds
for itself), `cpu` (a kernel for the CPU and none for CUDA), `vendor` (a call into a vendor's library), `shared` (made of
other operators, the same code on every device).
"""

import re
import sys
from pathlib import Path

NAME = re.compile(r"- func: (?:\w+::)?(\w+)")
DISPATCH = re.compile(r"    ([A-Z]\w+(?:, *[A-Z]\w+)*): ")
DERIVATIVE = re.compile(r"\b([a-z_]\w+_backward\w*)\(")
VENDOR = re.compile(
    r"_?(?:use_)?(?:cudnn|miopen|mkldnn|mps|nnpack|xnnpack|hspmm)_|.*_(?:cudnn|flash_attention|cudnn_attention)"
)
LIBRARY = re.compile(
    r"_?(?:addmm|addbmm|baddbmm|bmm|mm|addmv|mv|matmul|linear|int_mm|scaled_mm|scaled_grouped_mm|grouped_mm|convolution|conv[123]d"
    r"|fft_(?!\w*(?:freq|shift))\w+|cholesky|cholesky_(?:inverse|solve)|lu_solve|lu_with_info|svd|triangular_solve|ormqr|geqrf"
    r"|linalg_(?:cholesky|det|slogdet|eig|inv|ldl|lstsq|lu|qr|svd|solve|householder|pinv|matmul|multi_dot)\w*)"
    r"(?:_mode|_v2|_backward|_symint)?_?"
)
"""Operators whose work is a product of matrices, a decomposition, a transform or a convolution: each vendor calls its own
library (cuBLAS, cuSOLVER, cuFFT, cuDNN; oneMKL, oneDNN)."""
HEADER = """\
# The base names of all aten operators and who computes each: gpu, cpu, vendor or shared (bot/rules/operator_list.py).
"""


def kinds(native: str) -> dict[str, str]:
    """Base name -> kind, by the dispatch tables of native_functions.yaml; the strongest of an operator's overloads."""
    keys: dict[str, set[str]] = {}
    name = ""
    for line in native.splitlines():
        if started := NAME.match(line):
            name = started[1]
            keys.setdefault(name, set())
        elif listed := DISPATCH.match(line):
            keys[name] |= {key.strip() for key in listed[1].split(",")}
        elif line.startswith("  structured_delegate:"):
            keys[name].add("CUDA")
    return {name: _kind(name, found) for name, found in keys.items()}


def _kind(name: str, keys: set[str]) -> str:
    if VENDOR.match(name) or LIBRARY.fullmatch(name):
        return "vendor"
    if name.endswith(("_cpu", "_cpu_fallback")):
        return "cpu"
    if any(key.endswith("CUDA") for key in keys):
        return "gpu"
    return "cpu" if any(key.endswith("CPU") for key in keys) else "shared"


def text(native: str, derivatives: str) -> str:
    """The list as the file has it."""
    found = kinds(native)
    for name in DERIVATIVE.findall(derivatives):
        if "_symint" not in name:
            found.setdefault(name, "shared")
    return HEADER + "".join(f"{name} {kind}\n" for name, kind in sorted(found.items()))


if __name__ == "__main__":
    packaged = Path(sys.argv[1])
    (Path(__file__).parent / "classify" / "operators.txt").write_text(
        text(
            (packaged / "ATen/native/native_functions.yaml").read_text("utf-8"),
            (packaged / "autograd/derivatives.yaml").read_text("utf-8"),
        ),
        "utf-8",
    )
