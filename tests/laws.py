"""What holds for every case, whatever it is about; and how a case file is read."""

import ast
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import zip_longest
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
    assert _of_source(source, done) == []
    if done.device != "cpu":
        before, after = parsed(source), parsed(done.code)
        assert len(_beside(_tables(after), done.device)) >= len(_beside(_tables(before), done.device))
    if done.device != "cpu":
        assert _strings(done.code, "cpu") == _strings(source, "cpu")
    else:
        assert _strings(done.code, "cpu") >= _strings(source, "cpu")


def _of_source(before: str, done: Port) -> list[str]:
    """Pieces of the ported code that still name the source device, and that no leftover tells of.

    By the tree alone, as no rule sees it. The second source's arms stay where the first one was carried over, and the
    first one's where the script names the target beside it.
    """
    tree = parsed(done.code)
    if not re.search(r"torch|\.to\(|\.cuda\(", done.code):
        return []
    own = _own(before)
    arms = _arms(tree, done.device) if done.device != "cpu" else set()
    source = next((one for one in ("cuda", "mps") if one != done.device), "")
    told = "\n".join(left.text for left in done.leftovers)
    found = []
    for node in ast.walk(tree):
        if id(node) in arms:
            continue
        plain = False
        if isinstance(node, ast.Attribute):
            plain = isinstance(node.value, ast.Name) and node.value.id in ("torch", "th")
            named = node.attr == source if plain else source in node.attr.split("_") and node.attr not in own
            named = named and not ast.unparse(node).startswith(("torch.backends.", "torch._"))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = node.func.attr == source and source not in own
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = re.fullmatch(rf"{source}(:\d+|:%[ds])?", node.value) is not None
        else:
            continue
        if named:
            value = len(ast.unparse(node.func.value)) if isinstance(node, ast.Call) else 0
            member = isinstance(node, ast.Attribute) and not plain
            found.append((node.lineno, node.attr if member else ast.unparse(node)[value:]))
    alone = (one.value for one in ast.walk(tree) if isinstance(one, ast.Expr))
    remarks = {one.lineno for one in alone if isinstance(one, ast.Constant)}
    return [text for line, text in found if line not in remarks and not _is_in(text, told)]


def _own(code: str) -> set[str]:
    """The words of a script that may be attributes of its own: all but those that it only asks for."""
    asked = {node.attr for node in ast.walk(parsed(code)) if isinstance(node, ast.Attribute) and _loads(node)}
    nodes = list(ast.walk(parsed(code)))
    set_ = {node.attr for node in nodes if isinstance(node, ast.Attribute) and not _loads(node)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    fields = {one.id for node in nodes if isinstance(node, ast.ClassDef) for one in ast.walk(node) if _stores(one)}
    keywords = {str(node.arg) for node in nodes if isinstance(node, ast.keyword)}
    texts = " ".join(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    flags = {one for one in asked if re.search(rf"--{one.replace('_', '.')}|(?<!\S){one}(?!\S)", texts)}
    return set_ | defined | fields | keywords | flags


def _loads(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _stores(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _arms(tree: ast.Module, target: str) -> set[int]:
    """Names of other devices that stand beside the target's in a table, or in a chain of questions."""
    asked: list[list[ast.AST]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            tests = [one.test for one in ast.walk(node) if isinstance(one, ast.If | ast.IfExp)]
            asked.append([one for test in tests for one in ast.walk(test)])
        elif isinstance(node, ast.Match):
            asked.append([one for case in node.cases for one in ast.walk(case.pattern)])
    return _beside(asked, target) | _beside(_tables(tree), target)


def _tables(tree: ast.Module) -> Iterator[list[ast.AST]]:
    """The keys, the values and the columns of tables."""
    for node in ast.walk(tree):
        groups: list[list[ast.expr]] = []
        if isinstance(node, ast.Dict):
            groups = [list(filter(None, node.keys)), node.values]
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            groups = [node.elts]
        for group in groups:
            rows = [one.elts for one in group if isinstance(one, ast.List | ast.Tuple)]
            for listed in (group, *zip_longest(*rows)):
                yield [
                    one for each in listed if each for one in (each, *(each.args if isinstance(each, ast.Call) else ()))
                ]


def _beside(groups: Iterable[Sequence[ast.AST]], target: str) -> set[int]:
    others = [group for group in groups if target in map(_device, group)]
    return {id(one) for group in others for one in group if _device(one) in ("cuda", "mps")}


def _device(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and node.attr.startswith("is_"):
        return node.attr.removeprefix("is_")
    told = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value.partition(":")[0] if isinstance(node, ast.Constant) and told else ""


def _is_in(text: str, told: str) -> bool:
    """Is a piece of code in what was told, whatever its quotes and blanks?"""
    bare = re.compile(r"[\s'\"()\\#,]")
    return bare.sub("", text) in bare.sub("", told)


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
