"""Every extraction case, and the laws of extraction on texts that nobody wrote."""

import json
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model import Comment, Item, Reproducer
from bot.registry import rules as rules_of
from bot.stages.extract import extract_item, extract_text, runnable
from tests.laws import files, laws_of_extract, recorded, text_of
from tests.work import calls

EXPECTED = "\n=== expected ===\n"
PASSED = "\n=== passed ===\n"
PIECES = (
    "```python\n",
    "```\n",
    "~~~\n",
    "import torch\n",
    ">>> torch.ones(2)\n",
    "... ",
    "    torch.ones(1).cuda()\n",
    "> ",
    "1. ",
    "- ",
    "\t",
    "<!--",
    "-->",
    "Traceback (most recent call last):\n",
    "(",
    "[",
    "<pre>",
    "</pre>\n",
    "<details><summary>",
    "<code>",
    "In [1]: ",
    "Out[1]: tensor(1.)\n",
    "+ ",
    "$ ",
    "%timeit x\n",
    "x = x.cuda()\n",
    "print(x)\n",
    "tensor([1., 2.], device='cuda:0')\n",
    "    ",
    "&gt;&quot;",
    "on the CPU it gives 3.0\n",
    "\u201c",
    "\u2212",
    "`import torch; print(torch.ones(1))`",
    "assert 0\n",
    "Expected: [1, 2]\n",
    "\r\n",
    "\ufeff",
    "\u200b",
    "\n",
)


class Case(NamedTuple):
    """An extraction case as written."""

    text: str
    found: list[dict[str, Any]]
    passed: list[str]


def read(path: Path) -> Case:
    """Three parts, the last one may be missing."""
    text, _, rest = text_of(path).partition(EXPECTED)
    found, _, passed = rest.partition(PASSED)
    return Case(text + "\n", json.loads(found), passed.splitlines())


def differences(one: Reproducer, wanted: dict[str, Any]) -> list[str]:
    """In which fields a reproducer is not what the case says."""
    said = {"language": "python", "needs": [], "oracle": {"kind": "none"}, **wanted}
    oracle = {name: getattr(one.oracle, name) for name in said["oracle"]}
    wrong = {
        "code": said.get("code", one.code) != one.code,
        "starts_with": not one.code.startswith(said.get("starts_with", "")),
        "language": said["language"] != one.language,
        "needs": said["needs"] != list(one.needs),
        "oracle": said["oracle"] != oracle,
        "changes": not all(any(part in change for change in one.changes) for part in said.get("changes", ())),
        "unknown field": bool(said.keys() - {"code", "starts_with", "language", "needs", "oracle", "changes"}),
        "neither code nor starts_with": not said.keys() & {"code", "starts_with"},
    }
    return [name for name, differs in wrong.items() if differs]


