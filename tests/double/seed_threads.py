"""What is written in a made-up tracker: titles, bodies, labels and files of its issues and pull requests."""

from dataclasses import dataclass, field
from random import Random

from tests.double.nouns import File
from tests.double.seed_text import BOT, DTYPES, MODULES, OPERATORS, PEOPLE, environment, patch, prose, traceback


@dataclass
class Written:
    """A thread before it is opened."""

    title: str
    body: str
    author: str | None
    labels: tuple[str, ...] = ()
    association: str = "NONE"
    files: list[File] = field(default_factory=list)
    defect: bool = False
    """Whether it is about wrong results of a device kernel."""


KERNEL_FAULTS = (
    ("`torch.{op}` returns wrong values on CUDA for more than 2**31 elements", "size = 2**31 + 8", "silent overflow"),
    ("[CUDA] {op}: backward drops contributions in {dtype}", "size = 4096", "lost additions"),
    ("{op} reads out of bounds on CUDA when the last dimension is zero", "size = 0", "illegal access"),
    ("Wrong result of {op} for non-contiguous {dtype} input on GPU", "size = 1000", "wrong stride"),
    ("{op} gives NaN on CUDA where the CPU gives zero", "size = 1", "division by zero"),
)


def issue(dice: Random) -> Written:
    """One of the issues of a day."""
    draw = dice.random()
    if draw < 0.22:
        return disabled_test(dice)
    if draw < 0.34:
        return kernel_defect(dice)
    if draw < 0.62:
        return compiler_issue(dice)
    return other_issue(dice)


def disabled_test(dice: Random) -> Written:
    """What the flaky-test bot opens."""
    op, dtype = dice.choice(OPERATORS), dice.choice(DTYPES)
    name = f"test_{op.strip('_')}_{dice.choice(('cuda', 'cpu', 'xpu'))}_{dtype}"
    body = (
        f"Platforms: {dice.choice(('linux', 'linux, rocm', 'inductor', 'win'))}\n\nSwitched off by the bot: red in "
        f"{dice.randrange(2, 9)} runs and green in {dice.randrange(2, 9)} runs of the same commit within "
        f"{dice.randrange(3, 72)} hours.\n\n**Log of one of them**\n"
        f"{traceback(dice)}\nTest file path: `test_{dice.choice(MODULES)}.py`\n"
    )
    return Written(f"DISABLED {name} (__main__.Test{op.strip('_').title()}CUDA)", body, BOT, ("skipped", "triaged"))


def kernel_defect(dice: Random) -> Written:
    """A report of wrong results with a script that shows them."""
    op, dtype = dice.choice(OPERATORS), dice.choice(DTYPES)
    title, size, symptom = dice.choice(KERNEL_FAULTS)
    device = dice.choice((".cuda()", '.to("cuda")', '.to(device="cuda:0")'))
    script = (
        f"import torch\n\n{size}\ntorch.manual_seed({dice.randrange(99)})\n"
        f"values = torch.ones(size, dtype=torch.{dtype})\nexpected = torch.{op}(values)\n"
        f"got = torch.{op}(values{device})\ntorch.cuda.synchronize()\nprint((got.cpu() - expected).abs().max())\n"
    )
    body = (
        f"### Describe the bug\n\n{prose(dice, dice.choice((2, 4, 8, 40)))}\n\n```python\n{script}```\n\nIt prints "
        f"`tensor({dice.random() * 100:.4f})`, and I expect `tensor(0.)`. It looks like {symptom}.\n\n"
        f"{environment(dice)}"
    )
    usual = ("module: cuda", "triaged", f"module: {dice.choice(('nn', 'reductions', 'indexing'))}")
    labels = usual[: dice.randrange(0, 4)]
    return Written(title.format(op=op, dtype=dtype), body, _person(dice), labels, defect=True)


