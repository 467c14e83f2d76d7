"""Where a change stands: the second seed, and each way in which GitHub's own word misleads. More in cases/chain."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.edges.store import SqlStore
from bot.model import ChangeState, Item, LinkKind
from bot.pipeline import scan
from bot.registry import rules
from bot.stages.classify import classify
from bot.stages.explain import known
from bot.stages.state import standing_of
from bot.targets import load
from tests.fakes import Listed, Silent
from tests.sample_line import WINDOW, open_store, recorded_line, sample

REPO = "pytorch/pytorch"
METAL = Item(
    repo=REPO,
    number=179756,
    kind="pull",
    title="[MPS] GridSampler2D backward",
    body="""Stack from [ghstack](https://github.com/ezyang/ghstack) (oldest at bottom):
* __->__ #179756

The gradient of `grid_sampler_2d` had no Metal kernel. This adds `grid_sampler_2d_backward` there, for all modes of
interpolation and padding, in float32, float16 and bfloat16, after the model of the CUDA source. Many have asked for it.
""",
    labels=("Merged", "ciflow/inductor", "ciflow/mps", "release notes: mps"),
    state="closed",
    created_at="2026-04-08T21:01:13Z",
    closed_at="2026-04-15T20:07:22Z",
    head_ref="gh/contributor-m/311/head",
    base_ref="gh/contributor-m/311/base",
    landed_sha="9053bca",
    files=(
        {"path": "aten/src/ATen/native/mps/kernels/GridSampler.metal"},
        {"path": "aten/src/ATen/native/mps/operations/GridSampler.mm"},
        {"path": "aten/src/ATen/native/native_functions.yaml"},
    ),
)
"""The second seed: closed, `merged` false, and yet landed."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlStore]:
    """An empty database."""
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def seeds() -> list[Item]:
    """The second seed, and the first one of the same operator, which doesn't link to it."""
    first = next(item for item in sample().items() if item.number == 204496)
    return [METAL, first.model_copy(update={"links": ()})]


def pull(**fields: object) -> Item:
    """A pull request."""
    return Item.model_validate({"repo": REPO, "number": 7, "kind": "pull", "title": "Widen it", **fields})


def test_the_second_seed_landed() -> None:
    """It is on the default branch since 2026-04-15 as 9053bca, though GitHub says closed and not merged."""
    told = standing_of(METAL, [])
    assert (told.state, told.landed_sha) == (ChangeState.LANDED, "9053bca")
    assert told.since == datetime(2026, 4, 15, 20, 7, 22, tzinfo=UTC)
    assert standing_of(METAL, [METAL]) == told


def test_the_second_seed_is_no_candidate_and_leads_to_its_series() -> None:
    """It is about another device; the candidate of the same operator is linked with it, in both directions."""
    items = seeds()
    metal, first = known(items, classify(items, rules("classify")), load("xpu"))
    assert (metal.ruling.candidate, first.ruling.candidate) == (False, True)
    assert metal.ruling.chain == first.ruling.chain == ()
    assert (metal.series, first.series) == ((first.item.key,), (METAL.key,))


def test_a_case_is_linked_with_its_series(store: SqlStore, tmp_path: Path) -> None:
    """The candidate's case has the second seed among its linked items, its draft names it with its commit."""
    done = scan(Listed(seeds()), WINDOW, recorded_line(store, tmp_path), Silent())
    (case,) = done.cases
    assert [item.key for item in case.linked] == [METAL.key]
    assert {entry["number"]: entry["state"] for entry in done.entries} == {179756: "landed", 204496: "open"}
    ((_, draft, _),) = store.findings()
    assert "pytorch/pytorch#179756" in draft.body
    assert "state landed as `9053bca` since 2026-04-15" in draft.body


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"state": "closed", "labels": ["Merged"]}, "landed"),
        ({"state": "closed", "landed_sha": "abcdef1"}, "landed"),
        ({"state": "closed", "labels": ["merged"]}, "landed"),
        ({"state": "merged"}, "unknown"),
        ({"state": "merged", "base_ref": "main"}, "landed"),
        ({"state": "merged", "base_ref": "gh/someone/3/base"}, "unknown"),
        ({"state": "merged", "labels": ["merged"]}, "landed"),
        ({"state": "merged", "landed_sha": "abcdef1"}, "landed"),
        ({"state": "closed", "base_ref": "release/2.15", "labels": ["merged"]}, "open"),
        ({"state": "merged", "base_ref": "somebody/branch"}, "open"),
        ({"state": "merged", "base_ref": "release/2.15"}, "open"),
        ({"state": "closed", "base_ref": "release/2.15", "labels": ["Merged"]}, "open"),
        ({"state": "open", "labels": ["Merged"]}, "open"),
        ({"state": "open", "labels": ["Stale"]}, "open"),
        ({"state": "open", "labels": ["Merged", "Reverted"], "landed_sha": "abcdef1"}, "reverted"),
        ({"state": "closed", "labels": ["Merged", "Reverted"]}, "reverted"),
        ({"state": "closed", "labels": ["Merged", "Reverted"], "landed_sha": "abcdef1"}, "landed"),
        ({"state": "closed"}, "abandoned"),
        ({"state": "closed", "labels": ["Stale"]}, "abandoned"),
        ({"state": "closed", "body": "Closing in favor of https://github.com/pytorch/pytorch/pull/9"}, "superseded"),
        ({"state": "closed", "body": "Replaced by pytorch/pytorch#9."}, "superseded"),
        ({"state": "closed", "body": "Superseded by #7, that is, by itself"}, "abandoned"),
        ({"state": "closed", "landed_sha": "abcdef1", "body": "Superseded by #9"}, "landed"),
        ({"state": "open", "body": "Superseded by #9"}, "open"),
        ({"kind": "issue", "state": "closed"}, "unknown"),
        ({"kind": "issue", "state": "closed", "landed_sha": "abcdef1"}, "landed"),
        ({"kind": "issue", "state": "open", "landed_sha": "abcdef1"}, "open"),
        ({"kind": "issue", "state": "closed", "labels": ["Merged"]}, "unknown"),
        ({"kind": "issue", "state": "closed", "state_reason": "banana"}, "unknown"),
        ({"kind": "issue", "state": "open"}, "open"),
    ],
)
def test_one_item(fields: dict[str, object], state: str) -> None:
    """An item by itself stands where its commit and labels say; a word about another one counts if it was closed."""
    told = standing_of(pull(**fields), [])
    assert told.state == state, told.why
    assert "None" not in told.why
    assert (told.landed_sha is None) or told.state is ChangeState.LANDED


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"state": "merged", "landed_sha": "abcdef1"}, "landed as abcdef1"),
        ({"state": "merged", "labels": ["MERGED"]}, "landed by its label Merged"),
        ({"state": "merged", "base_ref": "main"}, "merged into main"),
        ({"state": "merged"}, "into which branch was not read"),
        ({"state": "merged", "base_ref": "gh/someone/3/base"}, "no commit or label says"),
    ],
)
def test_merged_alone_says_nothing(fields: dict[str, object], says: str) -> None:
    """The sentence names what told that it landed: its commit, its label or its branch."""
    assert says in standing_of(pull(**fields), []).why


