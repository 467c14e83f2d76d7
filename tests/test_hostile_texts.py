"""Texts that are made to be slow, at the largest size that gets in: each is read by a process with little CPU time.

Counted calls see no regular expression: one that looks at a text again from each of its places is a single call. What
is limited is the process's own CPU time, many times what is needed, so that a busy machine changes nothing.
"""

import subprocess
import sys

import pytest

CPU_S = 20
LIMITED = f"""
import resource
resource.setrlimit(resource.RLIMIT_CPU, ({CPU_S}, {CPU_S}))
N = 60_000
"""
EXIT = """
from bot.sanitising import ExitRules, Refused, sanitise
try:
    sanitise({text}, ExitRules(repository="intel/torch-xpu-ops"))
except Refused:
    print("refused")
"""
MARKS = """
from bot.model.marks import holds_block, replaced, unmarked
text = {text}
unmarked(text), holds_block(text, "0"), replaced(text, "", "0")
"""
BRANCHES = """
from bot.cpp.branches import taken
taken(b"USE_ROCM\\n" + {text})
"""
MESSAGE = """
from bot.stages.changed import FIRST_TEXT
FIRST_TEXT.search({text})
"""


@pytest.mark.parametrize(
    ("reads", "text"),
    [
        (EXIT, "'fix' + ' ' * N + 'x'"),
        (EXIT, "'a\\n' + '-' * N + 'x'"),
        (EXIT, "'a\\n' + '|-' * (N // 2) + 'x'"),
        (EXIT, "'-sk-' * (N // 4)"),
        (EXIT, "'-eyJaaaaaaaa' * (N // 12)"),
        (EXIT, "'authorization' + ' ' * N"),
        (EXIT, "'<!-- alignbot:' * (N // 14)"),
        (MARKS, "'<!-- alignbot:' * (4 * N // 14)"),
        (MARKS, "'<!-- alignbot:begin intent=0 sha=0 -->\\n' * (4 * N // 40)"),
        (BRANCHES, "b'#if' + b' ' * N + b'?'"),
        (BRANCHES, "b'#if defined' + b' ' * N + b'?'"),
        (BRANCHES, "b'#if a' + b' ' * N + b'?'"),
        (MESSAGE, "'\"' + '\\\\\"' * N"),
    ],
)
def test_no_text_is_looked_at_from_each_of_its_places(reads: str, text: str) -> None:
    """It is read, or refused, before the CPU time is up."""
    code = LIMITED + reads.format(text=text)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
