"""What concerns one other device, its architectures, its driver or its operating system, concerns no XPU kernel."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass
from bot.rules.devices import DEVICE, GPU
from bot.rules.phrases import Phrases
from bot.rules.signals import Signal, Signals
from bot.rules.spans import claim, code_files, in_file

LABELS = frozenset((
    "module: mps", "module: xla", "module: vulkan", "module: mtia", "module: privateuse1", "module: macos",
    "module: hpu", "release notes: mps",
))  # fmt: skip
"""No `ciflow/...`: those say which tests run, not what is changed."""
ARCHITECTURE = Phrases(
    "support|enable|enablement|bringup|add|adds ..4 gfx*|rdna*|mi300*|mi350*|sm_*|sm100|sm120|sm90*|blackwell|hopper|jetson"
)
SYSTEM = Phrases("windows", "libtorch", "gfx*", "rdna*", "mi300*", "mi250*", "mi200", "mi350*", "mi100", "wsl*", "jetson", "blackwell", "hopper", "sm_*", "sm100", "sm120", "sm90*", "gb200",
                 "b200", "rtx", "compute capability", "warp_size", "c10_warp_size", "wave32", "wavefront", "arch list", "p2p", "peer to peer", "stream", "streams", "tma",
                 "tensor core*", "wmma", "mfma", "rocm 5|6|7", "rocm6", "hip error")  # fmt: skip
SYSTEM_LABELS = frozenset(("module: windows", "module: wsl", "module: third_party", "module: jetson"))
ROCM = Phrases("rocm", "hip", "amd", "miopen", "hipify")
ROCM_LABELS = frozenset(("module: rocm",))
PROSE = Phrases(
    "rocm", "gfx*", "windows", "driver", "toolchain", "mps", "macos", "amd", "cuda version", "one build",
    "wavefront", "stream", "runtime",
)  # fmt: skip
SIGNALS = Signals(
    ItemClass.PLATFORM_EXCLUSIVE,
    Signal("tags", DEVICE, 4.0, "the title carries another device's tag", veto=True, only=GPU),
    Signal("title", DEVICE, 5.0, "the title names another device", veto=True, unless=GPU),
    Signal("labels", LABELS, 4.0, "a label names another device", veto=True, unless=GPU),
    Signal("title", ARCHITECTURE, 3.0, "the title brings up an architecture"),
    Signal("title", SYSTEM, 2.0, "the title names an architecture or a system"),
    Signal("labels", SYSTEM_LABELS, 2.0, "a label names a system"),
    Signal("tags", ROCM, 1.0, "the title carries ROCm's tag"),
    Signal("title", ROCM, 0.5, "the title names ROCm"),
    Signal("labels", ROCM_LABELS, 0.5, "a label names ROCm"),
    Signal("lead", PROSE, 1.0, "the text names a system"),
)


def rule(item: Item) -> Iterable[Claim]:
    """Another device's tag is a veto; an architecture or an operating system in the title speaks for it."""
    yield from SIGNALS.claims(item)
    touched = in_file(next((path for path in code_files(item) if "/mps/" in path or "/metal/" in path), None))
    if touched:
        yield claim("another device's files are changed", ItemClass.PLATFORM_EXCLUSIVE, 3.0, touched)
