"""A port with something left over that matters is never run as evidence; one whose leftovers don't matter is."""

from pathlib import Path

import pytest

from bot.model import Absent, Case, RunEvidence
from bot.pipeline.following import follow
from bot.registry import rules
from bot.stages.classify import classify
from bot.stages.extract import extract_text
from bot.stages.markup import fence
from tests.fakes import Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

LEFT = 'import torch\n\n\ndef {head}:\n    torch.cuda.nvtx.mark("here")\n\n\n{use}\n'
SCRIPTS = {
    "called": (LEFT.format(head="run()", use="run()"), False),
    "called by a name in a string": (LEFT.format(head="run()", use='exec("run()")'), False),
    "called by a made-up name": (LEFT.format(head="run_big()", use='globals()["run_" + "big"]()'), False),
    "never called": (LEFT.format(head="run()", use="print(torch.ones(2))"), True),
    "a module's own": ("import torch\nclass A(torch.nn.Module):\n    def forward(self, x):\n        x.cuda(1)", False),
}  # fmt: skip
"""Case -> a script, and whether its port is run."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_matters_bars_the_run(name: str, tmp_path: Path) -> None:
    """The case has evidence or a reason that tells the line, and no job was started for the latter."""
    code, runs = SCRIPTS[name]
    items = [item for item in sample().items() if item.number == 204496]
    store = open_store(tmp_path)
    line = recorded_line(store, tmp_path)
    found, _ = extract_text(fence("import torch\nassert torch.ones(1) == 1\n", "python"), rules("extract"))
    reproducer = found[0].model_copy(update={"code": code})
    case = Case(
        window=WINDOW, heads=sample().heads(), device="cpu", items=tuple(items),
        ruling=classify(items, rules("classify"))[0], reproducer=reproducer,
    )  # fmt: skip
    store.start_case(case, line.clock.now())
    done = follow(case, line, Silent())
    store.close()
    assert isinstance(done.evidence, RunEvidence if runs else Absent), done.outcome
    assert (tmp_path / "jobs.txt").exists() == runs
    if isinstance(done.evidence, Absent):
        assert "the port is incomplete: line" in done.evidence.absent
