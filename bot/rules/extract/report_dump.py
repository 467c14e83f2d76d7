"""Output, tracebacks and environment dumps are not code, also where they are tagged as Python."""

import re

from bot.model import Block, Passed

DUMPS = (
    ("the environment as collect_env prints it", re.compile(r"^(?:PyTorch|CUDA|ROCM|OS|GCC|Python) version\s*:|^Collecting environment|^Versions of relevant|^Is debug build:", re.M)),
    ("a traceback", re.compile(r"^[ \t]*Traceback \(most recent call last\)|^[ \t]*File \"[^\"\n]+\", line \d+", re.M)),
    ("a sanitizer's log", re.compile(r"^=+ (?:COMPUTE-SANITIZER|CUDA-MEMCHECK|Invalid __|ERROR SUMMARY|Program hit)|^==\d+==", re.M)),
    ("what nvidia-smi prints", re.compile(r"^\| NVIDIA-SMI|^\+-{20,}[+-]", re.M)),
    ("a list of packages", re.compile(r"^(?:\[(?:pip3?|conda)\] \S+|(?:[\w.-]+(?:==| {2,})v?\d+(?:\.\d+)+\S*[^\n]*\n){3})", re.M)),
    ("a stack of native frames", re.compile(r"^frame #\d+:|^#\d+ +(?:0x[0-9a-f]+|\w+ )", re.M)),
    ("a test run's log", re.compile(r"^=+ (?:FAILURES|ERRORS|test session starts) =+|^Ran \d+ tests? in |^FAIL: test_|^(?:PASSED|FAILED) \S*test", re.M)),
    ("shell commands", re.compile(r"^[ \t]*\$ \w+|^(?:pip3?|conda|python3?|git|export|sudo|wget|CUDA_\w+=\S+) \S+", re.M)),
    ("a patch", re.compile(r"^(?:diff --git|@@ -\d+|[+-]{3} [ab]/)", re.M)),
)  # fmt: skip


def rule(block: Block) -> Passed | None:
    """Name the kind of text that the block is."""
    for what, pattern in DUMPS:
        if pattern.search(block.text):
            return Passed(why=f"it is {what}")
    return None
