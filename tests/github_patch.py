"""The patch that GitHub shows of two versions of a file: hunks with three lines of context and git's headings."""

import difflib
import re
from collections.abc import Iterator

CONTEXT = 3
SHOWN = 80
"""Bytes of a heading that git shows."""


def patch_of(before: str, after: str) -> str:
    """The `patch` field of a changed file; empty where nothing changed."""
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return "\n".join(line for group in matcher.get_grouped_opcodes(CONTEXT) for line in _hunk(group, old, new))


def _hunk(group: list[tuple[str, int, int, int, int]], old: list[str], new: list[str]) -> Iterator[str]:
    (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
    heading = next((line for line in reversed(old[:old_start]) if re.match(r"[A-Za-z_$]", line)), "")
    gone, count = old_end - old_start, new_end - new_start
    place = f"-{old_start + bool(gone)},{gone} +{new_start + bool(count)},{count}"
    yield f"@@ {place} @@ {heading[:SHOWN]}".rstrip()
    for tag, first, last, new_first, new_last in group:
        if tag == "equal":
            yield from (f" {line}" for line in old[first:last])
        else:
            yield from (f"-{line}" for line in old[first:last])
            yield from (f"+{line}" for line in new[new_first:new_last])
