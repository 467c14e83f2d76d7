"""Every classification case, alone and all together, and the laws of a ruling on items that nobody wrote."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model import Item, Link
from bot.registry import rules
from bot.stages.classify import classify
from tests.laws import files, laws_of_classify, recorded, text_of

PATHS = files("classify", "toml")
FIRST = 300_000
"""Cases are numbered from here, ten numbers each, unless they number themselves."""
WORDS = st.sampled_from(
    (
        "[CUDA]",
        "DISABLED",
        "fix",
        "cumsum",
        "out-of-bounds",
        "write",
        "torch.compile(",
        "`",
        "(",
        "[inductor",
        "NaN",
        "wrong result",
        "CPU",
        "how to",
        "add",
        "no",
        "#1",
        "fixes",
        "\n",
    )
)
TEXTS = st.text() | st.lists(WORDS).map(" ".join)
ITEMS = st.builds(
    Item,
    repo=st.just("pytorch/pytorch"),
    number=st.integers(1, 9),
    kind=st.sampled_from(("issue", "pull")),
    title=TEXTS,
    body=TEXTS,
    labels=st.lists(st.sampled_from(("module: cuda", "module: half", "oncall: pt2", "question")), max_size=2),
    links=st.lists(
        st.builds(
            Link,
            kind=st.sampled_from(("fixes", "reland", "mentions")),
            repo=st.just("pytorch/pytorch"),
            number=st.integers(1, 9),
        ),
        max_size=2,
    ),
)


class Case(NamedTuple):
    """A classification case as written."""

    items: list[Item]
    expect: dict[str, Any]


@cache
def read(path: Path) -> Case:
    """The item of the case first, the others of its window after it."""
    said = tomllib.loads(text_of(path))
    number = FIRST + 10 * PATHS.index(path)
    entries = [said["item"], *said.get("others", [])]
    defaults = ({"repo": "pytorch/pytorch", "number": number + place, "kind": "issue"} for place in range(len(entries)))
    return Case(
        [Item.model_validate({**one, **entry}) for one, entry in zip(defaults, entries, strict=True)], said["expect"]
    )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """The item is ruled on as its file says, and the laws hold."""
    case = read(path)
    ruling = laws_of_classify(case.items)[0]
    told = {"candidate": ruling.candidate, "class": ruling.item_class, "defect_kind": ruling.defect_kind}
    told |= {"ops": set(case.expect.get("ops", ())) & set(ruling.ops), "chain": list(ruling.chain)}
    wanted = {**case.expect} | ({"ops": set(case.expect["ops"])} if "ops" in case.expect else {})
    assert {"candidate", "class"} <= wanted.keys()
    assert {name: told[name] for name in wanted} == wanted, ruling.reasons
    classify(case.items, recorded("classify")[0])


def test_company_changes_no_ruling() -> None:
    """In one window with all other cases each item is ruled on as it is alone."""
    cases = [read(path) for path in PATHS]
    together = classify([item for case in cases for item in case.items], rules("classify"))
    assert together == [ruling for case in cases for ruling in classify(case.items, rules("classify"))]


@settings(deadline=None, derandomize=True, database=None)
@example([Item(repo="a/b", number=1, kind="pull", title="[inductor " * 9999, body="`a(" * 9999)])
@given(st.lists(ITEMS, max_size=6, unique_by=lambda item: item.number))
def test_any_item_is_ruled_on(items: list[Item]) -> None:
    """No title or body raises anything or takes a second, and the laws hold on all of them."""
    laws_of_classify(items)
