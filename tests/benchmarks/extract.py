"""How long reading a thread takes: a usual one of 100 lines, and hostile ones. `python tests/benchmarks/extract.py`

Beside it stands how long this machine takes for a loop of a million turns.
"""

from bot.registry import rules
from bot.stages.extract import extract_text
from tests.benchmarks.classify import CODE, SENTENCES, loop, quickest
from tests.test_cases_extract import HOSTILE

THREAD = "\n\n".join([*SENTENCES[:6], CODE, *SENTENCES[6:], CODE.replace("bfloat16", "float16"), *SENTENCES] * 2)

if __name__ == "__main__":
    found = rules("extract")
    print(f"loop of a million turns  {quickest(loop) * 1e3:8.1f} ms")
    lines = THREAD.count("\n")
    print(f"a thread of {lines} lines   {quickest(lambda: extract_text(THREAD, found)) * 1e3:8.1f} ms")
    for name, text in HOSTILE.items():
        print(f"{name:<22} {len(text):>9,} characters  {quickest(lambda text=text: extract_text(text, found)):6.2f} s")
