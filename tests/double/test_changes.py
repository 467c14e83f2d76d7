"""Changes of the world leave the traces that GitHub leaves."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.double import Double, Repository, World, changes, landing
from tests.double.asking import call
from tests.double.mentions import closing, mentioned

NOW = datetime(2026, 11, 12, 6, tzinfo=UTC)


@pytest.fixture
def repository() -> Repository:
    made = World(NOW).add_repository("pytorch/pytorch", next_number=1)
    changes.create_issue(made, "first")
    return made


@pytest.mark.parametrize(
    ("text", "points_at", "closes"),
    [
        ("Fixes #12", [12], [12]),
        ("closes: pytorch/vision#13 and resolved #14", [14], [14]),
        ("fix https://github.com/pytorch/pytorch/issues/15", [15], [15]),
        ("prefixes #16, see (#17), fixed\n#18", [16, 17, 18], [18]),
        ("fix 19, a#20, #2x, http://x/#21a", [], []),
        ("see https://github.com/pytorch/pytorch/pull/22 and #22", [22], []),
    ],
)
def test_what_a_text_points_at(text: str, points_at: list[int], closes: list[int]) -> None:
    """Numbers and addresses are references; only a closing word right before one closes it."""
    assert [number for name, number in mentioned(text, "pytorch/pytorch") if name == "pytorch/pytorch"] == points_at
    assert closing(text, "pytorch/pytorch") == closes


def test_references_are_noted_once_and_go_with_their_source(repository: Repository) -> None:
    """A pull request that fixes an issue is on its timeline, once, as one that will close it; not while hidden."""
    changes.create_pull(repository, "Fix", "Fixes #1")
    changes.comment(repository, 2, "as #1 says")
    lines = [each for each in repository.threads[1].events if each.kind == "CrossReferencedEvent"]
    assert [(each.source, each.will_close) for each in lines] == [(repository.threads[2], True)]
    assert repository.threads[1].closed_by == [2]
    changes.hide(repository, 2)
    with Double(repository.world) as double:
        assert call(double, "GET", "/repos/pytorch/pytorch/issues/1/timeline").json() == []


def test_links_follow_edits_and_need_the_default_branch(repository: Repository) -> None:
    """Taking the words out unlinks; a layer of a stack links nothing."""
    changes.create_pull(repository, "Fix", "Fixes #1")
    changes.edit(repository, 2, body="Does not fix it")
    assert (repository.threads[2].closes, repository.threads[1].closed_by) == ([], [])
    changes.create_pull(repository, "Layer", "Fixes #1", base="gh/someone/1/base")
    assert repository.threads[3].closes == []


def test_landing_reverting_and_landing_again(repository: Repository) -> None:
    """Closed and `Merged`, open and `Reverted`, closed and `Merged` again, with three commits that tell it."""
    pull = changes.create_pull(repository, "Fix", "Fixes #1", labels=["open source"])
    first = landing.land(repository, pull.number, at=NOW + timedelta(minutes=1))
    assert (pull.open, pull.merged_at, pull.labels) == (False, None, ["open source", "Merged"])
    assert repository.threads[1].state_reason == "COMPLETED"
    landing.revert(repository, pull.number, at=NOW + timedelta(minutes=2))
    assert (pull.open, pull.labels) == (True, ["open source", "Reverted"])
    second = landing.land(repository, pull.number, at=NOW + timedelta(minutes=3))
    assert (pull.open, pull.labels) == (False, ["open source", "Merged"])
    messages = [each.message for each in repository.commits]
    assert messages[1].startswith('Revert "Fix (#2)"\n\nThis reverts commit ' + first.oid)
    assert messages[0] == messages[2]
    assert second.oid != first.oid
    closers = [each.closer for each in pull.events if each.kind == "ClosedEvent"]
    assert closers == [first, second]


def test_the_button_merges(repository: Repository) -> None:
    """A repository without a merge bot shows `merged`, and its issue is closed by the pull request."""
    pull = changes.create_pull(repository, "Fix", "Fixes #1")
    made = landing.merge(repository, pull.number)
    assert (pull.state, pull.merge_commit) == ("MERGED", made)
    assert repository.threads[1].events[-1].closer is pull


def test_a_renamed_branch_leads_on(repository: Repository) -> None:
    """REST leads from the old name to the new; open pull requests have the new base."""
    pull = changes.create_pull(repository, "Fix")
    landing.commit(repository, "begin")
    landing.rename_branch(repository, "trunk")
    with Double(repository.world) as double:
        moved = call(double, "GET", "/repos/pytorch/pytorch/branches/main")
        assert moved.status_code == 301
        assert call(double, "GET", moved.headers["location"].removeprefix(double.url)).json()["name"] == "trunk"
        assert call(double, "GET", "/repos/pytorch/pytorch").json()["default_branch"] == "trunk"
    assert pull.base_ref == "trunk"


def test_time_never_goes_back(repository: Repository) -> None:
    """A change that is dated earlier leaves `updated_at`, and a comment takes its place by time."""
    for minutes in (9, 3, 6):
        changes.comment(repository, 1, str(minutes), at=NOW + timedelta(minutes=minutes))
    assert repository.threads[1].updated_at == NOW + timedelta(minutes=9)
    assert [each.body for each in repository.threads[1].comments] == ["3", "6", "9"]
