"""Every case of a test as a reproducer, and the laws on each."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bot.edges.executors.local import LocalExecutor
from bot.model import ChangedFile, Item, Job, OracleKind, Reproducer
from bot.registry import rules
from bot.stages.extract import extract_item, extract_text, runnable
from bot.stages.headfile import kept, wanted
from bot.stages.port import port
from bot.stages.suite import ENDING
from bot.stages.testcase import from_tests
from bot.syntax import parses
from bot.targets import load
from tests.github_patch import patch_of
from tests.laws import files, text_of

CASES = files("testcase", "toml")
KEYS = {"title", "files", "expect"}
FILE_KEYS = {"path", "before", "after", "patch", "text", "additions", "give", "crlf"}
EXPECT_KEYS = {
    "tests",
    "has",
    "lacks",
    "needs",
    "passed",
    "wanted",
    "changes",
    "exit_code",
    "says",
    "oracle",
    "sandboxed",
}


def case_of(path: Path) -> dict[str, Any]:
    """The case, its keys checked."""
    case = tomllib.loads(text_of(path))
    assert case.keys() <= KEYS
    assert case["expect"].keys() <= EXPECT_KEYS
    assert all(one.keys() <= FILE_KEYS for one in case["files"])
    return case


def item_of(case: dict[str, Any]) -> Item:
    """The pull request of a case: as it is read from GitHub, files at its head included where the case gives them."""
    return Item(
        repo="pytorch/pytorch",
        number=4711,
        kind="pull",
        title=case.get("title", "Fix a fault"),
        head_sha="f" * 40,
        files=tuple(map(changed_file, case["files"])),
    )


def changed_file(one: dict[str, Any]) -> ChangedFile:
    """A file of a case: its patch is given, or made of what it was before and after."""
    ends = "\r\n" if one.get("crlf") else "\n"
    before, after = (one.get(name, "").replace("\n", ends) for name in ("before", "after"))
    patch = one.get("patch") or (patch_of(before, after) if before or after else None)
    additions = one.get("additions", sum(line.startswith("+") for line in (patch or "").split("\n")))
    made = ChangedFile(path=one["path"], additions=additions, patch=patch, text=one.get("text"))
    return with_text(made, after) if one.get("give") else made


def with_text(changed: ChangedFile, text: str) -> ChangedFile:
    """As it comes from GitHub where the patch alone does not do."""
    return changed.model_copy(update={"text": kept(changed, text)})


def laws_of_from_tests(item: Item) -> tuple[list[Reproducer], list[str]]:
    """Twice is the same; what is found parses, asserts, names its file; every reason has its words."""
    found, passed = from_tests(item)
    assert from_tests(item) == (found, passed)
    for one in found:
        assert parses(one.code)
        assert one.origin.where.removeprefix("file ") in {file.path for file in item.files}
        assert one.oracle.kind is OracleKind.ASSERTION
        assert one.oracle.source
        assert "it fails where that fix is missing" in one.changes[0]
        carried = port(one.code, load("xpu"), rules("port"))
        assert 'only_for=("cuda",)' not in carried.code
        assert carried.code.endswith(ENDING)
        assert port(carried.code, load("xpu"), rules("port")).code == carried.code
    assert all(" line " in line and len(line.partition(": ")[2]) > 5 for line in passed)
    paths = wanted(item)
    assert set(paths) <= {file.path for file in item.files}
    assert all(any(path in line and "head" in line for line in passed) for path in paths)
    return found, passed


def methods_in(code: str) -> list[str]:
    """The test methods that a script holds."""
    return [line.split("(")[0].removeprefix("    def ") for line in code.split("\n") if line.startswith("    def test")]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """Just the tests that the file lists are in the script, with what they need; the laws hold."""
    case = case_of(path)
    item, expect = item_of(case), case["expect"]
    found, passed = laws_of_from_tests(item)
    assert [methods_in(one.code) for one in found] == expect.get("tests", []), passed
    code = "\n".join(one.code for one in found)
    told = "\n".join(change for one in found for change in one.changes)
    assert [one for one in expect.get("has", []) if one not in code] == []
    assert [one for one in expect.get("lacks", []) if one in code] == []
    assert [one for one in expect.get("changes", []) if one not in told] == []
    assert len(passed) == len(expect.get("passed", [])), passed
    assert all(reason in line for line, reason in zip(passed, expect.get("passed", []), strict=True)), passed
    assert wanted(item) == expect.get("wanted", [])
    ranked, _ = extract_item(item, rules("extract"))
    assert [list(one.needs) for one in ranked] == [expect.get("needs", []) for _ in ranked]
    assert [one.oracle.source for one in found][:1] == [expect.get("oracle", one.oracle.source) for one in found][:1]


@pytest.mark.parametrize("path", [path for path in CASES if "after" in text_of(path)], ids=lambda path: path.stem)
def test_what_is_kept_of_a_file_is_enough(path: Path) -> None:
    """The same comes of the lines that are kept as of the whole file; again nothing more goes."""
    for one in case_of(path)["files"]:
        if "after" not in one or not one["path"].endswith(".py"):
            continue
        bare = changed_file({**one, "give": False, "crlf": False, "text": None})
        slim, full = with_text(bare, one["after"]), bare.model_copy(update={"text": one["after"]})
        item = item_of({"files": []})
        results = [laws_of_from_tests(item.model_copy(update={"files": (file,)})) for file in (slim, full)]
        assert results[0] == results[1]
        assert kept(bare, slim.text or "") == slim.text


RUN = [path for path in CASES if "exit_code" in case_of(path)["expect"]]
SANDBOXED = [path for path in RUN if case_of(path)["expect"].get("sandboxed")]


def ported(path: Path) -> str:
    """The script of a case for the CPU, which stands in for the target."""
    found, _ = extract_item(item_of(case_of(path)), rules("extract"))
    best = runnable(found)
    assert best is not None
    done = port(best.code, load("cpu"), rules("port"))
    assert not done.leftovers
    return done.code


@pytest.mark.torch
@pytest.mark.parametrize("path", SANDBOXED, ids=lambda path: path.stem)
def test_it_runs_in_the_sandbox(path: Path) -> None:
    """The script ends as the file says, says so, and only an assertion that failed is raised as one."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is missing: apt-get install bubblewrap")
    executor, expect = LocalExecutor(python=Path(sys.executable), target=load("cpu")), case_of(path)["expect"]
    done = executor.run(Job(script=ported(path), device="cpu", repeats=1, timeout_s=300))
    assert done.exit_code == expect["exit_code"], done.stderr
    assert expect.get("says", "") in done.stderr
    assert (done.runs[0].raised or "").startswith("AssertionError") == (done.exit_code == 1)


