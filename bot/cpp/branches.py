"""Preprocessor branches for other vendors and compilers are blanked: braces that two branches share break the parse.

Only conditions on one such macro alone are decided here; all others stay as they are, with both of their branches.
"""

import re

NEVER = frozenset({
    b"USE_ROCM", b"__HIP_PLATFORM_AMD__", b"__HIP_PLATFORM_HCC__", b"__HIPCC__", b"__HIP__", b"_MSC_VER", b"_WIN32",
    b"__APPLE__",
})  # fmt: skip
"""Macros that no build has in which the kernels meet that are compared here."""
DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
TERM = re.compile(rb"\s*+(!?)\s*+(?:defined\s*+\(?\s*+)?(\w+)\s*+\)?\s*+(?://.*|/\*.*)?$")
UNDECIDED, TAKEN, LEFT_OUT, DONE = "undecided", "taken", "left out", "done"
"""Of a branch. DONE is left out too, and so is all that follows: a branch before it was taken."""
GONE = frozenset({LEFT_OUT, DONE})


def taken(content: bytes, never: frozenset[bytes] = NEVER) -> bytes:
    """The same text, as long and with the same lines, without what is only for other vendors."""
    if not any(name in content for name in never):
        return content
    lines = content.split(b"\n")
    around: list[str] = []
    """What is known of the branch that each `#if` around is in."""
    for number, line in enumerate(lines):
        found = DIRECTIVE.match(line)
        if found is None:
            if GONE.intersection(around):
                lines[number] = b" " * len(line)
            continue
        word, rest = found.groups()
        before = around[-1:]
        decided = _enter(around, word, rest, never)
        outside = around if word == b"endif" else around[:-1]
        if decided or GONE.intersection(outside):
            lines[number] = b" " * len(line)
        elif word == b"elif" and before == [LEFT_OUT]:
            lines[number] = line.replace(b"elif", b"if  ", 1)  # the first question is gone, this one is asked now
    return b"\n".join(lines) if not around else content  # an `#if` that never ends: nothing is sure


def _enter(around: list[str], word: bytes, rest: bytes, never: frozenset[bytes]) -> bool:
    """Follow a directive; was its branch decided, so that nobody needs it?"""
    if word.startswith(b"if"):
        around.append(_decided(word, rest, never))
    elif not around:
        return False
    elif word == b"endif":
        return around.pop() != UNDECIDED
    elif around[-1] != UNDECIDED:
        asks = word == b"elif"
        around[-1] = (UNDECIDED if asks else TAKEN) if around[-1] == LEFT_OUT else DONE
    return around[-1] != UNDECIDED


def _decided(word: bytes, rest: bytes, never: frozenset[bytes]) -> str:
    """What a condition on a single macro comes to."""
    term = TERM.match(rest)
    if term is None or term[2] not in never:
        return UNDECIDED
    return TAKEN if (word == b"ifndef") != bool(term[1]) else LEFT_OUT
