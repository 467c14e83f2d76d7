"""How long a script takes to be carried over. `python tests/benchmarks/port.py`

The script is made of the cases, of as many as give 100 lines, in nine different choices. Beside it stands how long
this machine takes for a loop of a million turns: on one that does it in 14 ms nothing else was running.
"""

import random
import re
import sys
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from bot.registry import rules
from bot.stages.port import PortError, port
from bot.targets import load
from tests.benchmarks.classify import loop, quickest
from tests.laws import files
from tests.test_cases_port import read

LINES, SCRIPTS = 100, 9


def scripts() -> list[str]:
    """Texts of LINES lines, of whole cases as far as they fit."""
    chance = random.Random(204496)  # noqa: S311
    sources = [read(path).source.strip() + "\n" for path in files("port", "py")]
    plain = [one for one in sources if one.count("\n") > 5 and _ports(one) and not re.search(r"\r|__main__", one)]
    made = []
    for _ in range(SCRIPTS):
        text = ""
        while text.count("\n") < LINES:
            text += chance.choice(plain)
        made.append(text)
    return made


def _ports(code: str) -> bool:
    try:
        port(code, load("xpu"), rules("port"))
    except PortError:
        return False
    return not code.startswith("\ufeff")


if __name__ == "__main__":
    target, found = load("xpu"), rules("port")
    taken = [quickest(lambda one=one: port(one, target, found)) for one in scripts()]  # type: ignore[misc]
    longest = ("import torch\n" + "x = y.cuda()\n" * 9_000)[:99_996]
    hostile = "x = '" + "a.cuda() " * 111_000 + "'"
    print(f"loop of a million turns  {quickest(loop) * 1e3:8.1f} ms")
    print(f"a script of {LINES} lines    {median(taken) * 1e3:8.1f} ms in the median of {SCRIPTS}")
    print(f"7,690 calls to carry over{quickest(lambda: port(longest, target, found)) * 1e3:8.1f} ms")
    print(f"a megabyte               {quickest(lambda: _ports(hostile)) * 1e3:8.3f} ms")
