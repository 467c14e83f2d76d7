"""The corpus as a whole: it says often enough that nothing happens, and no rule is without a case."""

import pytest

from bot.registry import rules
from bot.stages.classify import classify
from bot.stages.extract import extract_text
from bot.stages.port import PortError
from tests import test_cases_classify, test_cases_extract, test_cases_port
from tests.laws import CASES, files, recorded


def test_a_third_says_that_nothing_happens() -> None:
    """At least a third of the port, extraction and classification cases asserts that nothing is changed or found."""
    quiet = {
        "port": [test_cases_port.read(path).nothing_happens for path in files("port", "py")],
        "extract": [not test_cases_extract.read(path).found for path in files("extract", "md")],
        "classify": [not test_cases_classify.read(path).expect["candidate"] for path in files("classify", "toml")],
    }
    for family, answers in quiet.items():
        assert len(answers) >= 20, family
        assert sum(answers) * 3 >= len(answers), family


@pytest.mark.parametrize("kind", ["port", "extract", "classify"])
def test_every_rule_speaks_in_a_case(kind: str) -> None:
    """There is no rule that no case makes speak."""
    listening, spoke = recorded(kind)
    for path in files("port", "py") if kind == "port" else ():
        try:
            test_cases_port.ported(test_cases_port.read(path))
        except PortError:
            continue
    for path in files("extract", "md") if kind == "extract" else ():
        extract_text(test_cases_extract.read(path).text, listening)
    for path in files("classify", "toml") if kind == "classify" else ():
        classify(test_cases_classify.read(path).items, listening)
    assert {rule.name for rule in rules(kind)} - spoke == set()


def test_no_file_is_no_case() -> None:
    """Every file under tests/cases is read by a test: a case with a wrong ending would never fail."""
    read = {path for family, ending in FAMILIES for path in files(family, ending)}
    rest = {path for path in CASES.rglob("*") if path.is_file() and "__pycache__" not in path.parts} - read
    assert {path.name for path in rest} <= {"README.md", ".gitattributes"}


FAMILIES = (
    ("port", "py"),
    ("extract", "md"),
    ("extract_item", "toml"),
    ("classify", "toml"),
    ("chain", "toml"),
    ("owner", "toml"),
    ("judge", "toml"),
    ("testcase", "toml"),
    ("kernel", "cpp"),
    ("change", "diff"),
    ("dedupe", "toml"),
    ("exit", "md"),
    ("watch", "toml"),
)
