"""Every kernel case: what the rules say of it, and what holds for whatever is read."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cpp import read
from bot.cpp.collect import facts
from bot.model import KernelFinding
from bot.registry import Rule, names, rules
from bot.stages.analyse import Examined, examine, findings, unchecked
from bot.stages.kernel_pairs import pairs
from bot.stages.web import Web
from tests.laws import files, shuffled, text_of

SAID = re.compile(r"// (?P<word>rule|hit|right|unread): (?P<rest>.*)")
UPSTREAM = "// === upstream ===\n"
PIECES = (
    "template <typename scalar_t>\n", "struct F {\n", "};\n", "void f(", "scalar_t", " x = ", "0;\n",
    "for (int i = 0; i < n; i++) ", "{\n", "}\n", "x += y[i];\n", "[&]", "(", ")", "<", ">", "AT_DISPATCH_ALL_TYPES(",
    "#define M(a) \\\n", "\\\n", "auto", "*", "/*", '"', "é",
)  # fmt: skip


class Case(NamedTuple):
    """A kernel case as written."""

    rule: str
    hits: list[tuple[int, str]]
    right: list[int]
    unread: list[int]
    text: str
    upstream: str


def read_case(path: Path) -> Case:
    """Its first lines say what must come of it."""
    text, _, upstream = text_of(path).partition(UPSTREAM)
    said = [(match["word"], match["rest"]) for match in map(SAID.match, text.split("\n")) if match]
    hits = [rest.split(": ", 1) for word, rest in said if word == "hit"]
    return Case(
        rule=dict(said)["rule"],
        hits=[(int(line), why) for line, why in hits],
        right=[int(rest) for word, rest in said if word == "right"],
        unread=[int(rest) for word, rest in said if word == "unread"],
        text=text,
        upstream=upstream,
    )


def found_in(case: Case, order: Callable[..., Sequence[Rule]] = tuple) -> tuple[list[KernelFinding], Examined]:
    """What all rules say of a case, in this order."""
    kernel_rules = order(rules("kernel"))
    one = examine("case.cpp", case.text, kernel_rules)
    other = examine("upstream.cu", case.upstream, ())
    web = Web([one.facts])
    found = findings([one], web, {})
    return found + unchecked(pairs(web, Web([other.facts]), "xpu"), kernel_rules, {"case.cpp": case.text}, {}), one


@pytest.mark.parametrize("path", files("kernel", "cpp"), ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """The case's rule finds these places and no others, and shows what is done right beside them."""
    case = read_case(path)
    found, examined = found_in(case)
    mine = [one for one in found if one.rule == case.rule]
    assert [one.line for one in mine] == [line for line, _ in case.hits], [(one.line, one.why) for one in mine]
    assert all(why in one.why for one, (_, why) in zip(mine, case.hits, strict=True)), [one.why for one in mine]
    right = [hit.line for name, hit in examined.hits if name == case.rule and hit.right]
    assert right == case.right
    assert sorted({line for line, _, _ in examined.facts.unread}) == case.unread


@pytest.mark.parametrize("path", files("kernel", "cpp"), ids=lambda path: path.stem)
def test_laws(path: Path) -> None:
    """The order of rules doesn't matter, lines before shift the places, a memory gives back what it was given."""
    case = read_case(path)
    found, examined = found_in(case)
    assert found_in(case, shuffled)[0] == found
    below = case._replace(text="\n\n\n" + case.text)
    assert [(one.rule, one.line - 3, one.excerpt) for one in found_in(below)[0]] == [
        (one.rule, one.line, one.excerpt) for one in found
    ]
    assert Examined.of_json("case.cpp", examined.as_json()) == examined
    lines = case.text.split("\n")
    for one in found:
        assert one.excerpt == "\n".join(lines[one.line - 1 : one.end_line])
        assert re.fullmatch(r"\S.{20,}[^\s:]", one.why)
        assert one.symbol


def test_every_rule_has_a_case_in_which_it_speaks_and_one_in_which_it_does_not() -> None:
    """Nothing is a rule that was never seen to hit and to pass."""
    cases = [read_case(path) for path in files("kernel", "cpp")]
    for name in names("kernel"):
        assert {bool(case.hits) for case in cases if case.rule == name} == {True, False}, name


def test_a_third_of_the_cases_say_that_nothing_is_found() -> None:
    """A rule is as good as what it leaves alone."""
    cases = [read_case(path) for path in files("kernel", "cpp")]
    assert sum(not case.hits for case in cases) * 3 >= len(cases)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_is_read(text: str) -> None:
    """No text is too broken: it gives facts, and what could not be read stands there with its lines."""
    source = read("any.cpp", text)
    assert facts(source).path == "any.cpp"
    assert source.content.count(b"\n") <= text.count("\n") + len(source.macros)
    examine("any.cpp", text, rules("kernel"))
    lines = text.count("\n") + 1
    assert all(1 <= one.line <= one.end_line <= lines for one in source.unread)


def test_nesting_is_not_too_deep() -> None:
    """A text of ten thousand brackets is read, not refused by Python's stack."""
    for text in ("(" * 10_000, "void f() " + "{" * 5_000, "int x = " + "-" * 9_000 + "1;", "a" + "+a" * 9_000 + ";"):
        examine("deep.cpp", text, rules("kernel"))
