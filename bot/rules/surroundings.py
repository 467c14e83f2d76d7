"""Questions about the machine: versions and devices. A script that asks nothing else shows no fault."""

import ast

from bot.syntax import dotted, walked

ASKS = (
    "torch.__version__", "torch.version", "torch.__config__", "torch.cuda.is_available", "torch.cuda.get_device_",
    "torch.cuda.device_count", "torch.cuda.get_arch_list", "torch.cuda.current_device", "torch.backends",
    "torch.utils.collect_env", "torch.xpu.is_available", "torch.xpu.get_device_", "torch.xpu.device_count",
    "torch.get_num_threads", "torch.__file__", "torch.git_version", "torch.cuda.nccl.version", "torch.has_",
    "torch.cuda.empty_cache", "torch.cuda.synchronize", "torch.cuda.init", "torch.cuda.memory_",
)  # fmt: skip
MOST = 100
"""Statements of a script that may ask nothing else."""
PLAIN = frozenset({"print", "str", "repr", "len", "range", "join", "format", "main", "getenv", "get", "version"})
"""Calls that do nothing with a tensor."""


def asks_the_machine(tree: ast.Module) -> bool:
    """Is everything of torch that it uses a version or a device's name?"""
    if len(tree.body) > MOST:
        return False
    asked = [name for node in walked(tree) if isinstance(node, ast.Attribute) and (name := dotted(node))]
    of_torch = [name for name in asked if name.startswith("torch.") and not any(one.startswith(name) for one in ASKS)]
    called = [node.func for node in walked(tree) if isinstance(node, ast.Call)]
    others = [one for one in called if not (dotted(one) or "").startswith(ASKS) and _last(one) not in PLAIN]
    first = any(name.startswith(ASKS) for name in asked)
    return first and not others and all(name.startswith(ASKS) for name in of_torch)


def _last(function: ast.expr) -> str:
    return str(getattr(function, "attr", getattr(function, "id", "")))
