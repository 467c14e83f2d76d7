"""How many items a second are ruled on: bodies of 4 kB, each with its own words. `python tests/benchmarks/classify.py`

Beside it stands how long this machine takes for a loop of a million turns: on one that does it in 14 ms nothing else
was running.
"""

import random
import time
from collections.abc import Callable

from bot.model import Item
from bot.registry import rules
from bot.stages.classify import rule_on

ITEMS, ROUNDS, BODY = 1_000, 9, 4_096
CODE = """```python
import torch
import torch.nn.functional as F
x = torch.tensor([0.0, 1.0], device="cuda").expand(1, 2048, 2, 2).to(torch.bfloat16)
grid = torch.zeros(1, 1, 1, 2, device="cuda", dtype=torch.bfloat16, requires_grad=True)
F.grid_sample(x, grid, align_corners=False).backward(torch.ones(1, 2048, 1, 1, device="cuda"))
print(grid.grad)
```
"""
SENTENCES = (
    "I noticed this while training a detector and it took me two days to reduce it to the lines below.",
    "On the CPU the same call gives what the formula in the documentation says.",
    "With {size} rows everything is fine, one row more and the values at the end are wrong.",
    "It happens on two machines with different cards, and also with the nightly of last week.",
    "I could not find an older report about {name}, please close this one if there is.",
    "We use it inside of a larger model, where the loss suddenly becomes {name} after some thousand steps.",
    "Reading the source I believe that the offset is computed in {name} before it is widened.",
    "The gradient of {name} is zero although it should be {size}.",
    "Let me know if you need the whole script, I can share it.",
    "Without {name} the problem goes away, so it may have to do with the layout of the input.",
    "Expected is the tensor that the loop over single rows returns.",
    "My colleague saw something like it in {name} last year, and it was solved by an upgrade then.",
)
OPERATORS = ("cumsum", "grid_sample", "topk", "layer_norm", "index_add_", "max_pool2d", "scatter_add", "nll_loss")


def items() -> list[Item]:
    """Issues in the form that upstream asks for: prose, code, log, environment."""
    chance = random.Random(204496)  # noqa: S311

    def prose(count: int) -> str:
        name = "".join(chance.choices("abcdefgh_", k=chance.randint(4, 9)))
        return " ".join(chance.choices(SENTENCES, k=count)).format(size=chance.randint(9, 99_999), name=name) + "\n"

    def one(number: int) -> Item:
        head = f"### 🐛 Describe the bug\n\n{prose(6)}\n{CODE}\n{prose(3)}\n"
        body = (head + "".join(prose(5) for _ in range(20)))[:BODY]
        operator, what = chance.choice(OPERATORS), chance.choice(("wrong", "other", "no"))
        title = f"{operator} gives {what} values on CUDA for {chance.randint(9, 99_999)} rows"
        return Item(repo="a/b", number=number, kind="issue", title=title, body=body, labels=("module: cuda", "triaged"))

    return [one(number) for number in range(1, ITEMS + 1)]


def quickest(work: Callable[[], object]) -> float:
    """Processor seconds of the quickest round."""
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def loop() -> None:
    """A million turns of nothing."""
    for _ in range(1_000_000):
        pass


if __name__ == "__main__":
    made, found = items(), rules("classify")
    per_item = quickest(lambda: [rule_on(item, found) for item in made]) / ITEMS
    longest = Item(repo="a/b", number=1, kind="issue", title="x", body="[" * 1_000_000)
    print(f"loop of a million turns  {quickest(loop) * 1e3:8.1f} ms")
    print(f"an item of {BODY} bytes    {per_item * 1e3:8.3f} ms, {1 / per_item:,.0f} a second")
    print(f"a body of a megabyte     {quickest(lambda: rule_on(longest.model_copy(), found)) * 1e3:8.3f} ms")
