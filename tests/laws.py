"""What holds for every case, whatever it is about; and how a case file is read."""

import ast
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bot.model import Item, Judgement, Port, Reproducer, Ruling, RunEvidence, SiteKind, Stays, Verdict
from bot.registry import Rule, rules
from bot.stages.classify import Rulings, classify
from bot.stages.extract import extract_text
from bot.stages.judge import judge
from bot.stages.markup import fence
from bot.stages.port import port
from bot.syntax import parsed, parses
from bot.targets import load
from tests.laws_of_names import beside, of_source, tables

CASES = Path(__file__).parent / "cases"
CHARACTER = re.compile(r"<U\+(?P<code>[0-9A-F]{4,6})(?:\*(?P<times>\d+))?>")
LINE_END = re.compile(r"\r\n|\r|\n")
DOUBTER = Rule(
    "m-doubter",
    "Says of every string that it stays.",
    lambda site: Stays(why="who knows") if site.kind is SiteKind.STRING else None,
)


def files(family: str, ending: str) -> list[Path]:
    """The cases of a family, by name."""
    return sorted((CASES / family).glob(f"*.{ending}"))


def text_of(path: Path) -> str:
    """A case's text with its written-out characters put in, its line ends as they are in the file."""
    text = path.read_bytes().decode()
    return CHARACTER.sub(lambda match: chr(int(match["code"], 16)) * int(match["times"] or 1), text)


def shuffled(things: Sequence[Any]) -> list[Any]:
    """The same things in another order, the same one every time."""
    others = list(things)
    random.Random(204496).shuffle(others)  # noqa: S311
    return others if others != list(things) else others[::-1]


@cache
def recorded(kind: str) -> tuple[tuple[Rule, ...], set[str]]:
    """The rules of a kind, and the names of those that have said something since."""
    spoke: set[str] = set()

    def listening(rule: Rule) -> Rule:
        def apply(subject: object) -> object:
            answer = rule.apply(subject)
            answer = list(answer) if kind == "classify" else answer
            if answer:
                spoke.add(rule.name)
            return answer

        return Rule(rule.name, rule.why, apply)

    return tuple(map(listening, rules(kind))), spoke


def laws_of_port(source: str, done: Port) -> None:
    """Again changes nothing; it parses; only the listed edits differ; the CPU's arm and the synchronisations stay."""
    target = load(done.device)
    again = port(done.code, target, rules("port"))
    assert again.code == done.code
    assert again.edits == ()
    assert port(source, target, shuffled(rules("port"))) == done
    assert port(source, target, [*rules("port"), DOUBTER]) == port(source, target, [DOUBTER, *rules("port")])
    assert parses(done.code)
    lines = LINE_END.split(source)
    for place in (*done.edits, *done.leftovers):
        before = place.before if place in done.edits else place.text
        assert "\n".join(lines[place.line - 1 :]).find(LINE_END.sub("\n", before)) in range(
            len(lines[place.line - 1]) + 1
        )
    assert any(code == done.code for code in _rebuilt(source, done, lines))
    assert _calls(done.code, "synchronize") == _calls(source, "synchronize")
    assert of_source(source, done) == []
    if done.device != "cpu":
        before, after = parsed(source), parsed(done.code)
        assert len(beside(tables(after), done.device)) >= len(beside(tables(before), done.device))
    if done.device != "cpu":
        assert _strings(done.code, "cpu") == _strings(source, "cpu")
    else:
        assert _strings(done.code, "cpu") >= _strings(source, "cpu")


def _rebuilt(source: str, done: Port, lines: Sequence[str]) -> Iterator[str]:
    """Every text that the edits, each on its line and in their order, can make of the source; as a rule one."""
    starts = [match.end() for match in re.finditer(r"\r\n|\r|\n|\A", source)]

    def after(cursor: int, edits: Sequence[object], made: str) -> Iterator[str]:
        if not done.code.startswith(made):
            return
        if not edits:
            yield made + source[cursor:]
            return
        edit = edits[0]
        begin = starts[edit.line - 1]
        for match in re.finditer(re.escape(edit.before), source[begin:]):
            position = begin + match.start()
            if position > begin + len(lines[edit.line - 1]):
                return
            if position >= cursor:
                middle = source[cursor:position]
                yield from after(position + len(edit.before), edits[1:], made + middle + edit.after)

    return after(0, done.edits, "")