UNDO = pull(number=8, title='Revert "Widen it (#7)"', state="merged", base_ref="main", merged_at="2026-11-02T00:00:00Z")
FIRST = pull(state="closed", landed_sha="abcdef1", closed_at="2026-11-01T00:00:00Z")


def test_only_the_last_event_counts() -> None:
    """Landed, taken back, landed again: each later event changes where the change stands, whatever the order given."""
    again = pull(
        number=9, title="[reland] #7: Widen it", landed_sha="abcdef3", state="closed", closed_at="2026-11-03T00:00:00Z"
    )
    assert standing_of(FIRST, []).landed_sha == "abcdef1"
    assert standing_of(FIRST, [UNDO]).state is ChangeState.REVERTED
    assert standing_of(FIRST, [FIRST, UNDO]).since == UNDO.merged_at
    told = standing_of(FIRST, [again, FIRST, UNDO])
    assert (told.state, told.landed_sha, "landed again" in told.why) == (ChangeState.LANDED, "abcdef3", True)


def test_without_times_what_happened_has_its_order_all_the_same() -> None:
    """A revert is after what it takes back, and a re-land after that, where nobody says when they were."""
    first, undo = (one.model_copy(update={"closed_at": None, "merged_at": None}) for one in (FIRST, UNDO))
    again = pull(number=9, title="Reland #7: Widen it", landed_sha="abcdef3", state="closed")
    for one in (first, FIRST):
        assert standing_of(one, [undo]).state is ChangeState.REVERTED
        assert standing_of(one, [undo, again]).landed_sha == "abcdef3"