@pytest.mark.torch
def test_they_run(tmp_path: Path) -> None:
    """All scripts of the cases, one after the other in one process of torch, end as their files say."""
    for path in RUN:
        (tmp_path / f"{path.stem}.py").write_text(ported(path), "utf-8")
    runner = [sys.executable, "-c", ONE_AFTER_THE_OTHER, *(f"{path.stem}.py" for path in RUN)]
    done = subprocess.run(runner, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    expected = {f"{path.stem}.py": case_of(path)["expect"]["exit_code"] for path in RUN}
    assert json.loads(done.stdout.splitlines()[-1]) == expected, done.stderr
    assert all(case_of(path)["expect"].get("says", "") in done.stderr for path in RUN)


THREAD = """```python
import torch
from torch.testing._internal.common_utils import TestCase, run_tests
class TestRows(TestCase):
    def test_short_row(self):
        self.assertEqual(torch.ones(7, device="cuda").sum(), {sum})
    def test_long_row(self):
        self.{otherwise}
{end}
```
"""


@pytest.mark.torch
@pytest.mark.parametrize(
    "end",
    [
        "run_tests()",
        "unittest.main()",
        "unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(TestRows))",
    ],
)
def test_a_suite_of_a_thread_ends_as_its_tests_did(end: str, tmp_path: Path) -> None:
    """What failed is raised; a test that was skipped is no pass; all that passed is one."""
    ends = {"wrong": (6, "skipTest('long')"), "open": (7, "skipTest('long')"), "right": (7, "assertTrue(True)")}
    for name, (total, otherwise) in ends.items():
        found, _ = extract_text(THREAD.format(sum=total, otherwise=otherwise, end=end), rules("extract"))
        done = port(found[0].code, load("cpu"), rules("port"))
        assert ENDING.rpartition("suite =")[0] in done.code
        (tmp_path / f"{name}.py").write_text(done.code, "utf-8")
    runner = [sys.executable, "-c", ONE_AFTER_THE_OTHER, *(f"{name}.py" for name in ends)]
    ran = subprocess.run(runner, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert json.loads(ran.stdout.splitlines()[-1]) == {"wrong.py": 1, "open.py": 3, "right.py": 0}, ran.stderr
    assert "test_long_row was skipped: long" in ran.stderr


ONE_AFTER_THE_OTHER = """
import json, sys, types
ends = {}
for name in sys.argv[1:]:
    sys.modules["__main__"] = module = types.ModuleType("__main__")
    module.__file__ = name
    try:
        exec(compile(open(name).read(), name, "exec"), module.__dict__)
        ends[name] = 0
    except SystemExit as stop:
        ends[name] = stop.code
    except AssertionError:
        ends[name] = 1
print(json.dumps(ends))
"""


def test_a_third_builds_nothing() -> None:
    """There are at least thirty cases, and of a third of them nothing comes."""
    nothing = [path for path in CASES if not case_of(path)["expect"].get("tests")]
    assert len(CASES) >= 30
    assert len(nothing) * 3 >= len(CASES)
