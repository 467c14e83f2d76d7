"""Cases that are carried over to the CPU and run for real, in the sandbox: what they print is what they must."""

import json
import re
from pathlib import Path

import pytest

from bot.registry import rules
from bot.stages.port import port
from bot.targets import load
from tests.conftest import Alignbot, needs_bwrap, needs_torch
from tests.laws import CASES
from tests.test_cases_port import read

pytestmark = [needs_torch, needs_bwrap, pytest.mark.torch]

PRINTED = {
    "two_halves_compared": r"tensor\(0\.\)\nTrue\n",
    "old_style_tensors": r"True\ntensor\(\[\[1\., 1\., 1\., 1\.\],\n(?:.*\n)+",
    "metal_table": r"\| mode \| padding \| dtype \| ms \|\n(?:\|---){4}\|\n(?:\|(?: \w+ \|){3} \d+\.\d\d \|\n){18}",
    "sparse_addmm_check": r"\[\[3\.0, 3\.0\], \[9\.0, 9\.0\]\] \[\[3\.0, 3\.0\], \[9\.0, 9\.0\]\]\n",
    "exec_of_a_snippet": r"tensor\(\[4, 3, 2, 1, 0\]\) True\ntensor\(\[1\.\]\)\nto move it, call x\.cuda\(\) first.*\n",
    "custom_function_with_amp": r"tensor\(\[2\., 2\.\]\) torch\.bfloat16\n",
    "comprehension_moves": r"\{1: 0\.5, 32: 16\.0, 33: 16\.5\}\n",
    "lambda_map_location": r"(?:cpu\n){4}tensor\(3\.\)\n",
    "guarded_by_memory": r"",
}
"""Case -> what it prints on the CPU."""


@pytest.mark.parametrize("name", PRINTED)
def test_a_port_runs(name: str, alignbot: Alignbot, tmp_path: Path) -> None:
    """Nothing is left over, the script ends well on a machine without the source device, and prints what it must."""
    done = port(read(CASES / "port" / f"{name}.py").source, load("cpu"), rules("port"))
    assert done.edits
    assert done.leftovers == ()
    script = tmp_path / "script.py"
    script.write_text(done.code, encoding="utf-8")
    run = alignbot("run", script, "--device", "cpu", "--repeat", "1", "--json", state=tmp_path / "state")
    evidence = json.loads(run.stdout)
    assert (evidence["status"], evidence["exit_code"]) == ("ok", 0), evidence["stderr"]
    assert re.fullmatch(PRINTED[name], evidence["stdout"]), evidence["stdout"]
    assert "skipped" not in evidence["stderr"]
