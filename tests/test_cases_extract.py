"""Every extraction case, and the laws of extraction on texts that nobody wrote."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model import Reproducer
from bot.stages.extract import extract_text
from tests.laws import files, laws_of_extract, recorded, text_of

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


@settings(deadline=None, derandomize=True, database=None)
@example("```\n```\n" * 2000)
@example("```python\nimport torch\nx" + ".sum()" * 900 + "\n```\n")
@example("```python\nimport torch\nx = torch.tensor(" + "[" * 5000 + "]" * 5000 + ")\n```\n")
@example("[" * 20000)
@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_text_is_read(text: str) -> None:
    """No text raises anything or takes a second, and the laws hold on it."""
    laws_of_extract(lambda rules: extract_text(text, rules))
