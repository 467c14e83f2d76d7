"""What `classify` says beside the ruling, to programs and to people."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from bot.cli.explaining import lines
from bot.model import Item
from bot.registry import rules
from bot.stages.classify import classify
from bot.stages.explain import claims, known
from bot.targets import load
from tests.conftest import Alignbot, one_line
from tests.laws import shuffled
from tests.sample_line import sample

SAMPLE = Path(__file__).parent.parent / "bot/sample/2026-11-11.jsonl"
FIELDS = {
    "leader", "joined", "state", "state_why", "since", "landed_sha", "ownership", "ownership_why", "series", "number",
    "kind", "candidate", "class", "defect_kind", "ops", "score", "reasons", "chain",
}  # fmt: skip


def test_programs_get_all_fields(alignbot: Alignbot, tmp_path: Path) -> None:
    """A line an item, in their order, with the ruling's fields and those of the change."""
    done = alignbot("classify", SAMPLE, state=tmp_path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["number"] for line in lines] == [item.number for item in sample().items()]
    assert all(line.keys() >= FIELDS for line in lines)
    by_number = {line["number"]: line for line in lines}
    assert by_number[204496]["joined"] == [
        {
            "key": "pytorch/pytorch#204495",
            "other": "pytorch/pytorch#204496",
            "kinship": "GitHub links them as fix and fixed",
        }
    ]
    assert by_number[204495]["leader"] == "pytorch/pytorch#204496"
    landed = by_number[179756]
    assert (landed["state"], landed["since"], landed["landed_sha"]) == ("landed", "2026-04-15T20:07:22Z", "9053bca")
    assert by_number[204496]["ownership"] == "target"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_people_get_lines_that_fit(columns: int, alignbot: Alignbot, tmp_path: Path) -> None:
    """No line is wider than the terminal; there are no colours in a pipe; every item is told with its words."""
    done = alignbot("classify", SAMPLE, "--explain", state=tmp_path, COLUMNS=str(columns))
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= columns
    assert "\x1b" not in done.stdout
    told = " ".join(done.stdout.split())
    for words in (
        "pytorch/pytorch#204496 speaks for it and #204495",
        "GitHub links them as fix and fixed",
        "landed since 2026-04-15: pytorch/pytorch#179756 landed as 9053bca",
        "calls grid_sampler_2d_backward_xpu",
        "veto",
        "against",
    ):
        assert words in told or columns == 40


def test_people_or_programs(alignbot: Alignbot, tmp_path: Path) -> None:
    """Both at once is refused."""
    assert "give one of them" in one_line(alignbot("classify", SAMPLE, "--explain", "--json", state=tmp_path))


def test_a_strangers_text_stays_text(alignbot: Alignbot, tmp_path: Path) -> None:
    """Control characters of a title are written out."""
    item = {"repo": "a/b", "number": 1, "kind": "issue", "title": "[CUDA] \x1b[31mred\x1b[0m \u202ecumsum is wrong"}
    done = alignbot("classify", "-", "--explain", state=tmp_path, stdin=json.dumps(item))
    assert "\x1b" not in done.stdout
    assert "\\x1b[31mred" in done.stdout


def test_no_text_floods_the_terminal(alignbot: Alignbot, tmp_path: Path) -> None:
    """A title, a path and a branch of any length take a few lines, and letters of two cells take two."""
    item = {
        "repo": "a/b", "number": 1, "kind": "pull", "title": "漢字 cumsum " * 9_000, "state": "closed",
        "labels": ["Merged"], "base_ref": "漢" * 90_000,
        "files": [{"path": f"aten/src/ATen/native/cuda/{'x' * 90_000}"}],
    }  # fmt: skip
    done = alignbot("classify", "-", "--explain", state=tmp_path, stdin=json.dumps(item), COLUMNS="60")
    assert done.returncode == 0, done.stderr
    assert max(map(cell_len, done.stdout.splitlines())) <= 60
    assert len(done.stdout) < 6_000


def test_what_was_learned_is_told() -> None:
    """Each learned weight that an item's class was decided by stands beside its words, also where a rule has none."""
    found = rules("classify")
    item = Item(repo="a/b", number=1, kind="issue", title="cumsum is wrong")
    (one,) = known([item], classify([item], found), load("xpu"))
    told = " ".join(text for _, text in lines(one, claims(item, found)))
    learned = [weight for said in claims(item, found) for weight in said.learned.items()]
    assert any(said.learned and said.claim.item_class is None for said in claims(item, found))
    assert all(f"{weight:+.2f} {name}" in told for name, weight in learned)


def test_order_changes_nothing() -> None:
    """Shuffled items are known by the same; shuffled rules claim the same."""
    items = list(sample().items())
    whole = {one.item.key: one for one in known(items, classify(items, rules("classify")), load("xpu"))}
    others = shuffled(items)
    for one in known(others, classify(others, rules("classify")), load("xpu")):
        assert one == whole[one.item.key]
    for item in items:
        assert claims(item, shuffled(rules("classify"))) == claims(item, rules("classify"))


def test_the_same_item_twice() -> None:
    """A file that holds an item twice is answered twice."""
    item = Item(repo="a/b", number=1, kind="issue", title="cumsum is wrong")
    assert len(list(known([item, item], classify([item, item], rules("classify")), load("xpu")))) == 2


def test_two_versions_of_an_item() -> None:
    """Each line is ruled on by what it says itself."""
    items = [Item(repo="a/b", number=1, kind="issue", title=title) for title in ("cumsum is wrong", "DISABLED test_x")]
    rulings = classify(items, rules("classify"))
    assert rulings[0] != rulings[1]
    assert [one.ruling for one in known(items, rulings, load("xpu"))] == rulings