def compiler_issue(dice: Random) -> Written:
    """About the compiler; some of these carry `module: cuda` too."""
    module = dice.choice(("inductor", "dynamo", "export"))
    op = dice.choice(OPERATORS)
    body = (
        f"### Describe the bug\n\n{prose(dice, dice.randrange(3, 12))}\n\n```python\n@torch.compile(fullgraph=True)\n"
        f"def step(x):\n    return torch.{op}(x).relu()\n\nstep(torch.randn(8, 8, device='cuda'))\n```\n\n"
        f"{traceback(dice) * dice.choice((1, 1, 1, 2, 5))}\n{environment(dice)}"
    )
    labels = ("oncall: pt2", f"module: {module}", *(("module: cuda",) if dice.random() < 0.2 else ()))
    title = (
        f"[{module}] {op} under torch.compile {dice.choice(('recompiles on every call', 'fails to lower', 'is slow'))}"
    )
    return Written(title, body, _person(dice), labels)


def other_issue(dice: Random) -> Written:
    """Wishes, questions and everything else, from half a kilobyte."""
    module = dice.choice(MODULES)
    wish = dice.choice(("Feature request", "Docs", "Question", "UX", "CI"))
    body = f"### {wish}\n\n{prose(dice, dice.choice((8, 12, 16, 60)))}\n\n{environment(dice) * (dice.random() < 0.3)}"
    title = f"{wish}: {dice.choice(('clearer error from', 'an example for', 'less memory in', 'a flag for'))} {module}"
    return Written(title, body, _person(dice), dice.choice(((), ("triaged",), ("feature", f"module: {module}"))))


def pull(dice: Random) -> Written:
    """One of the pull requests of a day."""
    draw = dice.random()
    if draw < 0.15:
        return kernel_fix(dice)
    module, op = dice.choice(MODULES), dice.choice(OPERATORS)
    work = dice.choice(("Simplify", "Add tests for", "Speed up", "Type-annotate", "Move", "Remove dead code from"))
    long = f" and keep the old path of {dice.choice(OPERATORS)} for one more release" if dice.random() < 0.2 else ""
    files = _files(dice, (f"torch/_{module}/{op}.py", f"test/test_{module}.py", "docs/source/notes.md"))
    tried = f"Test plan:\n```\npytest test/test_{module}.py -k {op}\n```\n"
    body = f"{prose(dice, dice.choice((7, 12, 20, 30, 90)))}\n\n{tried}"
    labels = ("open source", f"module: {module}", f"release notes: {module}")
    return Written(f"[{module}] {work} {op}{long}", body, _person(dice), labels, "CONTRIBUTOR", files)


def kernel_fix(dice: Random) -> Written:
    """A change of a CUDA kernel; every fourth says so nowhere but in its files."""
    op = dice.choice(OPERATORS)
    name = op.strip("_").title().replace("_", "")
    tag = dice.choice(("[CUDA] ", "[CUDA] ", "[ROCm] ", ""))
    fault = dice.choice(
        ("Use 64-bit indexing in", "Fix an out-of-bounds read of", "Accumulate in float in", "Check sizes in")
    )
    files = _files(
        dice, (f"aten/src/ATen/native/cuda/{name}.cu", f"aten/src/ATen/native/cuda/{name}.cuh", "test/test_torch.py")
    )
    script = f"```python\nimport torch\nprint(torch.{op}(torch.ones(9).cuda()))\n```\n"
    body = f"{prose(dice, dice.randrange(6, 20))}\n\n{script}"
    labels = ("module: cuda", "open source", "release notes: cuda")
    return Written(f"{tag}{fault} {op}", body, _person(dice), labels, "COLLABORATOR", files, defect=True)


def _files(dice: Random, paths: tuple[str, ...]) -> list[File]:
    made = []
    for path in paths[: dice.randrange(1, len(paths) + 1)]:
        added, removed = dice.randrange(1, 30), dice.randrange(0, 12)
        made.append(
            File(
                path, added, removed, patch(dice, path, added, removed), dice.choice(("MODIFIED", "MODIFIED", "ADDED"))
            )
        )
    return made


def _person(dice: Random) -> str | None:
    """An author; one in fifty has deleted the account."""
    return None if dice.random() < 0.02 else dice.choice(PEOPLE)