def _strings(code: str, value: str) -> int:
    tree = parsed(code)
    return sum(isinstance(node, ast.Constant) and node.value == value for node in ast.walk(tree))


def _calls(code: str, name: str) -> int:
    tree = parsed(code)
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum(name in (getattr(func, "attr", None), getattr(func, "id", None)) for func in called)


def laws_of_extract(
    extract: Callable[[Sequence[Rule]], tuple[list[Reproducer], list[str]]],
) -> tuple[list[Reproducer], list[str]]:
    """Python parses; twice, and with the rules in any order, is the same; best first; every reason has its words.

    What was extracted is extracted again as it is: nothing is left in it to repair, to add or to cut.
    """
    found, passed = extract(rules("extract"))
    assert extract(rules("extract")) == (found, passed)
    assert extract(shuffled(rules("extract"))) == (found, passed)
    assert all(parses(one.code) for one in found if one.language == "python")
    assert all(0 <= one.score <= 1 for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(re.fullmatch(r".+, line \d+: \S.{5,}", one, re.DOTALL) for one in passed)
    for one in found:
        if one.language == "python":
            again, _ = extract_text(fence(one.code, "python"), rules("extract"))
            assert [other.code.strip("\n") for other in again] == [one.code.strip("\n")]
            assert again[0].needs == one.needs
            assert not {change for change in again[0].changes if "added" in change}
    return found, passed


def laws_of_classify(items: Sequence[Item]) -> list[Ruling]:
    """Order and packing don't matter, the score is a probability, and a candidate is one in every word."""
    rulings = classify(items, rules("classify"))
    assert classify(items, rules("classify")) == rulings
    assert classify(items, shuffled(rules("classify"))) == rulings
    by_number = {ruling.number: ruling for ruling in rulings}
    packed = Rulings()
    for item, ruling in zip(items, rulings, strict=True):
        packed.keep(item.key, ruling)
    assert dict(packed) == {item.key: ruling for item, ruling in zip(items, rulings, strict=True)}
    others = shuffled(items)
    assert classify(others, rules("classify")) == [by_number[item.number] for item in others]
    for ruling in rulings:
        assert 0 <= ruling.score <= 1
        assert ruling.candidate == (ruling.item_class == "candidate") == (ruling.score >= 0.5)
        assert ruling.number not in ruling.chain
        whole = {ruling.number, *ruling.chain}
        assert all({number, *by_number[number].chain} == whole for number in ruling.chain)
        assert len(set(ruling.ops)) == len(ruling.ops)
        assert all(reason.why and (reason.span is None or reason.span.text) for reason in ruling.reasons)
    return rulings


def laws_of_judge(evidence: RunEvidence, ops: Sequence[str]) -> Judgement:
    """A sentence for every judgement; repeats in any order are judged alike; only a real XPU asks for a fix."""
    judged = judge(evidence, ops)
    assert judge(evidence, ops) == judged
    assert re.fullmatch(r"\S.{15,}[^\s:]", judged.why)
    turned = judge(evidence.model_copy(update={"runs": evidence.runs[::-1]}), ops)
    assert (turned.bucket, turned.verdict, turned.oracle) == (judged.bucket, judged.verdict, judged.oracle)
    assert (judged.verdict == Verdict.NEEDS_XPU_FIX) <= (judged.bucket == "confirmed")
    for type_, simulated in (("cpu", False), ("cuda", False), ("xpu", True)):
        device = evidence.device.model_copy(update={"type": type_, "simulated": simulated})
        elsewhere = judge(evidence.model_copy(update={"device": device}), ops)
        assert elsewhere.verdict != Verdict.NEEDS_XPU_FIX
    return judged