@pytest.mark.parametrize("path", files("extract", "md"), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """Just what the file lists is found, in its order, the rest is passed over for the reasons listed; laws hold."""
    case = read(path)
    found, passed = laws_of_extract(lambda rules: extract_text(case.text, rules))
    assert [differences(one, wanted) for one, wanted in zip(found, case.found, strict=True)] == [[] for _ in found]
    assert all(reason in line for line, reason in zip(passed, case.passed, strict=True))
    extract_text(case.text, recorded("extract")[0])


@pytest.mark.parametrize("path", files("extract_item", "toml"), ids=lambda path: path.stem)
def test_item_case(path: Path) -> None:
    """Of a body and its comments the scripts come in the order that the file says, the first one as it says."""
    content = tomllib.loads(path.read_text("utf-8"))
    item = Item.model_validate({"repo": "pytorch/pytorch", "number": 1, "kind": "issue", **content["item"]})
    wanted = content["expect"]
    found, passed = laws_of_extract(lambda rules: extract_item(item, rules))
    assert [one.origin.where for one in found] == wanted["found"]
    assert all(one.origin.item == item.key for one in found)
    assert all(reason in line for line, reason in zip(passed, wanted.get("passed", ()), strict=True))
    if found:
        oracle = {name: getattr(found[0].oracle, name) for name in wanted.get("oracle", ())}
        assert found[0].origin.where == wanted["first"]
        assert found[0].code.startswith(wanted.get("starts_with", ""))
        assert oracle == wanted.get("oracle", {})


def test_a_run_is_tried_where_only_memory_is_in_doubt() -> None:
    """How much memory there is the run itself tells; what bars it is passed by for the next best."""
    large = "```python\nimport torch\nprint(torch.zeros(1 << 33, device='cuda').sum())\n```\n"
    other = "```python\nimport torch\nfrom theirs import x\nprint(x(torch.ones(2, device='cuda')))\n```\n"
    found, _ = extract_text(other + large, rules_of("extract"))
    assert [one.needs for one in found] == [("about 35 GB of memory",), ("the package theirs",)]
    assert runnable(found) is found[0]
    assert runnable(found[1:]) is None


def test_nothing_of_a_thread_is_ever_run(tmp_path: Path) -> None:
    """Whatever a script would do as soon as it ran, reading it does not."""
    mark = tmp_path / "ran"
    act = f"open({str(mark)!r}, 'w').write('x')"
    text = f"""```python
import torch
{act}
class A(metaclass=lambda *a: {act}): pass
@(lambda f: {act})
def g(x: {act} = {act}): pass
raise SystemExit(f"{{{act}}}")
```

```
>>> import torch; {act}
>>> torch.ones(1)
```

`import torch; {act}; print(torch.ones(1))`
"""
    found, _ = extract_text(text, rules_of("extract"))
    assert len(found) >= 2
    assert not mark.exists()


MILLION = 1_000_000
HOSTILE = {
    "one line": "x" * MILLION,
    "lines": "a\n" * (MILLION // 2),
    "blank lines": "\n" * MILLION,
    "brackets": "[" * MILLION,
    "quotes": "> " * (MILLION // 2),
    "list": "- a\n" * (MILLION // 4),
    "nested": "> - 1. a\n" * (MILLION // 9),
    "fences": "```\nx\n```\n" * (MILLION // 10),
    "python fences": "```python\nimport torch\nprint(x, torch.ones(1))\nx = y\n```\n" * (MILLION // 60),
    "one script": "```python\n" + "x = torch.ones(3).cuda()\n" * (MILLION // 25) + "```\n",
    "dense script": ("```python\n" + "x=y+z;" * 10_000 + "\n```\n") * 16,
    "sums": "```python\nimport torch\nprint(a" + " - a" * 10_000 + ")\n```\n",
    "prints": "```python\nimport torch\n" + "print(cpu_a, ref, _cpu, numpy, float64, torch)\n" * 1_300 + "```\n",
    "wide print": "```python\nimport torch\nprint(" + "cpu, " * 12_000 + ")\n```\n",
    "calls": "```python\nimport torch\nx" + ".sum()" * 9_000 + "\n```\n",
    "session": "```\n" + ">>> torch.ones(1)\n... (\ntensor(1.)\n" * (MILLION // 35) + "```\n",
    "half session": "```\n>>> import torch\n" + ">>> f(\n1,\n2\n" * 500 + "```\n",
    "html": "<pre>" * (MILLION // 5),
    "spans": "<details><span class='" * (MILLION // 21),
    "comments": "<!-- <pre> " * (MILLION // 11),
    "loose": "import torch\nx = (\n" * (MILLION // 19),
    "broken": "```python\nimport torch\n" + "x = 1 2\n" * 2_500 + "```\n",
    "expected": "```python\nimport torch\nprint(torch.ones(1))\n```\n"
    + "expected the sum to be as in the CPU's " * 20_000,
    "entities": "```python\nimport torch\n" + "x = a &gt; b &amp;&amp; c\n" * 2_000 + "```\n",
    "names": "```python\nimport torch\n" + "".join(f"n{i} = n{i + 1}\n" for i in range(3_000)) + "print(n0)\n```\n",
    "documents": "```bash\n" + "python <<EOF\n" * 5_000 + "```\n",
    "documents in a line": "```bash\n" + "python <<EOF " * 5_000 + "\n```\n",
    "documents that end": "```bash\n" + "python <<EOF\nimport torch\n" * 2_500 + "EOF\n```\n",
    "commands": "```bash\n" + "python -c 'import torch; torch.ones(1)\n" * 1_700 + "```\n",
    "runs": "```python\nimport torch\nfrom unittest import main\n"
    + "main(x); x.main(); run_tests()\n" * 1_900
    + "```\n",
    "chain": "".join(f"```python\nn{i} = f(n{i - 1}, torch)\n```\n" for i in range(250)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_no_catastrophe(name: str) -> None:
    """A megabyte of whatever is work that grows with its length; `tests/benchmarks/extract.py` has figures."""
    assert calls(lambda: extract_text(HOSTILE[name], rules_of("extract"))) < 1_000 + 60 * len(HOSTILE[name])


@pytest.mark.parametrize("name", ["dense script", "documents", "documents that end", "sums", "chain"])
def test_the_comments_of_an_item_share_a_budget(name: str) -> None:
    """Ten comments that are each as much work as a text can be are no more work than one; it is told what is left."""
    comments = tuple(Comment(author="somebody", body=HOSTILE[name][:60_000]) for _ in range(10))
    item = Item(repo="pytorch/pytorch", number=1, kind="issue", title="A sum is wrong", comments=comments)
    passed: list[str] = []
    assert calls(lambda: passed.extend(extract_item(item, rules_of("extract"))[1])) < 1_200_000
    assert any(line.startswith("comment 9, line") and "no more of this item is read" in line for line in passed)


@settings(deadline=None, derandomize=True, database=None)
@example("```\n```\n" * 2000)
@example("```python\nimport torch\nx" + ".sum()" * 900 + "\n```\n")
@example("```python\nimport torch\nx = torch.tensor(" + "[" * 5000 + "]" * 5000 + ")\n```\n")
@example("[" * 20000)
@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_is_read(text: str) -> None:
    """No text raises anything or takes a second, and the laws hold on it."""
    laws_of_extract(lambda rules: extract_text(text, rules))
