"""Output, tracebacks and environment dumps are not code, also where they are tagged as Python."""

import re

from bot.model import Block, Passed

DUMPS = (
    ("the environment as collect_env prints it", re.compile(r"^(?:PyTorch|CUDA|ROCM|OS|GCC|Python) version\s*:|^Collecting environment|^Versions of relevant", re.M)),
    ("a traceback", re.compile(r"^Traceback \(most recent call last\)|^[ \t]*File \"[^\"]+\", line \d+", re.M)),
    ("a sanitizer's log", re.compile(r"^=+ (?:COMPUTE-SANITIZER|Invalid __|ERROR SUMMARY)|^==\d+==", re.M)),
    ("shell commands", re.compile(r"^[ \t]*\$ \w+|^(?:pip|conda|python|git|export) \S+", re.M)),
    ("a patch", re.compile(r"^(?:diff --git|@@ -\d+|[+-]{3} [ab]/)", re.M)),
)  # fmt: skip


def rule(block: Block) -> Passed | None:
    """Name the kind of text that the block is."""
    for what, pattern in DUMPS:
        if pattern.search(block.text):
            return Passed(why=f"it is {what}")
    return None
