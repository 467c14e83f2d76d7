"""Every chain case; and that no text, however hostile, glues a window together or takes its time."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import Item, ItemKind, Link, LinkKind
from bot.stages.chain import MOST, groups, joined, member
from bot.stages.member import bare_title, has_code
from bot.stages.state import standing_of
from tests.laws import files, shuffled, text_of
from tests.work import calls

PATHS = files("chain", "toml")
REPO = "pytorch/pytorch"
TITLES = st.sampled_from(
    (
        'Revert "grid_sampler_2d backward is wrong (#3)"',
        "[reland] grid_sampler_2d backward is wrong",
        "grid_sampler_2d backward is wrong",
        "[CUDA] Fix grid_sampler_2d backward that is wrong",
        "Umbrella: all that is wrong",
    )
)
BODIES = st.lists(
    st.sampled_from(
        (
            "Fixes #1",
            "closes pytorch/pytorch#2",
            "Stack from [ghstack](x):\n* #1\n* #2\n* #3\n",
            "- [ ] #4",
            "#5",
            "```",
        )
    ),
    max_size=6,
).map("\n".join)
ITEMS = st.builds(
    Item,
    repo=st.just(REPO),
    number=st.integers(1, 12),
    kind=st.sampled_from(("issue", "pull")),
    title=TITLES | st.text(max_size=40),
    body=BODIES,
    author=st.sampled_from(("", "someone", "a[bot]")),
    state=st.sampled_from(("open", "closed", "merged")),
    labels=st.lists(st.sampled_from(("Merged", "Reverted", "Stale")), max_size=2),
    head_ref=st.sampled_from((None, "gh/a/1/head", "gh/b/2/head")),
    base_ref=st.sampled_from((None, "main", "release/2.15")),
    landed_sha=st.sampled_from((None, "bbbbbbb2", "ccccccc3")),
    links=st.lists(
        st.builds(
            Link,
            kind=st.sampled_from(LinkKind),
            repo=st.just(REPO),
            number=st.integers(1, 12),
        ),
        max_size=3,
    ),
)


class Case(NamedTuple):
    """A chain case as written."""

    items: list[Item]
    said: dict[str, Any]


@cache
def read(path: Path) -> Case:
    """The items of a window, and what must come of them."""
    said = tomllib.loads(text_of(path))
    return Case([Item.model_validate({"repo": REPO, "kind": "issue", **entry}) for entry in said["items"]], said)


def numbers(items: list[Item]) -> list[list[int | str]]:
    """The chains of more than one item, each in the order of its numbers."""
    found = [[one.number for one in sorted(group, key=lambda one: one.order)] for group in groups(map(member, items))]
    return [group for group in found if len(group) > 1]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """The items are chained as the file says and no otherwise, for the reasons it names; they stand as it says."""
    items, said = read(path)
    wanted = [sorted(chain, key=lambda one: str(one).zfill(12)) for chain in said["chains"]]
    assert sorted(numbers(items), key=str) == sorted(wanted, key=str)
    assert {tie.kinship.value for tie in joined(map(member, items))[1]} >= set(said.get("joined", ()))
    by_number = {str(item.number): item for item in items}
    chain_of = {str(number): [by_number[str(one)] for one in chain] for chain in wanted for number in chain}
    for number, state in said.get("states", {}).items():
        for chain in (chain_of.get(number, []), chain_of.get(number, [])[::-1]):
            told = standing_of(by_number[number], chain)
            assert told.state == state, (number, told.why)
            assert said.get("says", {}).get(number, "") in told.why, told.why
    if wanted:
        chain = chain_of[str(wanted[0][0])]
        (group,) = groups(map(member, chain))
        told = standing_of(by_number[str(group[0].number)], chain)
        assert said.get("landed_sha", told.landed_sha) == told.landed_sha
        assert said.get("state", told.state) == told.state


def test_company_joins_nothing() -> None:
    """In one window with all other cases each is chained as it is alone."""
    cases = [read(path).items for path in PATHS]
    together = numbers([item for items in cases for item in items])
    assert sorted(together, key=str) == sorted((chain for items in cases for chain in numbers(items)), key=str)


@settings(deadline=None, derandomize=True, database=None, max_examples=200)
@given(st.lists(ITEMS, max_size=12, unique_by=lambda item: item.number))
def test_any_window_is_chained(items: list[Item]) -> None:
    """Each item is in one chain, the order of the items doesn't matter, and every tie is inside a chain."""
    found, ties = joined(map(member, items))
    assert sorted(one.key for group in found for one in group) == sorted(item.key for item in items)
    assert joined(map(member, shuffled(items))) == (found, ties)
    chain_of = {one.key: place for place, group in enumerate(found) for one in group}
    assert all(chain_of[tie.key] == chain_of[tie.other] for tie in ties)
    assert len(ties) == len(items) - len(found)
    for item in items:
        assert standing_of(item, items).why


