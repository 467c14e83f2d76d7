"""Bodies on their way out: a usual draft, and texts made to be slow, in seconds of this process on one core."""

import time

from bot.sanitising import BODY_LIMIT, Refused, sanitise
from tests.exit_rules import RULES
from tests.test_sanitising import HOSTILE_TEXTS

MEGABYTE = 1_000_000
USUAL = (
    "### Summary\n\n`op` on XPU gives `[256, 0]`, where `[2048, 0]` is right.\n\n"
    "- issue [intel/torch-xpu-ops#5](https://github.com/intel/torch-xpu-ops/issues/5), `title`, created 2026-11-11.\n\n"
    "| call | dtype | observed |\n|---|---|---|\n| 1 | bfloat16 | `[256, 0]` |\n| 2 | float16 | `[1024, 0]` |\n\n"
    "```python\nimport torch\n\nprint(torch.ones(1))\n```\n\n"
)


def taken(body: str) -> tuple[float, str]:
    """Seconds of this process, and what came of it."""
    start = time.process_time()
    try:
        came = f"{len(sanitise(body, RULES).body):,} characters"
    except Refused as refused:
        came = str(refused)
    return time.process_time() - start, came


def main() -> None:
    """One line for each text."""
    texts = {"usual, 10 kB": USUAL * 22, "usual, 60 kB": USUAL * 130}
    texts |= {f"{name}, {BODY_LIMIT:,}": make(BODY_LIMIT)[:BODY_LIMIT] for name, make in HOSTILE_TEXTS.items()}
    texts["brackets, 1 MB"] = "[" * MEGABYTE
    for name, body in texts.items():
        seconds, came = taken(body)
        print(f"{name:<34}{seconds:9.3f} s  {came}")


if __name__ == "__main__":
    main()
