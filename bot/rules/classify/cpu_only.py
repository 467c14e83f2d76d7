"""A fault of the CPU's kernels alone has no counterpart on a GPU."""

from collections.abc import Iterable

from bot.model import Claim, Item, ItemClass, Span
from bot.rules.devices import GPU, GPU_LABELS
from bot.rules.phrases import Phrases
from bot.rules.spans import among_labels, claim, code_files, in_code, in_lead, in_title, reading, span

CPU = Phrases(
    "cpu", "on cpu", "cpu only", "mkl*", "mkldnn", "onednn", "avx*", "neon", "sve*", "x86", "arm64", "aarch64",
    "openmp", "vec256", "cpu_fallback", "heap",
)  # fmt: skip
PROSE = Phrases("cpu", "mkl", "mkldnn", "onednn", "avx*", "aarch64", "openmp", "numpy")
LABELS = frozenset((
    "module: cpu", "module: mkldnn", "module: intel", "module: arm", "module: vectorization", "module: mkl",
    "module: openmp",
))  # fmt: skip
PATHS = ("aten/src/ATen/native/cpu/", "aten/src/ATen/native/mkldnn/", "aten/src/ATen/cpu/", "aten/src/ATen/native/mkl/")
SANITIZER = Phrases(
    "heap buffer overflow", "addresssanitizer", "segmentation fault*", "segment fault*", "segfault*", "asan",
    "heap", "bad free", "sigsegv", "core dumped",
)  # fmt: skip

DIES = Phrases(
    "segmentation fault*", "segment fault*", "segfault*", "sigsegv", "core dumped", "addresssanitizer", "asan", "sigfpe",
    "floating point exception", "heap buffer overflow",
)  # fmt: skip
"""What only a process on the CPU dies of: a GPU's kernel ends in an error of its runtime."""


def rule(item: Item) -> Iterable[Claim]:
    """Only where no GPU is named: a GPU report often quotes the CPU as the right answer."""
    if in_title(item, GPU) or among_labels(item, GPU_LABELS):
        return
    paths = list(code_files(item))
    if paths and all(path.startswith(PATHS) for path in paths):
        yield _claim("only CPU kernels are changed", span("files", paths[0]), 4.0)
    elsewhere = in_lead(item, GPU) is None and in_code(item, GPU) is None
    for why, place, weight in (
        ("the title carries the CPU's tag", _tagged(item) if elsewhere else None, 2.0),
        ("the title names the CPU and nothing a GPU", in_title(item, CPU) if elsewhere else None, 3.0),
        ("the title names the CPU", in_title(item, CPU) if not elsewhere else None, 1.5),
        ("the text names the CPU and nothing a GPU", in_lead(item, PROSE) if elsewhere else None, 1.5),
        ("a label names the CPU", among_labels(item, LABELS), 2.0),
        ("the title begins with the CPU", _first(item), 2.0),
        ("the process dies in the title, without a word of a GPU", in_title(item, DIES) if elsewhere else None, 2.5),
        (
            "a crash without a word of a GPU",
            in_title(item, SANITIZER) or in_lead(item, SANITIZER) if elsewhere else None,
            2.0,
        ),
    ):
        if place:
            yield _claim(why, place, weight)


def _tagged(item: Item) -> Span | None:
    found = reading(item).tags.found(CPU)
    return span("title", found) if found else None


def _first(item: Item) -> Span | None:
    read = reading(item)
    return span("title", read.verb_as_written) if read.verb == "cpu" else None


def _claim(why: str, place: Span, weight: float) -> Claim:
    return claim(why, ItemClass.CPU_ONLY, weight, place)
