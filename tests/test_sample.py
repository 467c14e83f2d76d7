"""The window that ships with the package: whole, well formed, and true to the public facts that it retells."""

import json
import re
from collections import Counter
from functools import cache

import pytest

from bot.model import Item, Window
from bot.resources import resource

PLACE = resource("sample")
ISSUE, FIX, INDEX_TYPE, CHANNEL_PARALLEL, MPS = 204496, 204495, 204493, 198032, 179756


@cache
def lines() -> list[str]:
    return (PLACE / "2026-11-11.jsonl").read_text(encoding="utf-8").splitlines()


@cache
def items() -> dict[int, Item]:
    read = [Item.model_validate_json(line) for line in lines()]
    return {item.number: item for item in read}


@cache
def about() -> dict[str, object]:
    return json.loads((PLACE / "2026-11-11.window.json").read_text(encoding="utf-8"))


def window() -> Window:
    return Window.parse(about()["window"])


def test_numbers_are_distinct() -> None:
    """Every line is an Item of pytorch/pytorch, and no two lines have the same number."""
    assert len(items()) == len(lines())
    assert {item.repo for item in items().values()} == {"pytorch/pytorch"}


@pytest.mark.parametrize("number", [json.loads(line)["number"] for line in lines()])
def test_line_is_written_as_the_contract_says(number: int) -> None:
    """Keys are all known and in the contract's order, and no value is null."""
    raw = next(row for row in map(json.loads, lines()) if row["number"] == number)
    assert list(raw) == [name for name in Item.model_fields if name in raw]
    assert None not in raw.values()


@pytest.mark.parametrize("line", lines(), ids=lambda line: str(json.loads(line)["number"]))
def test_text_is_not_escaped(line: str) -> None:
    r"""No character beyond ASCII is written as \\u and the line has no blanks at its ends."""
    assert not re.search(r"(?<!\\)\\u(?!00[01])", line)
    assert line == line.strip()


def test_every_item_belongs() -> None:
    """Every item was created or updated inside the window, or one that was links to it."""
    inside = {n for n, item in items().items() if item.created_at in window() or item.updated_at in window()}
    linked = {link.number for number in inside for link in items()[number].links}
    assert set(items()) <= inside | linked


def test_links_lead_somewhere() -> None:
    """Every link leads to another item of the sample."""
    links = [(item.number, link.number) for item in items().values() for link in item.links]
    assert all(there in items() and there != here for here, there in links)


def test_the_window_is_half_open() -> None:
    """One item was created at its very first second, one at its last, and none later."""
    created = sorted(item.created_at for item in items().values() if item.created_at in window())
    assert created[0] == window().start
    assert f"{created[-1]:%H:%M:%S}" == "23:59:59"
    assert max(item.created_at for item in items().values()) in window()


def test_counts_agree() -> None:
    """The window file counts exactly the lines of each kind."""
    assert about()["counts"] == dict(Counter(item.kind.value for item in items().values()))


def test_heads() -> None:
    """The upstream head is the commit at which the published scan of this window was frozen; no target head is."""
    assert about()["heads"] == {"upstream": "125472c0cbd6259715738ed1a80cd0240f914ad1", "target": None}


def test_times_are_in_order() -> None:
    """No item is updated or closed before it is created, or commented on after its last update."""
    for item in items().values():
        assert item.created_at <= (item.closed_at or item.created_at) <= item.updated_at
        assert all(item.created_at <= comment.created_at <= item.updated_at for comment in item.comments)


def test_the_issue() -> None:
    """#204496 is open, has the five public labels and no others, and states both measured and expected values."""
    issue = items()[ISSUE]
    assert (issue.kind, issue.state) == ("issue", "open")
    assert issue.created_at in window()
    assert set(issue.labels) == {
        "module: correctness (silent)",
        "module: numerical-stability",
        "module: half",
        "module: bfloat16",
        "module: interpolation",
    }
    for text in ("MI355X", "[1024.0, 0.0]", "[128.0, 0.0]", "[2048.0, 0.0]", "grid_sampler_2d_backward"):
        assert text in issue.body


def test_the_proposed_fix() -> None:
    """#204495 is open and not merged, says that it fixes #204496, and touches the four public files and no others."""
    fix = items()[FIX]
    assert (fix.kind, fix.state, fix.merged_at, fix.landed_sha) == ("pull", "open", None, None)
    assert "Fixes #204496" in fix.body
    assert [link.number for link in fix.links if link.kind == "fixes"] == [ISSUE]
    assert [file.path for file in fix.files] == [
        "aten/src/ATen/native/cuda/GridSampler.cu",
        "aten/src/ATen/native/cuda/GridSampler.cuh",
        "docs/source/notes/hip.rst",
        "test/test_nn.py",
    ]
    assert "@onlyCUDA" in (fix.files[3].patch or "")


@pytest.mark.parametrize("number", [INDEX_TYPE, CHANNEL_PARALLEL])
def test_the_rest_of_the_series(number: int) -> None:
    """The other two members are open pull requests that name the issue and its fix as their series."""
    pull = items()[number]
    assert (pull.kind, pull.state) == ("pull", "open")
    assert {ISSUE, FIX} <= {link.number for link in pull.links if link.kind == "series"}


def test_the_older_member_moved_in_the_window() -> None:
    """#198032 was created before the window and updated in it."""
    pull = items()[CHANNEL_PARALLEL]
    assert pull.created_at < window().start
    assert pull.updated_at in window()


def test_landed_by_the_merge_bot() -> None:
    """#179756 landed as the merge bot lands: closed, labelled Merged, no merge time, the commit known."""
    pull = items()[MPS]
    assert (pull.state, pull.merged_at, pull.landed_sha) == ("closed", None, "9053bca")
    assert {"Merged", "release notes: mps", "ciflow/mps"} <= set(pull.labels)
    assert (f"{pull.created_at:%F}", f"{pull.closed_at:%F}") == ("2026-04-08", "2026-04-15")
    assert [link.kind for link in items()[ISSUE].links if link.number == MPS] == ["mentions"]


def test_patches_count_their_lines() -> None:
    """Every patch holds as many added and removed lines as its file says, and its hunk headers are right."""
    for file in (file for item in items().values() for file in item.files if file.patch):
        hunks = re.split(r"^@@ -\d+,(\d+) \+\d+,(\d+) @@\n", file.patch, flags=re.MULTILINE)[1:]
        bodies = [hunk.splitlines() for hunk in hunks[2::3]]
        kept, added, removed = ([sum(line[0] == sign for line in body) for body in bodies] for sign in " +-")
        assert (sum(added), sum(removed)) == (file.additions, file.deletions)
        assert [int(old) for old in hunks[0::3]] == [k + r for k, r in zip(kept, removed, strict=True)]
        assert [int(new) for new in hunks[1::3]] == [k + a for k, a in zip(kept, added, strict=True)]


def test_nobody_is_called() -> None:
    """No text addresses a person: the only @-names are the merge bot's own command and test decorators."""
    texts = [text for item in items().values() for text in (item.body, *(comment.body for comment in item.comments))]
    assert {name for text in texts for name in re.findall(r"@(\w+)", text)} <= {"pytorchbot", "onlyCUDA"}