def item(number: int, kind: str = "pull", **fields: object) -> Item:
    """An item by number."""
    return Item.model_validate({"repo": REPO, "number": number, "kind": kind, "title": f"item {number}", **fields})


def test_a_window_of_claims_stays_apart() -> None:
    """Pull requests that claim three neighbours each, link by link, make chains of a bounded length."""
    items = [item(number, body=" ".join(f"fixes #{number + step}" for step in (1, 2, 3))) for number in range(1, 3_001)]
    assert max(map(len, groups(map(member, items)))) <= MOST


def test_a_hostile_stack_joins_nobody() -> None:
    """A stranger's list of others' pull requests, on a branch of his own or on none, joins none of them."""
    others = [item(number, head_ref=f"gh/owner{number}/1/head") for number in range(1, 31)]
    listed = "Stack from [ghstack](x):\n" + "".join(f"* #{number}\n" for number in range(1, 31))
    for head in (None, "gh/stranger/1/head", "patch-1"):
        assert numbers([*others, item(99, body=listed, head_ref=head)]) == []


def test_the_leader() -> None:
    """Who has code speaks for a chain, then an issue, then the oldest."""
    code = "fixes #2\n```python\nprint(torch.ones(2))\n```"
    window = [item(1, body=code), item(2, "issue"), item(3, body="fixes #2")]
    assert [one.number for one in groups(map(member, window))[0]] == [1, 2, 3]
    for body in ("fixes #2", "fixes #2\n```\nRuntimeError: no\n```"):
        window[0] = item(1, body=body)
        assert [one.number for one in groups(map(member, window))[0]] == [2, 1, 3]


@pytest.mark.parametrize(
    ("body", "is_code"),
    [
        ("```python\nimport torch\n```", True),
        ("> ~~~\n> torch.ones(2)\n> ~~~", True),
        ("Run\n\n    x = torch.ones(2)\n    print(x)", True),
        (">>> torch.ones(2)\ntensor([1., 1.])", True),
        ("In [3]: torch.nn.functional.grid_sample(x, y)", True),
        ("```python\nimport torch", True),
        ("```\nRuntimeError: CUDA error: no kernel image\n```", False),
        ('```\nTraceback (most recent call last):\n  File "a.py"\n    x = torch.ones(2)\n```', False),
        ("```\nPyTorch version: 2.14.1\n[pip3] torch==2.14.1\n```", False),
        ("It calls torch.ones(2) and is wrong", False),
        ("```cpp\nint index = blockIdx.x;\n```", False),
        ("", False),
    ],
)
def test_what_counts_as_code(body: str, is_code: bool) -> None:
    """Code that calls torch does, fenced, indented or behind a prompt; logs, environments and other languages don't."""
    assert has_code(body) == is_code


@pytest.mark.parametrize(
    "title",
    [
        "widen the sum",
        "[reland] widen the sum",
        "Reland #12: widen the sum",
        'Revert "widen the sum (#12)"',
        'Revert "Revert "widen the sum (#12)" (#13)"',
        "[2/3] widen the sum (#12)",
        "widen the sum (reland)",
    ],
)
def test_a_title_without_its_wrapping(title: str) -> None:
    """What re-lands, reverts, picks and stacks put around a title is taken off."""
    assert bare_title(title) == "widen the sum"


def test_twelve_thousand_items_in_a_second() -> None:
    """A month is chained in linear time: a second of this process for 12,000 members, hostile ones among them."""
    words = (
        "overflow",
        "kernel",
        "reads",
        "bounds",
        "empty",
        "negative",
        "stride",
        "index",
        "wide",
        "reduction",
        "half",
    )
    items = [
        item(
            number,
            "issue" if number % 2 else "pull",
            title=f"[CUDA] softmax_{number % 50} {words[number % 11]} {words[number % 7]} {words[number % 5]}",
            body=f"#{number - 1}" if number % 3 else f"Fixes #{number - 1}",
            author=f"author{number % 100}",
        )
        for number in range(1, 12_001)
    ]
    members = [member(one) for one in items]
    assert calls(lambda: groups(members)) < 1_000 * len(members)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "```\ntorch.\n" * 10_000, "    torch.a" * 10_000, "torch." * 20_000,
     "fixes " * 20_000, "#1 " * 30_000, "* #1\n" * 20_000, " " * 100_000,
     "Revert \"" * 20_000, "- [ ] " * 20_000,
     "superseded by " * 10_000, "Stack from [ghstack]\n" + "* #1 " * 20_000, "a/" * 50_000 + "#1", "reland " * 20_000],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    """No title and body of 100,000 characters are more than two calls a character, whatever they are made of."""
    hostile = item(1, title=text, body=text, state="closed", comments=[{"author_association": "MEMBER", "body": text}])

    def told() -> None:
        groups([member(hostile)])
        standing_of(hostile, [])

    assert calls(told) < 1_000 + 2 * len(text)
    assert hostile.kind is ItemKind.PULL
