"""How issues of ours are read: which are there, what was said, and which change mended them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot.edges.github.watching import GitHubWatch
from bot.errors import ForgeError
from tests.double import changes, faults, landing
from tests.filing.desk import REPO, Room, writing


@pytest.fixture
def reader(room: Room) -> Iterator[GitHubWatch]:
    """Three issues of ours are there, and one of somebody else."""
    for number in (1, 2, 3):
        changes.create_issue(room.repository, f"ours {number}", author="alignbot")
    changes.create_issue(room.repository, "theirs", author="somebody")
    with writing(room.double, room.token, room.time) as forge:
        yield GitHubWatch(forge.rest)


def test_what_is_gone_is_not_told(reader: GitHubWatch, room: Room) -> None:
    """A deleted or moved issue is missing from the answer, also where it is the first; two questions for any number."""
    changes.delete(room.repository, 1)
    changes.close(room.repository, 2, reason="NOT_PLANNED")
    shown = reader.issues(REPO, [1, 2, 3])
    assert {number: (one["state"], one["state_reason"]) for number, one in shown.items()} == {
        2: ("closed", "not_planned"),
        3: ("open", None),
    }
    assert len(room.double.log) == 3
    assert reader.issues(REPO, [1]) == {}


def test_a_commit_that_closed_it(reader: GitHubWatch, room: Room) -> None:
    """Its day is the commit's; of several changes the newest counts."""
    pull = changes.create_pull(room.repository, "Fix the sum", "Fixes #1", author="dev")
    room.pass_time(timedelta(hours=1))
    made = landing.land(room.repository, pull.number)
    fix = reader.thread(REPO, 1).fix
    assert fix is not None
    assert (fix.what, fix.landed_at) == (f"commit {made.oid[:10]}", made.committed_at.replace(microsecond=0))
    changes.reopen(room.repository, 1)
    later = changes.create_pull(room.repository, "Fix it whole", "Resolves #1", author="dev")
    room.pass_time(timedelta(hours=1))
    landing.merge(room.repository, later.number)
    newest = reader.thread(REPO, 1).fix
    assert newest is not None
    assert newest.landed_at > fix.landed_at


def test_what_is_no_fix(reader: GitHubWatch, room: Room) -> None:
    """A mention, a change that is not merged, one of another repository, and closing by hand."""
    mention = changes.create_pull(room.repository, "Near", "See #1, it does not fix #12", author="dev")
    landing.merge(room.repository, mention.number)
    changes.create_pull(room.repository, "Draft", "Fixes #1", author="dev")
    other = room.double.world.add_repository("somebody/fork", next_number=1)
    fork = changes.create_pull(other, "Fork", f"Fixes {REPO}#1", author="dev")
    landing.merge(other, fork.number)
    changes.close(room.repository, 1)
    assert reader.thread(REPO, 1).fix is None


def test_remarks(reader: GitHubWatch, room: Room) -> None:
    """Each comment with its author, rights and the time that it was changed last; bots are told apart."""
    first = changes.comment(room.repository, 1, "hello", author="boss", association="MEMBER")
    changes.comment(room.repository, 1, "beep", author="a[bot]")
    room.pass_time(timedelta(minutes=1))
    changes.edit_comment(room.repository, first.database_id, "hello again")
    one, two = reader.thread(REPO, 1).remarks
    assert (one.id, one.author, one.author_association, one.bot) == (first.database_id, "boss", "MEMBER", False)
    assert (one.body, one.at > two.at, two.bot) == ("hello again", True, True)


@pytest.mark.parametrize("code", [404, 410, 418])
def test_what_github_refuses(code: int, reader: GitHubWatch, room: Room) -> None:
    """A refusal is an error of the forge, and never an issue without comments and without a fix."""
    room.double.add(faults.status(code, path="/timeline", times=None))
    with pytest.raises(ForgeError, match=str(code)):
        reader.thread(REPO, 1)
