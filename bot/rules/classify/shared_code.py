"""Python front ends, c10 and checks before the dispatch are one source for all devices."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.devices import GPU
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import all_code, claim, in_file

LABELS = frozenset((
    "module: optimizer", "module: internals", "module: autograd", "module: serialization", "module: dataloader", "module: python frontend",
    "module: python dispatcher", "module: nestedtensor", "module: complex", "module: amp (automated mixed precision)", "release notes: cpp",
    "module: python array api", "module: dispatch", "module: tensor creation",
))  # fmt: skip
CORE = Phrases(
    "c10", "structured", "structured meta", "composite*", "torch library", "native_functions*", "dispatcher",
    "autocast", "state_dict", "dataloader", "shared header*|code|check*|front", "all backends|devices",
    "device agnostic", "every backend|device", "python front|side|level", "meta function*|kernel*|registration*",
    "optimizer front",
)  # fmt: skip
TITLE = Phrases(
    "autograd", "optimizer*", "optim", "meta", "python side", "front end", "frontend", "composite*", "derivative formula*", "adamw",
    "autocast", "dataloader", "serializ*", "hook*", "subclass*", "dispatcher", "torch library", "native_functions*", "device agnostic",
    "double backward", "gradcheck", "gradgradcheck", "torch save|load", "pickle*", "is_cuda", "c10 util", "torch_function", "__torch_dispatch__", "derivative*",
    "functionsmanual", "typing", "type annotation*", "module state_dict", "state_dict", "nn module", "streams", "as_strided",
)  # fmt: skip
ALERT = Phrases(
    "nondeterministic|deterministic|nondeterminism|determinism alert*|error*|warning*", "non deterministic alert*|error*|warning*",
)  # fmt: skip
"""What an operator says when it may not be used in deterministic mode: where no GPU is named, its front end says it."""
PROSE = Phrases(
    "shared", "composite*", "structured meta", "c10", "front end", "all backends|devices", "device agnostic", "every backend|device", "optimizer", "python side",
    "autograd formula", "derivatives yaml", "cpu and cuda alike", "backward formula", "backend neutral|independent", "python level", "autocast",
)  # fmt: skip
PATHS = ("c10/core/", "c10/util/", "torch/nn/", "torch/optim/", "torch/utils/", "torch/amp/", "torch/_", "torch/csrc/",
         "torch/sparse/", "torch/nested/", "torch/linalg/", "torch/fft/", "torch/functional.py", "torch/serialization.py",
         "aten/src/ATen/core/", "aten/src/ATen/templates/", "torchgen/", "aten/src/ATen/native/native_functions.yaml")  # fmt: skip
SIGNALS = Signals(
    ItemClass.SHARED_UPSTREAM,
    Signal("tags", TITLE, 2.0, "the title carries the tag of shared code"),
    Signal("title", CORE, 2.0, "the title names the core"),
    Signal("title", ALERT, 5.0, "the title speaks of an alert that no device owns", unless=GPU),
    Signal("lead", CORE, 1.5, "the text names the core"),
    Signal("title", TITLE, 1.5, "the title names shared code"),
    Signal("lead", PROSE, 1.0, "the text names shared code"),
    Signal("labels", LABELS, 0.5, "a label names shared code"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Paths are strong, words weak: a kernel's fault is often told by what autograd shows of it."""
    yield from SIGNALS.claims(item)
    touched = in_file(all_code(item, PATHS))
    if touched:
        yield claim("only code that all devices run is changed", ItemClass.SHARED_UPSTREAM, 4.0, touched)
