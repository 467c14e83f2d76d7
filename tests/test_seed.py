"""The first seed from a simulated device: every fact of it that a machine can know stands in the draft."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.sanitising import ExitRules, sanitise
from tests.kernel_trees import TREES

pytestmark = pytest.mark.torch
PLAN = [{"op": "grid_sampler_2d_backward", "dtypes": ["float16", "bfloat16"], "kind": "narrow-accumulator"}]
FACTS = {
    "the operator is in the title": r"\A# \[xpu-alignment\].* grid_sampler_2d_backward: ",
    "float16 stops at 1024": r"`\[1024, 0\]` in float16",
    "bfloat16 stops at 128": r"`\[128, 0\]` in bfloat16",
    "2048 is right": r"`\[2048, 0\]`",
    "the right value is representable": r"representable in that dtype",
    "float32 is exact on the same device": r"inputs widened to float32 is exact once rounded",
    "so it is the accumulator, not the result": r"not from representing the result",
    "it is silent": r"exits with code 0: nothing is raised",
    "float32 calls agree": r"every call in float32 was compared and agrees",
    "both masks": r"\[False, True\]\)`.*\[True, True\]\)`",
    "the issue upstream, with its date and state": r"#204496\]\(.*created 2026-11-11; state open",
    "its labels": r"`module: correctness \(silent\)`",
    "the fix upstream, open": r"#204495\]\(.*state open since 2026-11-11",
    "the files of the fix": r"It changes `aten/src/ATen/native/cuda/GridSampler\.cu`",
    "other members of the series": r"#204493\].*#|#198032\]",
    "the window": r"\[2026-11-11T00:00:00Z, 2026-11-12T00:00:00Z\)",
    "the frozen head": r"125472c0cbd6259715738ed1a80cd0240f914ad1",
    "rows as printed": r"torch\.float16 \[False, True\] \[1024\.0, 0\.0\]",
    "dispatch, with its line": r"Dispatch: \*\*native\*\*, native_functions\.yaml sends grid_sampler_2d_backward on XPU"
    r" to grid_sampler_2d_backward_xpu \(`aten/src/ATen/native/native_functions\.yaml:\d+`",
    "the host function, with its line": r"Host function: `grid_sampler_2d_backward_xpu`, `[\w/]+/GridSampler\.cpp:13",
    "the device that ran, natively": r"registered for the dispatch key `XPU`, no CPU fallback seen",
    "the narrow sum, with its line": r"In `SamplerBackwardFunctor`, `src/ATen/native/xpu/sycl/GridSampler\.cpp:34-35`",
    "where it grows": r"grow at line 37, in the loop at line 36",
    "the lines themselves": r"scalar_t across = static_cast<scalar_t>\(0\);",
    "the sibling with the same fault": r"same shape of fault[^#]*SamplerCubicBackwardFunctor`, `[^`]*:57`",
    "the kernel that is right": r"style to follow:[^#]*SamplerForwardFunctor`, `[^`]*:15`",
    "where it stops": r"In bfloat16 the result stops at 2\^7",
    "the reproducer": r"torch\.ops\.aten\.grid_sampler_2d_backward\(",
    "what was changed in it": r'"cuda" -> "xpu" \(device-string\)',
    "its smallest form": r"#### Smallest form",
    "what fails and what does not": r"`dtype float32` \| right",
    "the environment": r"`torch`: `",
    "fresh processes without network": r"fresh process `python -I -u` in a sandbox without network; exit codes 0, 0",
    "the hash of the script": r"sha256 of the script as it ran[^`]*`[0-9a-f]{64}`",
    "the hash of the log": r"sha256 of what the first repeat printed: `[0-9a-f]{64}`",
    "whose code it is": r"The kernel is code of intel/torch-xpu-ops: `grid_sampler_2d_backward_xpu`",
    "what it shares": r"headers that it includes: .*`ATen/native/GridSamplerUtils\.h`",
    "that the fix does not reach it": r"None of the files that the upstream change touches is built for XPU",
    "parity": r"Both: `the reference backend is taken to have the same fault",
    "what to see once fixed": r"must give `\[2048, 0\]` in",
    "upstream's tests": r"Upstream's own tests are in `test/test_nn\.py`",
    "that it is simulated": r"The device of this run was simulated",
}


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The draft of a scan of the sample on the simulated device, with both small trees."""
    folder = tmp_path_factory.mktemp("seed")
    (folder / "plan.json").write_text(json.dumps(PLAN))
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "ALIGNBOT_STATE": str(folder / "state"),
        "ALIGNBOT_SOURCES__TARGET": str(TREES / "target"),
        "ALIGNBOT_SOURCES__UPSTREAM": str(TREES / "upstream"),
    }
    command = [
        sys.executable,
        "-m",
        "bot",
        "scan",
        "--sample",
        "--device",
        "xpu",
        "--simulate",
        str(folder / "plan.json"),
    ]
    done = subprocess.run(
        [*command, "--out", str(folder / "out")], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (path,) = (Path(folder) / "out" / "drafts").glob("*.md")
    return path.read_text()


@pytest.mark.parametrize("fact", FACTS)
def test_fact(fact: str, draft: str) -> None:
    """Each fact of the seed that a machine can know is told."""
    assert re.search(FACTS[fact], draft, re.S), fact


def test_nothing_is_told_that_was_not_read(draft: str) -> None:
    """A folder without a commit is not called the frozen head, and no tracker is said to be searched."""
    assert "whose commit is not known" in draft
    assert "the frozen head" not in draft


def test_it_leaves_as_it_is(draft: str) -> None:
    """The exit keeps every fold, fence and table of the draft; only references that would link back become code."""
    allowed = ExitRules(repository="intel/torch-xpu-ops")
    body = draft.partition("\n\n")[2]
    left = sanitise(body, allowed)
    assert {one.kind for one in left.changes} <= {"reference", "link"}
    for kept in ("<details>", "</details>", "</summary>", "```", "\n| "):
        assert left.body.count(kept) == body.count(kept)
