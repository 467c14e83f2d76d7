"""What holds of the classifier whatever it is given: order is nothing, no text takes long, vetoes hold."""

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import ChangedFile, Item, ItemKind
from bot.registry import Rule, rules, weighed
from bot.resources import resource
from bot.rules import phrases
from bot.rules.phrases import Phrases, Text
from bot.rules.spans import BODY_READ, CODE_READ, LEAD_READ, parts
from bot.stages.classify import rule_on
from bot.stages.weigh import CLASSES, KINDS, said_of
from tests import test_cases_classify
from tests.work import calls

MEGABYTE = 1_000_000
HOSTILE = {
    "a megabyte of prose": "The gradient is wrong on CUDA, see `torch.cumsum`. " * (MEGABYTE // 50),
    "a megabyte of one letter": "a" * MEGABYTE,
    "a megabyte of line ends": "\n" * MEGABYTE,
    "100,000 brackets": "[" * 100_000,
    "100,000 pairs of brackets": "[]()" * 100_000,
    "fences": "```\n" * 100_000,
    "headings": "### Versions" * 100_000,
    "quotes": "> " * 200_000,
    "words that begin phrases": "out of out of silently wrong missing add adds no " * 20_000,
    "underscores": "_" * MEGABYTE,
    "another alphabet": "ß" * MEGABYTE,
    "halves of characters": "\ud800" * 100_000,
    "spaces and a number": "2 " * 400_000,
    "table": "|" * MEGABYTE,
    "comments": "<!--" * 100_000,
}


def an_item(number: int = 1, **fields: object) -> Item:
    """An issue of upstream."""
    return Item.model_validate(
        {"repo": "pytorch/pytorch", "number": number, "kind": "issue", "title": "Something is off", **fields}
    )


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("part", ["body", "title"])
def test_no_text_takes_long(body: str, part: str) -> None:
    """A body or a title of any length and make is ruled on in a number of calls that its length hardly adds to."""
    item = Item.model_construct(
        repo="a/b", number=1, kind=ItemKind.ISSUE, labels=(), files=(), comments=(), links=(), title="x", body=""
    ).model_copy(update={part: body})
    found = rules("classify")
    assert calls(lambda: rule_on(item.model_copy(), found)) < 20_000


def every_pattern() -> Iterator[tuple[str, phrases.Phrases]]:
    """All groups of phrases of all rules."""
    rules("classify")
    groups = {group for table in (phrases._EXACT, phrases._BEGINNING) for held in table.values() for group, _ in held}
    for group in sorted(groups, key=lambda one: one.number):
        yield str(group.number), group


def test_no_pattern_is_catastrophic() -> None:
    """On a line made of a pattern's own words, over and over, no pattern goes back over what it has seen."""
    for _name, group in every_pattern():
        for pattern in filter(None, group.patterns):
            words = pattern.pattern.replace("(?: ", " ").replace("[a-z0-9_]", "a")
            own = " ".join(word for word in "".join(c if c.isalnum() else " " for c in words).split())
            line = (f" {own}" * 5_000)[:40_000]
            lame = line.replace(own[-1], "")
            for text in (line, lame, " a" * 20_000):
                calls(lambda text=text, pattern=pattern: pattern.search(text), hang_s=2)


@settings(deadline=None, derandomize=True, database=None)
@given(st.text(max_size=300), st.text(max_size=2000))
def test_what_is_read_is_bounded(title: str, body: str) -> None:
    """Of any body at most so much prose and so much code is looked at, and the words are the body's own."""
    prose, code = parts(body)
    assert len(prose) <= LEAD_READ
    assert len(code) <= CODE_READ
    assert parts(body + "x" * BODY_READ + "overflow")[0].find("overflow") in (-1, prose.find("overflow"))
    assert all(word.isascii() and word in title for word in Text(title).words)


def test_a_phrase_is_found_as_it_is_written() -> None:
    """The span is the text's own, whatever stands between the words and in any case; parts of words don't count."""
    group = Phrases("out of bounds", "silent*", "no|missing ..2 check*")
    assert Text("Reads Out-Of-Bounds here").found(group) == "Out-Of-Bounds"
    assert Text("silently so").found(group) == "silently"
    assert Text("there is no range check").found(group) == "no range check"
    assert Text("missing a very long list of checks").found(group) is None
    assert Text("boundsoutof, unsilent").found(group) is None


def test_the_environment_is_not_read() -> None:
    """What collect_env prints and the form's own headings speak for nothing."""
    dump = (
        "PyTorch version: 2.13.0\nCUDA used to build PyTorch: 12.8\nROCM used to build PyTorch: N/A\n[pip3] triton==3.4"
    )
    bare = an_item(body="It is off.")
    full = an_item(body=f"### 🐛 Describe the bug\n\nIt is off.\n\n### Versions\n\n{dump}\n")
    assert rule_on(full, rules("classify")).reasons == rule_on(bare, rules("classify")).reasons


def test_other_items_in_between_change_nothing() -> None:
    """What is kept between items is only for speed: in any order, and again, each item gets the same ruling."""
    items = [item for path in test_cases_classify.PATHS for item in test_cases_classify.read(path).items]
    found = rules("classify")
    first = {item.key: rule_on(item, found).model_dump_json() for item in items}
    order = random.Random(4)  # noqa: S311
    for _ in range(3):
        order.shuffle(items)
        phrases._forget()
        assert {item.key: rule_on(item, found).model_dump_json() for item in items} == first


DIGEST = """
import hashlib, sys
from bot.cli.reading import read_items
from bot.registry import rules
from bot.stages.classify import rule_on
from tests.work import calls
from pathlib import Path
told = "".join(rule_on(item, rules("classify")).model_dump_json() for item in read_items(Path(sys.argv[1])))
print(hashlib.sha256(told.encode()).hexdigest())
"""


def test_the_same_in_every_process(tmp_path: Path) -> None:
    """Processes that order their sets differently rule alike, to the last digit and reason."""
    items = [item for path in test_cases_classify.PATHS for item in test_cases_classify.read(path).items]
    archive = tmp_path / "items.jsonl"
    archive.write_text("".join(item.model_dump_json() + "\n" for item in items), "utf-8")
    command = [sys.executable, "-c", DIGEST, str(archive)]
    told = {
        subprocess.run(
            command, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1", "20261111")
    }
    assert len(told) == 1


def test_weights_are_for_what_rules_say() -> None:
    """The weights file is sorted, short figures for classes and defect kinds that exist, and each rule in it exists."""
    path = resource("rules") / "classify.weights.json"
    text = path.read_text("utf-8")
    learned = json.loads(text)
    assert text == json.dumps(learned, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert learned.keys() <= {rule.name for rule in rules("classify")}
    for said in learned.values():
        for why, weights in said.items():
            assert weights.keys() <= {*CLASSES, *KINDS}, why
            assert all(weight == round(weight, 2) and abs(weight) < 8 for weight in weights.values()), why


def test_a_rule_that_is_gone_takes_its_weights_along() -> None:
    """Without a rule the others rule on as ever; a rule without weights speaks with its own."""
    found = rules("classify")
    item = an_item(title="[CUDA] cumsum gives a wrong result", body="On the GPU only.", labels=["module: cuda"])
    fewer = [rule for rule in found if rule.name != "operators"]
    assert {one.rule for one in said_of(item, fewer)} == {one.rule for one in said_of(item, found)} - {"operators"}
    plain = weighed(found, {})
    assert all(not one.learned for one in said_of(item, plain))
    assert rule_on(item, plain).candidate


def test_a_veto_outweighs_everything() -> None:
    """Whatever speaks for a candidate, a veto makes it none, and says so."""
    item = an_item(title="[CUDA] cumsum gives a wrong result for 2^31 elements", labels=["module: cuda"])
    found = rules("classify")
    assert rule_on(item, found).candidate
    pins = Rule("doubt", "It may not be.", lambda _: [said_of(an_item(title="commit pin"), found)[0].claim])
    ruling = rule_on(item, (*found, pins))
    assert not ruling.candidate
    assert ruling.score == 0
    assert pins.name in {reason.rule for reason in ruling.reasons}


def test_only_what_changed_files_are_called_matters() -> None:
    """A pull request's paths speak whatever their order; patches are not searched for words."""
    paths = ["aten/src/ATen/native/cuda/Sort.cu", "test/test_sort.py", "docs/source/x.md"]
    one = an_item(kind="pull", title="Fix sort", files=[ChangedFile(path=path, patch="inductor") for path in paths])
    other = one.model_copy(update={"files": one.files[::-1]})
    found = rules("classify")
    assert rule_on(one, found).model_dump() == rule_on(other, found).model_dump()
    assert not [reason for reason in rule_on(one, found).reasons if reason.rule == "compiler-stack"]


def test_no_rule_reads_the_world() -> None:
    """Rules import neither network nor clock nor torch."""
    for path in resource("rules").rglob("*.py"):
        text = path.read_text("utf-8")
        assert not re.search(r"^\s*(?:import|from) (?:torch|httpx|socket|time|datetime|random)\b", text, re.M), path
