"""Compiled code and autograd's own layer are shared by all devices: a fix there covers XPU too."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, code_files, in_file

LABELS = frozenset((
    "oncall: pt2", "oncall: export", "oncall: jit", "module: inductor", "module: dynamo", "module: aotdispatch",
    "module: aotinductor", "module: functionalization", "module: pt2-dispatcher", "module: functorch", "module: pt2 accuracy",
    "module: dynamic shapes", "module: fx", "module: flex attention", "module: custom-operators", "module: higher order operators",
    "module: decompositions", "module: vmap", "module: cpp_wrapper", "module: user triton", "module: compiled autograd",
    "module: compiled streams", "module: faketensor", "module: cpu inductor", "module: compile-time", "module: activation-checkpointing",
))  # fmt: skip
PART_LABELS = frozenset((
    "module: inductor", "module: dynamo", "module: aotdispatch", "module: aotinductor", "module: user triton", "module: dynamic shapes",
    "module: functionalization", "module: pt2-dispatcher", "module: cpp_wrapper", "module: flex attention", "oncall: cpu inductor",
))  # fmt: skip
"""Whoever sets one of these has seen the generated code or the graph; the compiler's on-call is asked also otherwise."""
COMPILER = Phrases(
    "inductor", "torchinductor", "dynamo", "torchdynamo", "aoti*", "aotautograd", "aot_autograd", "torch compile*", "torch jit", "torch export",
    "torchscript", "graph break*", "graph_break*", "functionali*", "flexattention", "flex_attention", "flex attention", "lowering*",
    "loweringexception", "faketensor*", "fake tensor*", "vmap", "functorch", "pytree", "symint*", "unbacked", "dynamic shape*", "decomp*", "triton",
    "precompile", "user streams", "fx graph", "fx", "export", "jit", "aten compile", "codegen", "cpp_wrapper", "max autotune", "compiled autograd", "hop",
    "nativert", "traced", "tracing", "partitioner", "guard_*", "meta kernel*|function*|registration*", "pt2", "compile",
    "symbolic shape*|int*", "compiled kernel*|code|function*|graph*|region*",
)  # fmt: skip
TRACED = Phrases("fake", "meta", "refs", "prims", "primtorch", "proxytensor", "proxy tensor", "make_fx", "nvfuser")
PROSE = Phrases(
    "inductor", "dynamo", "torch compile*", "torchdynamo", "aotautograd", "aot_autograd", "aotinductor", "torch export", "torchscript", "graph break*",
    "triton", "functionali*", "lowering", "generated kernel*", "codegen", "fx graph", "partitioner", "compiled", "faketensor", "functorch", "vmap", "traced|tracing",
)  # fmt: skip
CALL = Phrases(
    "torch compile", "torch _dynamo", "torch _inductor", "torch export export", "torch jit", "_inductor", "_dynamo",
    "torchinductor_*",
)  # fmt: skip
PATHS = ("torch/_inductor/", "torch/_dynamo/", "torch/_functorch/", "torch/fx/", "torch/export/", "torch/_export/",
         "torch/csrc/jit/", "torch/csrc/inductor/", "torch/_subclasses/", "torch/_decomp/", "torch/_refs/", "torch/_prims",
         "torch/_higher_order_ops/", "torch/csrc/autograd/", "torch/csrc/dynamo/", "torch/autograd/", "torch/_meta_registrations.py",
         "torch/csrc/export/", "torch/csrc/functorch/", "aten/src/ATen/functorch/", "functorch/", "torch/jit/", "tools/autograd/", "torch/_compile",
         "torch/compiler/", "torch/_native/")  # fmt: skip
SIGNALS = Signals(
    ItemClass.SHARED_UPSTREAM,
    Signal("tags", COMPILER, 4.0, "the title carries the compiler's tag", veto=True),
    Signal("tags", TRACED, 4.0, "the title carries the tag of tracing", veto=True),
    Signal("title", COMPILER, 3.5, "the title names the compiler"),
    Signal("labels", LABELS, 3.5, "a label names the compiler"),
    Signal("labels", PART_LABELS, 2.0, "a label names a part of the compiler"),
    Signal("lead", PROSE, 2.5, "the text speaks of the compiler"),
    Signal("code", CALL, 2.0, "the script calls the compiler"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Tags, labels and paths are strong; a call of the compiler inside a script is a hint."""
    yield from SIGNALS.claims(item)
    paths = list(code_files(item))
    shared = next((path for path in paths if path.startswith(PATHS)), None)
    touched = in_file(shared)
    if touched and all(path.startswith(("torch/", "functorch/", "tools/autograd/")) for path in paths):
        yield claim("the changed files are shared by all devices", ItemClass.SHARED_UPSTREAM, 4.0, touched, veto=True)