def test_a_revert_stands_by_itself() -> None:
    """It landed, and says what it takes back."""
    told = standing_of(UNDO, [FIRST])
    assert (told.state, "it takes back pytorch/pytorch#7" in told.why) == (ChangeState.LANDED, True)


def test_who_was_taken_back_may_say_so() -> None:
    """A link names the revert, whichever of the two has it, and whatever its title says."""
    undo = pull(number=8, title="Narrow", state="closed", landed_sha="abcdef2", closed_at="2026-11-02T00:00:00Z")
    link = {"repo": REPO, "number": 8, "kind": "reverted-by"}
    assert standing_of(Item.model_validate({**FIRST.as_json(), "links": [link]}), [undo]).state is ChangeState.REVERTED
    undo = Item.model_validate({**undo.as_json(), "links": [{**link, "number": 7, "kind": "reverts"}]})
    assert standing_of(FIRST, [undo]).state is ChangeState.REVERTED
    assert standing_of(undo, [FIRST]).state is ChangeState.LANDED


def test_the_label_alone_has_no_time() -> None:
    """What changed on the item since is no revert: nobody knows when that was."""
    times = {"created_at": "2026-11-01T00:00:00Z", "updated_at": "2026-11-20T00:00:00Z"}
    told = standing_of(pull(labels=["Reverted"], **times), [])
    assert (told.state, told.since) == (ChangeState.REVERTED, None)


def test_a_link_of_an_unheard_of_kind_is_read() -> None:
    """It joins nothing, and is no reason to refuse the item; a number for a kind is."""
    item = pull(links=[{"kind": "inspired-by", "repo": REPO, "number": 3}])
    assert [link.kind for link in item.links] == [LinkKind.OTHER]
    assert pull(**item.as_json()) == item
    with pytest.raises(ValueError, match="kind"):
        pull(links=[{"kind": 3, "repo": REPO, "number": 3}])


def test_a_revert_that_did_not_land_takes_nothing_back() -> None:
    """An open or abandoned revert leaves the change where it is."""
    for state in ("open", "closed"):
        undo = pull(number=8, title='Revert "Widen it (#7)"', state=state)
        assert standing_of(FIRST, [undo]).landed_sha == "abcdef1"


def test_a_revert_of_a_revert_brings_it_back() -> None:
    """The revert's revert is a landing, and what it took back is what was reverted."""
    again = pull(
        number=9,
        title='Revert "Revert "Widen it (#7)" (#8)"',
        state="merged",
        base_ref="main",
        merged_at="2026-11-03T00:00:00Z",
    )
    assert standing_of(FIRST, [UNDO, again]).state is ChangeState.LANDED
    assert standing_of(UNDO, [FIRST, again]).state is ChangeState.REVERTED
    assert standing_of(again, [FIRST, UNDO]).state is ChangeState.LANDED
