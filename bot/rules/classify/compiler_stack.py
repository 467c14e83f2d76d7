"""Compiled code and autograd's own layer are shared by all devices: a fix there covers XPU too."""

import re
from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.spans import among_labels, code_files, in_body, in_file, in_title, words

LABELS = (
    "oncall: pt2", "oncall: export", "oncall: jit", "module: inductor", "module: dynamo", "module: aotdispatch",
    "module: aotinductor", "module: functionalization", "module: pt2-dispatcher", "module: functorch",
    "module: dynamic shapes", "module: fx", "module: flex attention", "module: custom-operators",
)  # fmt: skip
TAGS = re.compile(
    r"\[(?:inductor|dynamo|AOTI\w*|AOTInductor|AOTAutograd|export|fx|functorch|compile\w*|pt2|triton|JIT|autograd|vmap"
    r"|pytree|dynamic shapes|subclass\w*|flex\w*|nativert|cpp_wrapper|max-autotune|hop)\b[^]]*\]",
    re.IGNORECASE,
)
TITLE = words(
    r"torch\.compile\w*", r"inductor", r"dynamo", r"torchinductor", r"TorchScript", r"torch\.jit\S*", r"torch\.export",
    r"graph breaks?", r"aot_?autograd", r"functionali[sz]ation", r"flex_?attention", r"lowering\w*", r"FakeTensor\w*",
    r"fake tensors?", r"meta (?:kernel|function|registration)s?", r"decomp\w*", r"vmap", r"pytree",
    r"tracing", r"traced", r"symbolic", r"triton",
)  # fmt: skip
CALL = words(r"torch\.compile\(", r"torch\._dynamo", r"torch\._inductor", r"torch\.export\.export", r"torch\.jit\.\w+")
PATHS = ("torch/_inductor/", "torch/_dynamo/", "torch/_functorch/", "torch/fx/", "torch/export/", "torch/_export/",
         "torch/csrc/jit/", "torch/csrc/inductor/", "torch/_subclasses/", "torch/_decomp/", "torch/_refs/",
         "torch/_higher_order_ops/", "torch/csrc/autograd/", "torch/autograd/", "torch/_meta_registrations.py")  # fmt: skip


def rule(item: Item) -> Iterable[Claim]:
    """Tags, labels and paths are strong; a call of the compiler inside a script is a hint."""
    paths = list(code_files(item))
    shared = next((path for path in paths if path.startswith(PATHS)), None)
    if not all(path.startswith(("torch/", "functorch/")) for path in paths):
        shared = None
    for why, span, weight, veto in (
        ("the changed files are shared by all devices", in_file(shared), 4.0, True),
        ("the title carries the compiler's tag", in_title(item, TAGS), 4.0, True),
        ("the title names the compiler", in_title(item, TITLE), 3.5, False),
        ("a label names the compiler", among_labels(item, LABELS), 3.0, False),
        ("the script calls the compiler", in_body(item, CALL), 2.0, False),
    ):
        if span:
            yield Claim(why=why, item_class=ItemClass.SHARED_UPSTREAM, weight=weight, veto=veto, span=span)
