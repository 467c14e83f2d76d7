"""needs: what a script wants beyond a Python with torch and numpy on one device, in a word each."""

import ast
import re
import sys
from collections.abc import Collection, Iterable

from bot.stages.memory import gigabytes
from bot.syntax import names, uncommented

AT_HAND = frozenset({"torch", "numpy", *sys.stdlib_module_names})
"""Top-level packages that the sandbox has."""
OF_THEIR_OWN = {"triton": "Triton"}
"""Packages whose need has a word of its own."""
OPENS = r"\bopen\((?![^()\n]{0,200}[\"'][wax]b?\+?[\"'])"
NEEDS = (
    ("several devices", re.compile(r"\btorch\.distributed\b|\bcuda:[1-9]|\bcuda:(?:\{|%d)|\.cuda\([1-9]|\.to\([1-9]\)|set_device\([1-9]|\bdevice=[1-9]\b|device_ids=\[\d+, ?\d|DataParallel\b|init_process_group|mp\.spawn\(|device_count\(\) ?(?:>=? ?[1-9]|== ?[2-9])|\b(?:xpu|mps|hip):[1-9]")),
    ("a C++ or CUDA compiler", re.compile(r"cpp_extension|load_inline|CUDAExtension|CppExtension|BuildExtension|\bnvcc\b|_compile_kernel\(|NVRTC|nvrtc|\bcupy\.RawKernel|\bSourceModule\(")),
    ("Triton", re.compile(r"@triton\.|\btriton\.(?:jit|language|testing)|\btl\.(?:load|store|program_id)\(")),
    ("a compiled graph", re.compile(r"\btorch\.compile\b|torch\._inductor|torch\._dynamo|torch\.jit\.|torch\.export\b|torch\.fx\b|make_fx\(|aot_function|\bjit\.script\b|@torch\.compile|torch\.onnx\b|onnxruntime")),
    ("the network", re.compile(r"\btorch\.hub\b|from_pretrained|urlopen|urlretrieve|urllib\.request|requests\.get|download=True|load_dataset\(|hf_hub_download|\bwget\b|pretrained=True|load_state_dict_from_url|\bweights=(?:[\"'](?:DEFAULT|IMAGENET)|\w+_Weights)|snapshot_download")),
    ("a checkpoint that is not in the thread", re.compile(r"load_state_dict\(\s*torch\.load\(|load_from_checkpoint\(|torch\.load\([^()\n]{0,200}\.(?:ckpt|pth|safetensors|pth\.tar)\b|safetensors\.torch\.load|load_file\(")),
)  # fmt: skip
READS = re.compile(rf"\btorch\.load\(|np\.load\(|np\.loadtxt\(|np\.genfromtxt\(|{OPENS}|read_csv\(|imread\(|ImageFolder\(|loadmat\(|h5py\.File\(|pickle\.load\(|torchaudio\.load\(|read_image\(|\binput\(\)|fromfile\(|from_file\(|\bCIFAR10?0?\(|\bMNIST\(")  # noqa: E501
WRITES = re.compile(r"\btorch\.save\(|np\.save\(|np\.savez|BytesIO|NamedTemporaryFile|TemporaryDirectory|mkstemp|imwrite\(|\.tofile\(|pickle\.dump\(|\.savefig\(")
FILE = "a file that is not in the thread"


def needs(code: str, tree: ast.Module) -> tuple[str, ...]:
    """What the code needs, each thing once, in a fixed order."""
    plain = uncommented(code)
    found = [need for need, pattern in NEEDS if pattern.search(plain)]
    if READS.search(plain) and not WRITES.search(plain) and "a checkpoint that is not in the thread" not in found:
        found.append(FILE)
    packages = sorted(_packages(tree) - AT_HAND - {""})
    found += [OF_THEIR_OWN.get(name, f"the package {name}") for name in packages]
    lacks = names(code)
    found += [f"a definition of {name}" for name in sorted(lacks.free)] if lacks and not _stars(tree) else []
    found += ["the code that it leaves out (...)"] if _elided(tree) else []
    memory = gigabytes(code, tree)
    found += [f"about {memory} GB of memory"] if memory else []
    return tuple(dict.fromkeys(found))


def barring(wants: Iterable[str]) -> list[str]:
    """Those of the needs without which a run can't even be tried; how much memory there is, the run itself tells."""
    return [need for need in wants if not need.endswith("GB of memory")]


def _packages(tree: ast.Module) -> Collection[str]:
    """Top-level packages that are imported; relative ones are of a project that is not there."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or ".").partition(".")[0] if not node.level else "of the script itself")
    return found


def _stars(tree: ast.Module) -> bool:
    """Does `from x import *` bring names that can't be known?"""
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return any(alias.name == "*" for node in imported for alias in node.names)


def _elided(tree: ast.Module) -> bool:
    """Does `...` stand for something, other than the dimensions of an index?"""
    indices = {
        id(inner) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)
    }
    return any(
        isinstance(node, ast.Constant) and node.value is Ellipsis and id(node) not in indices for node in ast.walk(tree)
    )
