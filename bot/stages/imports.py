"""imports: the import lines that a script lacks, for names used and never bound."""

import ast

from bot.stages.marks import OF_TORCH
from bot.syntax import names, parsed, walked

LINES = {
    "torch": "import torch",
    "nn": "import torch.nn as nn",
    "F": "import torch.nn.functional as F",
    "optim": "import torch.optim as optim",
    "np": "import numpy as np",
    "Variable": "from torch.autograd import Variable",
    "Tensor": "from torch import Tensor",
    "Parameter": "from torch.nn import Parameter",
    "gradcheck": "from torch.autograd import gradcheck",
    "assert_close": "from torch.testing import assert_close",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Dataset": "from torch.utils.data import Dataset",
    "TensorDataset": "from torch.utils.data import TensorDataset",
    "autocast": "from torch.cuda.amp import autocast",
    "GradScaler": "from torch.cuda.amp import GradScaler",
    "partial": "from functools import partial",
    "reduce": "from functools import reduce",
    "defaultdict": "from collections import defaultdict",
    "OrderedDict": "from collections import OrderedDict",
    "Counter": "from collections import Counter",
    "product": "from itertools import product",
    "perf_counter": "from time import perf_counter",
    "pi": "from math import pi",
    "sqrt": "from math import sqrt",
    "BytesIO": "from io import BytesIO",
    "plt": "import matplotlib.pyplot as plt",
    "pd": "import pandas as pd",
    "tqdm": "from tqdm import tqdm",
    "tl": "import triton.language as tl",
    **{
        name: f"import {name}"
        for name in (
            "argparse", "copy", "ctypes", "functools", "gc", "inspect", "io", "itertools", "json", "logging", "math",
            "multiprocessing", "numpy", "operator", "os", "pickle", "platform", "random", "scipy", "statistics",
            "struct", "subprocess", "sys", "tempfile", "threading", "time", "timeit", "torchaudio", "torchvision",
            "traceback", "triton", "unittest", "warnings",
        )
    },
}  # fmt: skip
"""Name -> the line that everybody means by it."""
ALIASES = ("T", "th", "t", "tc", "pt")
"""Names under which some import torch, where nothing but torch's own words is asked of them."""


def with_imports(code: str) -> tuple[str, tuple[str, ...]]:
    """The code with the imports that it lacks on top, and what was added."""
    tree = parsed(code)
    used = names(code) if tree else None
    if tree is None or used is None or not used.free:
        return code, ()
    wanted = [LINES[name] for name in LINES if name in used.free and _plainly(name, tree)]
    wanted += [f"import torch as {name}" for name in ALIASES if name in used.free and _is_torch(name, tree)]
    if not wanted:
        return code, ()
    at = _place(tree)
    lines = code.splitlines(keepends=True)
    if at and not lines[at - 1].endswith(("\n", "\r")):
        lines[at - 1] += "\n"
    whole = "".join((*lines[:at], *(f"{line}\n" for line in wanted), *lines[at:]))
    return whole, tuple(f"{line} added" for line in wanted)


def importable(name: str) -> bool:
    """Is there a line that everybody means by this name?"""
    return name in LINES


def _plainly(name: str, tree: ast.Module) -> bool:
    """A name that is also a common word counts only where it is called."""
    if name not in ("pi", "sqrt", "product", "reduce", "Counter", "partial"):
        return True
    called = {node.func.id for node in walked(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return name in called or name == "pi"


def _is_torch(name: str, tree: ast.Module) -> bool:
    asked = {
        node.attr
        for node in walked(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }
    return bool(asked & OF_TORCH) and len(asked & OF_TORCH) * 2 >= len(asked)


def _place(tree: ast.Module) -> int:
    """After which line imports may stand: a docstring and imports from the future come first."""
    end = 0
    for number, node in enumerate(tree.body):
        text = node.value if isinstance(node, ast.Expr) else None
        docstring = number == 0 and isinstance(text, ast.Constant) and isinstance(text.value, str)
        if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        end = node.end_lineno or end
    return end
