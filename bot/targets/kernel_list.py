"""Makes `xpu.kernels.txt`: which aten operators have a kernel of their own on XPU, and from which files.

    python -m bot.targets.kernel_list CHECKOUT NATIVE_FUNCTIONS... > bot/targets/xpu.kernels.txt

CHECKOUT is a folder with `src` of intel/torch-xpu-ops. NATIVE_FUNCTIONS are lists of operators whose dispatch tables
name XPU: torch's own (`torchgen/packaged/ATen/native/native_functions.yaml` of a wheel), and, for a torch older than
2.14, the one that torch-xpu-ops kept in `yaml/native` until June 2026. Only names and paths are taken.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

NAME = re.compile(r"- func: (?:\w+::)?(\w+)")
DISPATCH = re.compile(r"    (?:\w+, *)*XPU(?:, *\w+)*: *(\w+)")
FALLBACK = re.compile(r"fallback_list = \{(.*?)\};", re.S)
WORD = re.compile(r"\b[A-Za-z_]\w+\b")
INCLUDE = re.compile(r"#include <((?:ATen|c10|torch)/[\w/]+\.(?:h|cuh))>")
HEADER = """\
# operator NAME KERNEL FILE [structured]: the dispatcher sends it to XPU's own kernel; FILE is `-` where none here names
# it; a structured one's checks and shapes are the same code on every device.
# fallback NAME: it runs on the CPU. source FILE: a file of kernels. header FILE: of pytorch/pytorch, included there.
# Made by bot/targets/kernel_list.py.
"""


def dispatched(native: str) -> dict[str, str]:
    """Base name -> kernel, of the operators that a list sends to XPU; the first of an operator's overloads."""
    kernels: dict[str, str] = {}
    name = ""
    for line in native.splitlines():
        if started := NAME.match(line):
            name = started[1]
        elif listed := DISPATCH.match(line):
            kernels.setdefault(name, listed[1])
    return kernels


def structured(native: str) -> set[str]:
    """Base names of the operators that have a structured overload."""
    found: set[str] = set()
    name = ""
    for line in native.splitlines():
        if started := NAME.match(line):
            name = started[1]
        elif line.startswith(("  structured: True", "  structured_delegate:")):
            found.add(name)
    return found


def fallen_back(sources: dict[str, str]) -> set[str]:
    """Base names of the operators that are run on the CPU, unless another overload has a kernel."""
    lists = (found[1] for text in sources.values() for found in FALLBACK.finditer(text))
    return {name.partition(".")[0] for found in lists for name in re.findall(r'"([\w.]+)"', found)}


def lines(checkout: Path, lists: Iterable[str]) -> Iterator[str]:
    """The table, without its header."""
    files = sorted(path for path in (checkout / "src").rglob("*") if path.suffix in (".cpp", ".h", ".hpp"))
    sources = {path.relative_to(checkout).as_posix(): path.read_text("utf-8") for path in files}
    places: dict[str, str] = {}
    for path in sorted(sources, key=lambda path: ("/sycl/" in path, not path.endswith(".cpp"), path)):
        for word in WORD.findall(sources[path]):
            places.setdefault(word, path)
    kernels: dict[str, str] = {}
    above: set[str] = set()
    for native in lists:
        kernels = {**dispatched(native), **kernels}
        above |= structured(native)
    off = fallen_back(sources)
    for name, kernel in sorted(kernels.items()):
        if name not in off:
            yield f"operator {name} {kernel} {_place(name, kernel, places)}{' structured' if name in above else ''}"
    yield from (f"fallback {name}" for name in sorted(off))
    yield from (f"source {path}" for path in sources)
    headers = {header for text in sources.values() for header in INCLUDE.findall(text)}
    shared = (header for header in headers if not re.search(r"xpu|ATen/ops/|sycl", header))
    prefix = {"ATen": "aten/src/", "c10": "", "torch": "torch/csrc/api/include/"}
    yield from (f"header {prefix[header.partition('/')[0]]}{header}" for header in sorted(shared))


def _place(name: str, kernel: str, places: dict[str, str]) -> str:
    """The file that names a kernel, else its stub, else the kernel's function."""
    candidates = (kernel, f"{name}_stub", f"{name.rstrip('_')}_kernel", f"{name.lstrip('_')}_stub")
    return next((places[one] for one in candidates if one in places), "-")


if __name__ == "__main__":
    tables = [Path(path).read_text("utf-8") for path in sys.argv[2:]]
    sys.stdout.write(HEADER + "".join(f"{line}\n" for line in lines(Path(sys.argv[1]), tables)))
